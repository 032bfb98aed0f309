"""Sentences about inter-rater agreement: headline, result sentence and notes."""

from dataclasses import replace

from tellapart.answers.agreement import Agreement, AgreementValue, JudgeAgreement, JudgeBias
from tellapart.answers.reading_texts import STOPPED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import (
    amount,
    decimals_within,
    interval,
    number,
    one_line,
    percent,
    signed,
    signed_interval,
    thousands,
)
from tellapart.foundation.surfaces import verb

NOTES: NoteTexts[Agreement] = NoteTexts(STOPPED)

MOST_SYSTEMS = 4
"""Whose bias a sentence tells."""


def with_texts(answer: Agreement) -> Agreement:
    return replace(
        answer,
        headline=_agreement_headline(answer),
        sentence=" ".join(
            [_agreement_sentence(answer), *(_judge_text(judge, answer.level) for judge in answer.judges)]
        ),
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _agreement_headline(answer: Agreement) -> str:
    first = answer.coefficients[0] if answer.coefficients else None
    if first is None or first.value is None:
        return "agreement cannot be told"
    return f"{first.label} {number(first.value, 3)}"


def _agreement_sentence(answer: Agreement) -> str:
    who = amount(answer.raters, "reference rater" if answer.reference_raters else "rater")
    what = "votes" if answer.subject == "votes" else "ratings"
    on = f"{who} gave {thousands(answer.ratings)} {what} on {amount(answer.units, 'unit')}"
    if not answer.coefficients:
        return f"{on}, none of them shared by two."
    if answer.coefficients[0].value is None:
        same = "all of them" if not answer.single_units else "those of units with two or more all"
        return (
            f"{on}, {same} the same: {answer.coefficients[0].label} is undefined, for chance alone would agree as well."
        )
    return f"{on}: {_agreement_notes(answer.coefficients[0], answer.level)}, where 1 is full agreement and 0 what chance alone would give."


def _agreement_notes(value: AgreementValue, level: float) -> str:
    if value.value is None:
        return f"{value.label} is undefined"
    if value.low is None or value.high is None:
        return f"{value.label} is {number(value.value, 3)} (no interval: most resamples leave it undefined)"
    return f"{value.label} is {number(value.value, 3)}, {percent(level)} interval {interval(value.low, value.high, 3)}"


def _judge_text(judge: JudgeAgreement, level: float) -> str:
    agrees = f"{one_line(judge.rater)} with one reference rater at a time, on {amount(judge.units, 'unit')}: {_agreement_notes(judge.agreement, level)}"
    people = judge.people.value if judge.people is not None else None
    others = "" if people is None else f"; reference raters with each other: {number(people, 3)}"
    return f"{agrees}{others}. {_biases(judge)}"


def _biases(judge: JudgeAgreement) -> str:
    """How a judge rates each system beside the mean of these people; the table has them all."""
    said = ", ".join(map(_judge_bias_text, judge.bias[:MOST_SYSTEMS]))
    more = len(judge.bias) - MOST_SYSTEMS
    return f"It differs from their mean by {said}{f' and so on for {more} more' if more > 0 else ''}."


def _judge_bias_text(bias: JudgeBias) -> str:
    if bias.low is None or bias.high is None:
        return f"{signed(bias.bias, 3)} on {one_line(bias.system)}"
    decimals = decimals_within(bias.low, bias.high)
    return f"{signed(bias.bias, decimals)} {signed_interval(bias.low, bias.high, decimals)} on {one_line(bias.system)}"


@NOTES
def single_ratings(_: Agreement, units: int) -> str:
    return f"{amount(units, 'unit')} {'has' if units == 1 else 'have'} only one rating and cannot show agreement"


@NOTES
def few_units(_: Agreement, units: int) -> str:
    return f"only {amount(units, 'unit')} {'has' if units == 1 else 'have'} two ratings or more: intervals are rough"


@NOTES
def nearly_all_the_same(answer: Agreement, share: float) -> str:
    equal = (
        ""
        if answer.equal_share is None
        else f"; {percent(answer.equal_share, 3)} of rating pairs of one unit are equal"
    )
    return f"{percent(share, 3)} of all are the same, so chance agrees nearly as well as raters do, and a few disagreements lower coefficients a lot{equal}"


NOTES.plain(
    undefined_agreement="a coefficient is undefined where nothing differs at all: chance would then agree as well as raters do",
    no_shared_units="no unit was rated by two of the reference raters, so their own agreement is unknown",
    not_about_differences=(
        "this is agreement on single ratings; to learn whether raters agree on the better system, and how many are "
        f"needed, use {verb('compare')} and {verb('plan')}"
    ),
)


@NOTES
def repeats_averaged(answer: Agreement, ratings: int) -> str:
    were = "was" if ratings == 1 else "were"
    return f"{amount(ratings, 'vote' if answer.subject == 'votes' else 'rating')} {were} averaged with others by the same rater of the same unit"
