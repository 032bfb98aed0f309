"""Sentences about planned labels beside a judge: headline, result sentence and notes."""

from dataclasses import replace

from tellapart.answers.judged_plan import JudgedPlan, JudgedPlanRow
from tellapart.answers.reading_texts import few_labels
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, number, percent, significant, thousands
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[JudgedPlan] = NoteTexts()
NOTES(few_labels)


def with_texts(answer: JudgedPlan) -> JudgedPlan:
    return replace(
        answer,
        headline=_planned_labels(answer.rows[0]),
        sentence=_judged_plan_sentence(answer, answer.rows[0]),
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _planned_labels(row: JudgedPlanRow) -> str:
    reach = (
        f"bound the difference within ±{significant(row.half_width)}"
        if row.effect is None or row.power is None
        else f"find an effect of {significant(row.effect)} with {percent(row.power, 3)} power"
    )
    if not row.items:
        return f"at these prices the judge does not pay: {amount(row.labels, 'label')} alone {reach}"
    return f"{amount(row.labels, 'label')} and a judge on {amount(row.items, 'item')} {reach}"


def _judged_plan_sentence(answer: JudgedPlan, row: JudgedPlanRow) -> str:
    spread, r = significant(answer.sd_difference), number(answer.judge_correlation, 2)
    at = f"people's differences with standard deviation {spread}, which correlate with the judge's by {r}"
    if not row.items:
        return f"{_planned_labels(row)}: {at}."
    without = f"without the judge {amount(row.labels_alone_for_same, 'label')} would do as much"
    floor = f"with endless labels the standard error would be {significant(row.floor, 2)}"
    cost = "" if row.cost is None else f"; they cost {significant(row.cost, 4)}"
    return f"{_planned_labels(row)}{cost}: {at}; {without}, and {floor}."


def _without_file(answer: JudgedPlan, spread: float, correlation: float) -> str:
    """Options in place of the pilot."""
    items = (
        ""
        if answer.budget is not None or answer.solved_for == "items"
        else f" {option('items', str(answer.rows[0].items))}"
    )
    given = f"{option('sd_difference', significant(spread, 3))} {option('judge_correlation', number(correlation, 2))}{items}"
    return f"{given} in place of the file"


@NOTES
def judge_of_pilot(answer: JudgedPlan, labels: int, low: float, high: float) -> str:
    return (
        f"the correlation comes from {amount(labels, 'label')} and may be {number(low, 2)} to {number(high, 2)} (95 % CI). To plan at the lower end: "
        f"{_without_file(answer, answer.sd_difference, low)}"
    )


@NOTES
def pilot_clusters(answer: JudgedPlan, clusters: int, times: float | None, spread: float | None) -> str:
    said = f"the pilot's labelled items come in {amount(clusters, 'cluster')}, and the plan takes items as independent"
    if times is None or spread is None:
        return f"{said}; of so few clusters it cannot be told what that leaves out. Label items of other clusters, one of each at best"
    return (
        f"{said}; on the pilot the standard error with clusters is {number(times, 2)} times as large. To plan for as many items per cluster: "
        f"{_without_file(answer, spread, answer.judge_correlation)}"
    )


@NOTES
def judge_adds_little(_: JudgedPlan, labels: int, worth: float) -> str:
    return f"the judge adds little: {amount(labels, 'label')} with it tell as much as {thousands(round(worth))} alone"


@NOTES
def draw_labels_by_judge(_: JudgedPlan, discordance: float) -> str:
    return (
        f"systems differ on {percent(discordance, 2)} of items only and the judge is good: drawing half of the labels where it sees a difference, and telling "
        f"{option('strata', 'judge')}, is worth up to 1.5 times the labels"
    )


@NOTES
def labels_simulated(_: JudgedPlan, replicates: int, below: int) -> str:
    return (
        f"fewer than {below} labelled items are expected to differ: power comes from {thousands(replicates)} simulated evaluations, with a judge that repeats "
        "people's difference or sees an unrelated one"
    )
