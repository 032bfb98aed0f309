"""Sentences about a plan: the solved number, its assumptions, and the power for a smaller effect."""

from dataclasses import replace

from tellapart.answers.parts import Note
from tellapart.answers.plan import Plan, PlannedTest, PlanRow
from tellapart.answers.plan.grid import is_grid
from tellapart.answers.plan.grid_texts import (
    grid_headline,
    grid_sentence,
    looks_headline,
    looks_sentence,
    option_amount,
)
from tellapart.answers.plan.notes import NOTES
from tellapart.answers.plan.rater_texts import (
    CLUSTER_OPTIONS,
    band_in_brackets,
    band_sentence,
    best_design,
    clusters_of,
    family_in_headline,
    family_sentence,
    said_of_raters,
    scale_words,
    searched_words,
    share,
    size,
    unreachable,
    unreachable_words,
)
from tellapart.answers.reading_texts import cut_short
from tellapart.foundation.formatting import minus, percent, points, significant, thousands, times_in_ten

_SYMBOLS = {"correlation": "r = {}"}
_FIRST = ("correlation", "sd")
"""Assumptions to show first."""


def with_texts(answer: Plan) -> Plan:
    notes = tuple(_noted(answer, note) for note in answer.notes)
    return replace(
        answer,
        headline=("partial, " if answer.partial else "") + _plan_headline(answer),
        sentence=_plan_sentence(answer) + cut_short(notes),
        notes=notes,
    )


def _noted(answer: Plan, note: Note) -> Note:
    """A note that does not hold of all rows says of which it does, and which have another like it."""
    values = dict(note.values)
    rows, others = values.pop("rows", None), values.pop("other_rows", [])
    if rows is None:
        return NOTES.with_text(answer, note)
    alone = replace(answer, rows=(answer.rows[rows[0] - 1],))
    text = NOTES.with_text(alone, replace(note, values=values)).text
    return replace(note, text=f"{_of_rows(rows, others)}: {text}")


def _of_rows(rows: list[int], others: list[int]) -> str:
    """Rows in words.

    >>> _of_rows([2], []), _of_rows([1, 3], [2]), _of_rows([1], [2, 4, 5])
    ('row 2', 'rows 1 and 3 (likewise, with other numbers, row 2)', 'row 1 (likewise, with other numbers, rows 2, 4 and 5)')
    """
    likewise = f" (likewise, with other numbers, {_row_numbers_words(others)})" if others else ""
    return _row_numbers_words(rows) + likewise


def _row_numbers_words(numbers: list[int]) -> str:
    """Three and more in a row by their ends.

    >>> _row_numbers_words([2]), _row_numbers_words([1, 2, 4]), _row_numbers_words([3, 4, 5, 8])
    ('row 2', 'rows 1, 2 and 4', 'rows 3 to 5 and 8')
    """
    *most, last = _consecutive_numbers(numbers)
    named = f"{', '.join(most)} and {last}" if most else last
    return f"row {named}" if len(numbers) == 1 else f"rows {named}"


