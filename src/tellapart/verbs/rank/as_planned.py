"""A board beside its plan."""

from dataclasses import replace

from tellapart.results.leaderboard import Leaderboard
from tellapart.scores import Scores
from tellapart.verbs.deviations import StudyRun, check, created, only_dataset
from tellapart.verbs.rank.question import RankQuestion


def beside_plan(answer: Leaderboard, scores: Scores, question: RankQuestion) -> Leaderboard:
    followed = question.followed
    assert followed is not None
    run = StudyRun(
        test=None,
        alpha=answer.alpha,
        comparisons=len(answer.pairs),
        items=answer.items,
        dropped=len(scores.items) - answer.items,
        margin=answer.margin if answer.baseline is not None else followed.plan.margin,
        measure=answer.measure,
        dataset=only_dataset(scores),
        created=created(scores),
        direction="lower" if answer.lower_is_better else "higher",
        family=True,
    )
    return replace(answer, plan=check(followed, run))
