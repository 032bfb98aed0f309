"""The sheet of a plan, and its power curve drawn in characters."""

from collections.abc import Callable

from tellapart.render.curve import Curve, draw
from tellapart.render.sheet import Grid, Sheet
from tellapart.results.plan import Plan, PlanRow
from tellapart.wording import percent, significant, thousands


def sheet(answer: Plan) -> Sheet:
    return Sheet(
        headline=_headline(answer),
        mood="even",
        grids=(_grid(answer),),
        facts=(),
        remarks=(("Notes", answer.notes),),
        sentence=answer.sentence,
        signature=answer.signature,
        drawing=_drawing(answer),
    )


def _headline(answer: Plan) -> str:
    row, more = answer.rows[0], len(answer.rows) > 1
    if answer.solved_for == "items":
        return "items needed" if more else f"{thousands(row.items)} items needed"
    if answer.solved_for == "effect":
        return (
            "smallest detectable effects"
            if more
            else f"smallest detectable effect: {significant(row.effect, 3)}"
        )
    return "power" if more else f"power: {percent(round(row.power, 4))}"


def _grid(answer: Plan) -> Grid:
    varying = _varying(answer.rows)
    columns = (
        *varying,
        "items",
        *(["stable from"] if answer.solved_for == "items" else []),
        "effect",
        "power",
        "type S",
        "type M",
        "engine",
    )
    return Grid(columns, tuple(_cells(answer, row, varying) for row in answer.rows))


def _varying(rows: tuple[PlanRow, ...]) -> tuple[str, ...]:
    """The assumptions that differ between rows, and the test always: what a reader needs to tell rows apart."""
    names = dict.fromkeys(name for row in rows for name in row.options)
    differing = [n for n in names if len({str(row.options.get(n)) for row in rows}) > 1]
    kinds = ["population"] if len({_kind(row) for row in rows}) > 1 else []
    return ("test", *kinds, *(name for name in differing if name not in kinds))


def _kind(row: PlanRow) -> str:
    return row.population.partition("(")[0]


def _cells(answer: Plan, row: PlanRow, varying: tuple[str, ...]) -> tuple[str, ...]:
    known = {"population": _kind(row), **{k: _shown(v) for k, v in row.options.items()}, "test": row.test}
    items, effect = thousands(row.items), significant(row.effect, 4)
    if answer.solved_for == "items":
        items += _bounds(row, row.items, lambda x: thousands(round(x)))
    if answer.solved_for == "effect":
        effect += _bounds(row, row.effect, lambda x: significant(x, 3))
    stable = [thousands(row.stable_from or row.items)] if answer.solved_for == "items" else []
    power = f"{row.power:.4f}"
    if row.power_high > row.power_low:
        power += f" [{row.power_low:.3f}, {row.power_high:.3f}]"
    wrong = "" if row.type_s is None else significant(row.type_s)
    return (
        *(known.get(name, "") for name in varying), items, *stable, effect, power,
        wrong, "" if row.type_m is None else f"{row.type_m:.2f}", row.engine,
    )  # fmt: skip


def _bounds(row: PlanRow, solved: float, shown: Callable[[float], str]) -> str:
    """The interval of what was solved, where it has one."""
    low, high = row.solved_low, row.solved_high
    return "" if low is None or high is None or not low < solved < high else f" [{shown(low)}, {shown(high)}]"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ":".join(map(_shown, value))
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _drawing(answer: Plan) -> str:
    """Power over items or effect, given or solved, a curve for each setting that has three points or more."""
    several = len({row.items for row in answer.rows}) > 1
    over = "items" if several and answer.solved_for != "effect" else "effect"
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in answer.rows:
        curves.setdefault(_setting(answer, row, over), []).append((float(getattr(row, over)), row.power))
    drawn = [Curve(name, tuple(sorted(points))) for name, points in curves.items() if len(points) > 2]
    flat = answer.solved_for != "power" and len({round(row.power, 2) for row in answer.rows}) == 1
    return draw(drawn, over) if drawn and not flat else ""


def _setting(answer: Plan, row: PlanRow, over: str) -> str:
    varying = _varying(answer.rows)
    kind = [_kind(row)] if "population" in varying and "population" not in row.options else []
    parts = [
        row.test,
        *kind,
        *(f"{n}={_shown(row.options[n])}" for n in varying if row.options.get(n) is not None),
    ]
    if over == "items" and len({r.effect for r in answer.rows}) > 1:
        parts.append(f"effect={significant(row.effect)}")
    if over == "effect" and len({r.items for r in answer.rows}) > 1:
        parts.append(f"{thousands(row.items)} items")
    return ", ".join(parts)