def _consecutive_numbers(numbers: list[int]) -> list[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [text for run in runs for text in (map(str, run) if len(run) < 3 else [f"{run[0]} to {run[-1]}"])]


def _plan_headline(answer: Plan) -> str:
    row = answer.rows[0]
    if answer.searched is not None:
        return f"{best_design(answer.searched, row)}{_scale_in_headline(row)}{band_in_brackets(answer)}"
    if is_grid(answer):
        return grid_headline(answer) + family_in_headline(answer)
    said = f"{family_in_headline(answer)}{band_in_brackets(answer)}"
    if row.looks is not None:
        return looks_headline(answer, row) + said
    if answer.solved_for == "items":
        if unreachable(answer):
            return f"{unreachable_words(answer)}; {_size_in_headline(row)} needed at the expected spreads{_scale_in_headline(row)}{family_in_headline(answer)}"
        return f"{_size_in_headline(row)} needed{_scale_in_headline(row)}{said}"
    solved = (
        f"smallest detectable effect: {significant(row.effect, 3)}"
        if answer.solved_for == "effect"
        else f"power: {percent(round(row.power, 4))}"
    )
    return f"{solved}{_scale_in_headline(row)}{said}"


def plan_finding(answer: Plan) -> str:
    """What was given, beside the number in the headline that was solved."""
    if is_grid(answer) or answer.searched is not None:
        return ""
    row = answer.rows[0]
    in_points = f" ({points(row.effect):.4g} points)" if row.right_or_wrong else ""
    target = row.power if answer.target_power is None else answer.target_power
    given = {
        "items": size(row),
        "effect": f"effect {option_amount(row.effect)}{in_points}",
        "power": f"{percent(target)} power",
    }
    told = [text for name, text in given.items() if name != answer.solved_for]
    return f"{', '.join(told)}: {', '.join(_assumptions(answer))}"


def _scale_in_headline(row: PlanRow) -> str:
    scale = scale_words(row)
    return f" for {scale}" if scale else ""


def _size_in_headline(row: PlanRow) -> str:
    clusters = clusters_of(row)
    return f"{thousands(row.items)} {row.counts}{f' ({clusters})' if clusters else ''}"


def _plan_sentence(answer: Plan) -> str:
    if is_grid(answer):
        assumed = ", ".join(_assumptions(answer))
        return grid_sentence(answer, f" ({assumed})" if assumed else "") + family_sentence(answer)
    row, test, assumed = answer.rows[0], answer.tested, ", ".join(_assumptions(answer))
    items, left = size(row), family_sentence(answer) + band_sentence(answer)
    if row.looks is not None:
        reached = row.power if answer.target_power is None else answer.target_power
        return looks_sentence(answer, row, f"{percent(round(reached, 3))} power", assumed) + left
    if answer.solved_for == "power":
        return f"With {items} {_found_words(row, test)} ({assumed}){_exaggeration_words(row)}.{searched_words(answer)}{left}"
    if test.claim != "difference":
        return (
            f"{items} show {test.label} with {share(row.power)} power if the true effect is {option_amount(row.effect)} "
            f"({assumed}).{left}"
        )
    effect = minus(significant(row.effect)) if answer.solved_for == "effect" else option_amount(row.effect)
    power = (
        f"{percent(row.power if answer.target_power is None else answer.target_power)} power{_right_sign_words(row)}"
    )
    assured = "" if answer.assurance is None else f", assured with probability {answer.assurance:g}"
    return f"{items} detect {effect} with {power}{assured} ({assumed}){_smaller_effect_words(answer)}.{left}"


def _found_words(row: PlanRow, test: PlannedTest) -> str:
    if test.claim != "difference":
        return f"{test.label} is shown {share(row.power)} of the time if the true effect is {option_amount(row.effect)}"
    if row.effect == 0.0:
        return f"a difference is found {share(row.power)} of the time although there is none"
    return f"an effect of {option_amount(row.effect)} is found {share(row.power)} of the time{_right_sign_words(row)}"


def _right_sign_words(row: PlanRow) -> str:
    """How much of the power is claims of the right sign, where that is not nearly all of it."""
    return "" if row.power_right is None else f", {share(row.power_right)} in the right direction"


def _assumptions(answer: Plan) -> list[str]:
    """The test and the numbers assumed; of a grid those of all its rows."""
    rows = answer.rows if is_grid(answer) else answer.rows[:1]
    options = rows[0].options
    told = {*said_of_raters(rows[0]), *CLUSTER_OPTIONS}
    said = {name: options[name] for name in (*_FIRST, *options) if name in options and name not in told}
    shown = [
        _SYMBOLS.get(name, name + " {}").format(option_amount(value))
        for name, value in said.items()
        if value is not None
        and not (name == "mean" and value == 0.0)
        and all(row.options.get(name) == value for row in rows)
    ]
    pilot = [] if answer.pilot_items is None else [f"a pilot of {thousands(answer.pilot_items)} items"]
    tests = _test_words(answer.tested) if len({row.test for row in rows}) == 1 else []
    scale = scale_words(rows[0])
    return [*tests, *pilot, *([scale] if scale else []), *shown]


def _test_words(test: PlannedTest) -> list[str]:
    """The test among the assumptions; with a margin the sentence names it before."""
    if test.claim != "difference":
        return []
    return [test.label if test.alternative == "two-sided" else f"one-sided {test.label}"]


def _exaggeration_words(row: PlanRow) -> str:
    if row.type_s is None or not _looks_words(row.type_m):
        return ""
    wrong = f", and has the wrong sign {percent(round(row.type_s, 3))} of the time" if row.type_s >= 0.0005 else ""
    return f"; when found, it looks {_looks_words(row.type_m)}{wrong}"


def _looks_words(type_m: float | None) -> str:
    """How an effect that is found looks, where that is not what it is."""
    return "" if type_m is None or type_m < 1.05 else f"{significant(type_m)} times too large"


def _smaller_effect_words(answer: Plan) -> str:
    """How often about half that effect would be missed, and how it would look when it is not."""
    found = answer.smaller
    if found is None:
        return ""
    looks = f" and, when found, would look {_looks_words(found.type_m)}" if _looks_words(found.type_m) else ""
    return f"; an effect of {option_amount(found.effect)} would be missed {times_in_ten(found.missed)}{looks}"
