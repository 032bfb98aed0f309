"""Sentences about a planned arena: headline, result sentence, allocation and notes."""

from dataclasses import replace

from tellapart.answers.arena_plan import Allocation, ArenaPlan, ArenaPlanRow
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, confidence, number, percent, significant, thousands

NOTES: NoteTexts[ArenaPlan] = NoteTexts()

WIDE = 400.0
"""Points from the best to the worst up to which it hardly matters who meets whom."""


def with_texts(answer: ArenaPlan) -> ArenaPlan:
    allocation = answer.allocation
    return replace(
        answer,
        headline=_what_votes_do(answer, answer.rows[0]),
        sentence=_arena_plan_sentence(answer),
        allocation=None if allocation is None else replace(allocation, text=_whom_to_meet(allocation)),
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _what_votes_do(answer: ArenaPlan, row: ArenaPlanRow) -> str:
    votes, power, gap = amount(row.votes, "vote"), f"{percent(row.power, 3)} power", f"{row.gap:.3g} points"
    if answer.top is not None:
        return f"{votes} leave at most {answer.top} of {answer.systems} systems in the top tier if the best leads by {gap} ({power})"
    if answer.log is not None:
        return f"{votes} as they were allotted tell {answer.log.first} from {answer.log.second} if they are {gap} apart ({power})"
    return f"{votes} tell two of {answer.systems} systems apart that are {gap} apart ({power})"


def _arena_plan_sentence(answer: ArenaPlan) -> str:
    row = answer.rows[0]
    terms = [
        f"{percent(row.ties, 2)} ties",
        f"all {amount(answer.pairs, 'pair')} at {confidence(answer.alpha)} family-wise",
    ]
    if answer.spread:
        terms.append(f"strengths with a standard deviation of {significant(answer.spread, 3)} points")
    if answer.design_effect != 1.0:
        terms.append(f"design effect {significant(answer.design_effect, 3)}")
    return f"{_what_votes_do(answer, row)}: {', '.join(terms)}."


def _whom_to_meet(found: Allocation) -> str:
    if found.span <= WIDE:
        return (
            f"let all pairs meet equally often: strengths span {number(found.span, 0)} points, and below about {number(WIDE, 0)} it hardly matters "
            "who meets whom"
        )
    return (
        f"strengths span {number(found.span, 0)} points: if only systems within {found.window} ranks of each other meet, neighbours take "
        f"{significant(found.neighbours, 2)} times the votes of meetings of all pairs alike, and the best and the worst {significant(found.ends, 2)} times"
    )


NOTES.plain(
    cautious_where_spread="strengths are spread out: once clear pairs are decided the others are judged less strictly, so the power is higher than said"
)


@NOTES
def like_the_log(answer: ArenaPlan, votes: int) -> str:
    assert answer.log is not None, "the note is about a log"
    return (
        f"planned from {amount(votes, 'vote')}: new ones have its share of ties ({percent(answer.log.ties, 2)}), its pairs, and raters and items as "
        "active as its own"
    )


@NOTES
def top_of_log(answer: ArenaPlan, votes: int) -> str:
    return (
        f"from {amount(votes, 'vote')} come the number of systems, the share of ties and the design effect ({significant(answer.design_effect, 3)}); all "
        "pairs are taken to meet equally often"
    )


@NOTES
def more_than_planned(_: ArenaPlan, separable: float) -> str:
    return f"the votes of the log by themselves separate {thousands(round(separable))} points with 80 % power"
