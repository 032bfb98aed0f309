"""Page of a plan: a table of studies, power curves and remarks."""

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tellapart.answers.page import BLANK, TYPED, Cell, Column, Curve, Figure, Grid, Kind, Page, Row, condensed
from tellapart.answers.plan import Plan, PlanRow, SolvedFor
from tellapart.answers.plan.grid import is_grid
from tellapart.answers.plan.page_tables import OWN_COLUMNS, crossed, limits, looks_grid, rater_cells, rater_columns
from tellapart.answers.plan.texts import plan_finding
from tellapart.foundation.formatting import bracketed, significant, thousands
from tellapart.foundation.spelling import name_of

if TYPE_CHECKING:
    from tellapart.answers.plan.page_tables import Titled

FROM_EVIDENCE = {"overlap_from_evidence", "spread_from_evidence"}
"""Notes that say that past results stand for the systems of the user."""
MET = 0.0005
"""A share of findings that is told of."""


def make_page(answer: Plan) -> Page:
    return Page(
        headline=answer.headline,
        tone="even",
        finding=plan_finding(answer),
        next_steps=_next_of_plan(answer),
        grids=(*_grids(answer), *looks_grid(answer), *limits(answer)),
        facts=(),
        remarks=(("Notes", tuple(note.text for note in answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
        figures=_figures(answer),
    )


def _next_of_plan(answer: Plan) -> tuple[str, ...]:
    """Fixing the design before the data are seen, or what would make a plan from evidence surer."""
    if is_grid(answer) or answer.searched is not None:
        return ()
    row, steps = answer.rows[0], [f"fix this design before the data are seen: {TYPED} --save plan.json"]
    if any(note.code in FROM_EVIDENCE for note in answer.notes):
        effect = f"{row.effect:.2g}"
        steps.insert(0, f"if you have results of two such systems: tellapart plan pilot FILE --effect {effect}")
    return tuple(steps)


def _grids(answer: Plan) -> tuple[Grid, ...]:
    """Two axes as a table of two sides where that fits, else one row per study."""
    if rater_columns(answer) or answer.searched is not None or len(answer.rows) == 1:
        return (condensed(_study_grid(answer)),)
    # What was solved is what is shown, and no axis.
    given = [axis for name, axis in _setting_axes(answer).items() if name != answer.solved_for]
    axes = [axis for axis in given if _axis_varies(answer, axis)]
    errors = [axis for axis in _error_axes(answer) if _axis_varies(answer, axis)]
    constant = [axis for axis in (*given, *_error_axes(answer)) if not _axis_varies(answer, axis)]
    return crossed(answer, axes, [*_solved_axes(answer), *errors], constant) or (condensed(_study_grid(answer)),)


def _axis_varies(answer: Plan, axis: "Titled") -> bool:
    return len({axis[1](row).text for row in answer.rows}) > 1


def _setting_axes(answer: Plan) -> "dict[str, Titled]":
    """Options in which rows may differ: the requested power is one, the reached power is not."""
    options = {name: (name, partial(_option_cell, name=name)) for name in _varying_columns(answer.rows)}
    target: dict[str, Titled] = {} if answer.solved_for == "power" else {"power": ("power", _reached)}
    return {
        "items": (_count_title(answer), partial(_items_cell, answer)),
        "effect": ("effect", partial(_effect_cell, answer)),
        **options,
        **target,
        **({"looks": ("looks", _looks_cell)} if answer.rows[0].looks is not None else {}),
        "test": ("test", lambda row: Cell(row.test)),
        "engine": ("engine", lambda row: Cell(row.engine)),
    }


def _reached(row: PlanRow) -> Cell:
    """To the digits that a target is given with: items are whole, so that a little more is reached."""
    return Cell(f"{row.power:.2f}", (round(row.power, 2),))


def _solved_axes(answer: Plan) -> "list[Titled]":
    """The number that was solved, from which one on it holds where that is another, and power without wrong signs where they are met."""
    shown: dict[str, Titled] = {
        "power": ("power", _power_cell),
        "items": (_count_title(answer), partial(_items_cell, answer)),
        "effect": ("effect", partial(_effect_cell, answer)),
    }
    right: list[Titled] = [("right-sign power", _power_right_cell)] if _shows_right_power(answer) else []
    return [
        shown[answer.solved_for],
        *([("expected", _expected_cell)] if answer.rows[0].looks is not None else []),
        *([("stable from", _stable_cell)] if _shows_stable(answer) else []),
        *right,
    ]


def _error_axes(answer: Plan) -> "list[Titled]":
    """How far what is found misleads; a wrong sign only where it is met at all."""
    wrong = any(row.type_s is not None and row.type_s >= MET for row in answer.rows)
    sign: list[Titled] = [("type S", _type_s)] if wrong else []
    return [*sign, ("type M", _type_m)]


def _study_grid(answer: Plan) -> Grid:
    varying = _varying_columns(answer.rows)
    looked = any(row.looks is not None for row in answer.rows)
    expected = [Column("looks", "number"), Column("expected", "number")] if looked else []
    stable = [Column("stable from", "number")] if _shows_stable(answer) else []
    right = [Column("right-sign power", "number")] if _shows_right_power(answer) else []
    columns = (
        *([Column("row", "name")] if len(answer.rows) > 1 else []),
        Column("test", "name"),
        *(Column(name, _kind_of(name, answer.rows)) for name in varying),
        *rater_columns(answer),
        Column(_count_title(answer), "number"),
        *expected,
        *stable,
        Column("effect", "number"),
        Column("power", "number"),
        *right,
        Column("type S", "number"),
        Column("type M", "number"),
        Column("engine", "words"),
    )
    return Grid(columns, tuple(_study_cells(answer, number, varying) for number in range(len(answer.rows))))


def _count_title(answer: Plan) -> str:
    """The title of the counted unit, where it is the same in all rows."""
    counted = {row.counts for row in answer.rows}
    return counted.pop() if len(counted) == 1 else "items"


def _shows_right_power(answer: Plan) -> bool:
    """Whether some rejections have the wrong sign so often that the others are counted by themselves."""
    return any(row.power_right is not None for row in answer.rows)


def _kind_of(option: str, rows: tuple[PlanRow, ...]) -> Kind:
    """The type of an option's column: the name of a population, else mostly numbers."""
    spelled = (isinstance(row.options.get(option), str) for row in rows)
    return "words" if option == "population" or any(spelled) else "number"


def _varying_columns(rows: tuple[PlanRow, ...]) -> tuple[str, ...]:
    """The assumptions that differ between rows: what a reader needs besides the test to tell rows apart."""
    names = dict.fromkeys(name for row in rows for name in row.options)
    differing = [n for n in names if n not in OWN_COLUMNS and len({str(row.options.get(n)) for row in rows}) > 1]
    kinds = ["population"] if len({_population_name(row) for row in rows}) > 1 else []
    return (*kinds, *(name for name in differing if name not in kinds))


def _population_name(row: PlanRow) -> str:
    return name_of(row.population)


def _study_cells(answer: Plan, number: int, varying: tuple[str, ...]) -> Row:
    row = answer.rows[number]
    stable = [_stable_cell(row)] if _shows_stable(answer) else []
    return (
        *([Cell(str(number + 1), (number + 1,))] if len(answer.rows) > 1 else []),
        Cell(row.test),
        *(_option_cell(row, name) for name in varying),
        *rater_cells(answer, row),
        _items_cell(answer, row),
        *([] if row.looks is None else [_looks_cell(row), _expected_cell(row)]),
        *stable,
        _effect_cell(answer, row),
        _power_cell(row),
        *([_power_right_cell(row)] if _shows_right_power(answer) else []),
        _type_s(row),
        _type_m(row),
        Cell(row.engine),
    )


def _shows_stable(answer: Plan) -> bool:
    """Whether the power of some row falls below the target again with a few items more, as its note explains."""
    return any(row.stable_from not in {None, row.items} for row in answer.rows)


def _stable_cell(row: PlanRow) -> Cell:
    stable_from = row.stable_from or row.items
    return Cell(thousands(stable_from), (stable_from,))


def _type_s(row: PlanRow) -> Cell:
    return BLANK if row.type_s is None else Cell(significant(row.type_s), (row.type_s,))


def _type_m(row: PlanRow) -> Cell:
    return BLANK if row.type_m is None else Cell(f"{row.type_m:.2f}", (row.type_m,))


def _option_cell(row: PlanRow, name: str) -> Cell:
    value = row.options.get(name)
    if name == "population" and value is None:
        return Cell(_population_name(row))
    return Cell(_option_text(value), (value if isinstance(value, int | float) else None,))


def _items_cell(answer: Plan, row: PlanRow) -> Cell:
    return _with_ends(answer, row, "items", lambda items: thousands(round(items)), thousands(row.items))


def _looks_cell(row: PlanRow) -> Cell:
    return Cell(str(row.looks), (row.looks,))


def _expected_cell(row: PlanRow) -> Cell:
    """The items that are taken on average, if the effect is as planned."""
    return BLANK if row.expected_items is None else Cell(thousands(round(row.expected_items)), (row.expected_items,))


def _effect_cell(answer: Plan, row: PlanRow) -> Cell:
    return _with_ends(answer, row, "effect", lambda effect: significant(effect, 3), significant(row.effect, 4))


def _with_ends(answer: Plan, row: PlanRow, name: SolvedFor, written: Callable[[float], str], solved: str) -> Cell:
    """A number, with the interval that it has where it was solved; an end that a pilot leaves open is endless."""
    value, ends = getattr(row, name), (row.solved_low, row.solved_high)
    low, high = (far if end is None else end for end, far in zip(ends, (-math.inf, math.inf), strict=True))
    known = tuple(end for end in ends if end is not None)
    if answer.solved_for != name or not known or not low < value < high:
        return Cell(solved, (value,))
    return Cell(f"{solved} {bracketed(low, high, written)}", (value, *known))


def _power_cell(row: PlanRow) -> Cell:
    if not row.power_high > row.power_low:
        return Cell(f"{row.power:.4f}", (row.power,))
    text = f"{row.power:.4f} [{row.power_low:.3f}, {row.power_high:.3f}]"
    return Cell(text, (row.power, row.power_low, row.power_high))


def _power_right_cell(row: PlanRow) -> Cell:
    return BLANK if row.power_right is None else Cell(f"{row.power_right:.4f}", (row.power_right,))


def _option_text(value: object) -> str:
    if isinstance(value, tuple):
        return ":".join(map(_option_text, value))
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _figures(answer: Plan) -> tuple[Figure, ...]:
    """Power over items or effect, given or solved, a curve for each setting that has three points or more."""
    several = len({row.items for row in answer.rows}) > 1
    over = "items" if several and answer.solved_for != "effect" else "effect"
    settings: dict[str, list[tuple[float, float]]] = {}
    varying = _varying_columns(answer.rows)
    for row in answer.rows:
        name = _setting(answer, row, over, varying)
        settings.setdefault(name, []).append((float(getattr(row, over)), row.power))
    curves = tuple(Curve(name, tuple(sorted(points))) for name, points in settings.items() if len(points) > 2)
    flat = answer.solved_for != "power" and len({round(row.power, 2) for row in answer.rows}) == 1
    return (Figure(_count_title(answer) if over == "items" else over, "power", curves),) if curves and not flat else ()


def _setting(answer: Plan, row: PlanRow, over: str, varying: tuple[str, ...]) -> str:
    kind = [_population_name(row)] if "population" in varying and "population" not in row.options else []
    parts = [
        row.test,
        *kind,
        *(f"{n}={row.options[n]}" for n in sorted(OWN_COLUMNS) if row.options.get(n) is not None),
        *(f"{n}={_option_text(row.options[n])}" for n in varying if row.options.get(n) is not None),
    ]
    if over == "items" and len({r.effect for r in answer.rows}) > 1:
        parts.append(f"effect={significant(row.effect)}")
    if over == "effect" and len({r.items for r in answer.rows}) > 1:
        parts.append(f"{thousands(row.items)} {row.counts}")
    return ", ".join(parts)
