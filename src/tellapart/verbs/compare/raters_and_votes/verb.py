"""Comparison of two systems by ratings or votes, generalised to new raters and items or for these raters only."""

from collections.abc import Callable
from dataclasses import replace

from tellapart.answers.comparison import Comparison
from tellapart.data.ratings import Ratings
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option, verb
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.raters_and_votes.analysis import averaged_away
from tellapart.verbs.compare.raters_and_votes.answer import answer_by_raters
from tellapart.verbs.compare.raters_and_votes.methods import (
    refuse_clusters,
    refuse_few_raters,
    refuse_other_questions,
    refuse_own_raters,
    refuse_ties,
    refuse_unrated,
)
from tellapart.verbs.compare.raters_and_votes.notes import notes_on_fixed
from tellapart.verbs.compare.raters_and_votes.votes import comparison_of_votes
from tellapart.verbs.compare.systems import two_of

OfScores = Callable[[Scores, CompareQuestion], Comparison]


def comparison_by_people(given: Ratings | Votes, question: CompareQuestion, of_scores: OfScores) -> Comparison:
    """The comparison of ratings or votes; `of_scores` is the one of plain scores."""
    refuse_other_questions(question)
    names = two_of(given.systems, question.a, question.b)
    if isinstance(given, Votes):
        _refuse_control(given, names)
        return comparison_of_votes(given.by_asked_clusters(), names, question, of_scores)
    refuse_ties(question)
    pair = given.pair(*names)
    refuse_unrated(pair, names)
    refuse_own_raters(pair, names)
    if question.raters_as == "fixed":
        return _by_these_raters(given, names, question, of_scores)
    refuse_few_raters(pair)
    refuse_clusters(given)
    return answer_by_raters(pair, names, question, given.measure)


def _refuse_control(given: Votes, names: tuple[str, str]) -> None:
    if given.control is not None:
        raise UsageError(
            f"a control adjusts the strengths of a leaderboard: {verb('rank')} takes {option('control', given.control_name)}, also of two alone, with "
            f"{option('systems', ','.join(names))}"
        )


def _by_these_raters(
    given: Ratings, names: tuple[str, str], question: CompareQuestion, of_scores: OfScores
) -> Comparison:
    """Averaged over raters within items, and then as for scores: an answer about these raters only."""
    pair = given.pair(*names)
    asked = replace(question, a=names[0], b=names[1])
    answer = of_scores(given.of_systems(*names).averaged(), asked)
    return replace(answer, ratings=averaged_away(pair), notes=(*notes_on_fixed(pair), *answer.notes))
