"""Axes of a grid of studies: the assumptions that vary, and those that change the solved number most."""

import math
from collections.abc import Callable
from typing import Any

from tellapart.answers.plan import Plan, PlanRow
from tellapart.foundation.spelling import name_of

GridAxis = Callable[[PlanRow], Any]
_NO_CHANGE = 1e-9
"""Up to which a change of the answer is rounding."""
_ALIKE = 0.98
"""The share of the largest change from which on another is called as large."""


def is_grid(answer: Plan) -> bool:
    """Whether its rows are the studies that were asked about, and not the designs that a search found."""
    return len(answer.rows) > 1 and answer.searched is None


def varying_options(answer: Plan) -> list[str]:
    """Options that were given and differ between rows, in their order; an overlap that follows the accuracy was not given."""
    names = dict.fromkeys(name for row in answer.rows for name in row.options)
    differing = [name for name in names if len({str(row.options.get(name)) for row in answer.rows}) > 1]
    if all("evidence" in row.options for row in answer.rows):
        followed = {"discordance", "evidence"} if "accuracy" in differing else {"discordance"}
        return [name for name in differing if name not in followed]
    return differing


def grid_axes(answer: Plan) -> dict[str, GridAxis]:
    """Given options that differ between rows, by name."""
    axes: dict[str, GridAxis] = {
        "population": lambda row: name_of(row.population),
        **{name: _option_axis(name) for name in varying_options(answer) if _differs_within(answer, name)},
        "effect": lambda row: row.effect,
        "items": lambda row: row.items,
        "power": lambda row: round(row.power, 2),
        "looks": lambda row: row.looks,
    }
    if has_given_tests(answer):
        axes["test"] = lambda row: row.test
    axes.pop(answer.solved_for)
    return {name: axis for name, axis in axes.items() if len({str(axis(row)) for row in answer.rows}) > 1}


def _differs_within(answer: Plan, name: str) -> bool:
    """Whether an option differs between rows of one population, and not only because others have no such option."""
    values: dict[str, set[str]] = {}
    for row in answer.rows:
        values.setdefault(name_of(row.population), set()).add(str(row.options.get(name)))
    return name != "population" and any(len(some) > 1 for some in values.values())


def _option_axis(name: str) -> GridAxis:
    return lambda row: row.options.get(name)


def has_given_tests(answer: Plan) -> bool:
    """Whether tests are an axis of the grid, and not what suits each of its studies."""
    given = [name for name in ("items", "effect") if name != answer.solved_for]
    studies = {str((row.options, *(getattr(row, name) for name in given))) for row in answer.rows}
    return len(studies) < len(answer.rows)


def solved_value(answer: Plan, row: PlanRow) -> float:
    """The number that was solved for."""
    return abs(float(getattr(row, answer.solved_for)))


def strongest_axes(answer: Plan) -> list[str]:
    """The assumptions over which the answer changes most while the others stay; none where there is one alone."""
    axes = grid_axes(answer)
    changes = {name: _mean_change(answer, axes, name) for name in axes}
    most = max(changes.values(), default=0.0)
    if len(axes) < 2 or most <= _NO_CHANGE:
        return []
    return [name for name, change in changes.items() if change >= _ALIKE * most]


def _mean_change(answer: Plan, axes: dict[str, GridAxis], moved: str) -> float:
    """From the smallest answer to the largest, over rows that differ in this alone: of powers the difference, else the log of the ratio."""
    groups: dict[str, list[float]] = {}
    for row in answer.rows:
        others = str([axis(row) for name, axis in axes.items() if name != moved])
        value = solved_value(answer, row)
        groups.setdefault(others, []).append(value if answer.solved_for == "power" else math.log(max(value, 1e-300)))
    changes = [max(values) - min(values) for values in groups.values() if len(values) > 1]
    return sum(changes) / len(changes) if changes else 0.0
