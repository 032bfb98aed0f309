"""The sheet of a plan, and its power curve drawn in characters."""

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
    names = [n for n in rows[0].options if len({str(row.options.get(n)) for row in rows}) > 1]
    kinds = ["population"] if len({row.population.partition("(")[0] for row in rows}) > 1 else []
    return ("test", *kinds, *names)


def _cells(answer: Plan, row: PlanRow, varying: tuple[str, ...]) -> tuple[str, ...]:
    known = {
        "test": row.test,
        "population": row.population.partition("(")[0],
        **{k: _shown(v) for k, v in row.options.items()},
    }
    stable = (
        [thousands(row.stable_from) if row.stable_from is not None else ""]
        if answer.solved_for == "items"
        else []
    )
    power = f"{row.power:.4f}"
    if row.power_high > row.power_low:
        power += f" [{row.power_low:.3f}, {row.power_high:.3f}]"
    wrong = "" if row.type_s is None else significant(row.type_s)
    return (
        *(known[name] for name in varying), thousands(row.items), *stable, significant(row.effect, 4), power,
        wrong, "" if row.type_m is None else f"{row.type_m:.2f}", row.engine,
    )  # fmt: skip


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _drawing(answer: Plan) -> str:
    """A curve for each setting that has several points: power over items or effect, or what was solved over power."""
    if len(answer.rows) < 3 or answer.solved_for != "power":
        return ""
    over = "items" if len({row.items for row in answer.rows}) > 1 else "effect"
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in answer.rows:
        curves.setdefault(_setting(answer, row, over), []).append((float(getattr(row, over)), row.power))
    drawn = [Curve(name, tuple(sorted(points))) for name, points in curves.items() if len(points) > 2]
    return draw(drawn, over) if drawn else ""


def _setting(answer: Plan, row: PlanRow, over: str) -> str:
    varying = _varying(answer.rows)
    parts = [row.test] + [f"{n}={_shown(row.options[n])}" for n in varying if n in row.options]
    if over == "items" and len({r.effect for r in answer.rows}) > 1:
        parts.append(f"effect={significant(row.effect)}")
    return ", ".join(parts)
