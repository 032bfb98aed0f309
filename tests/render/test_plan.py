"""The page of a plan: columns for what differs between rows, and curves where there is a course to see."""

from dataclasses import replace

from tellapart import Plan, plan
from tellapart.answers.page import page_of
from tellapart.answers.parts import Note
from tellapart.answers.plan.page import _option_text

GAUSSIAN = "gaussian(correlation=0.5, sd=0.1, effect=0.01)"


def grid(*populations: str, items: list[int] | int = 500) -> Plan:
    return plan(list(populations), items=items)


def titles(answer: Plan) -> tuple[str, ...]:
    return page_of(answer).grids[0].titles


def test_only_what_differs_has_a_column() -> None:
    """One population at several sizes needs none; two of a kind show the option that differs; two kinds their names."""
    once = grid(GAUSSIAN)
    assert titles(once)[:2] == ("test", "items")
    spread = grid(GAUSSIAN, "gaussian(correlation=0.5, sd=0.2, effect=0.01)")
    assert titles(spread)[:4] == ("row", "test", "sd", "items")
    kinds = grid(GAUSSIAN, "paired_binary(accuracy=0.7, effect=0.01, discordance=0.1)")
    assert titles(kinds)[:3] == ("row", "test", "population")
    (table,) = page_of(kinds).grids
    assert [row[2].text for row in table.rows] == ["gaussian", "paired_binary"]
    assert [column.kind for column in table.columns][:4] == ["name", "name", "words", "number"]


def test_a_curve_takes_three_points() -> None:
    """Power over items, from left to right, with the numbers of the rows."""
    answer = grid(GAUSSIAN, items=[900, 100, 400])
    points = page_of(answer).figures[0].curves[0].points
    assert points == tuple(sorted((float(row.items), row.power) for row in answer.rows))
    assert page_of(grid(GAUSSIAN, items=[100, 900])).figures == ()


def test_a_curve_per_setting() -> None:
    """Effects at one size are an axis; effects at several sizes are told apart by their curve's name."""
    effects = [f"gaussian(correlation=0.5, sd=0.1, effect={effect})" for effect in (0.01, 0.02, 0.03)]
    (over_effect,) = page_of(grid(*effects)).figures
    assert (over_effect.horizontal, over_effect.vertical, len(over_effect.curves)) == ("effect", "power", 1)
    (over_items,) = page_of(grid(*effects, items=[100, 200, 400])).figures
    assert over_items.horizontal == "items"
    assert [curve.name for curve in over_items.curves] == [
        f"paired_t, effect={effect:.3f}" for effect in (0.01, 0.02, 0.03)
    ]


def test_curves_of_several_populations_are_told_apart() -> None:
    """By the name of each, and by what they do not share."""
    binary = "paired_binary(accuracy=0.7, effect=0.01, discordance=0.1)"
    (figure,) = page_of(grid(GAUSSIAN, binary, items=[100, 200, 400])).figures
    names = [curve.name for curve in figure.curves]
    assert names[0].startswith("paired_t, gaussian, ")
    assert names[1].startswith("mcnemar(variant=mid_p), paired_binary, accuracy=0.7, ")


def test_what_was_solved_to_a_power_is_no_curve_of_it() -> None:
    """Items for one power would be a flat line."""
    effects = [f"gaussian(correlation=0.5, sd=0.1, effect={effect})" for effect in (0.01, 0.02, 0.03)]
    assert page_of(plan(effects, power=0.8)).figures == ()
    assert len(page_of(plan(effects[0], power=[0.5, 0.8, 0.9])).figures) == 1
    assert page_of(plan(effects[0], power=[0.799, 0.8, 0.801])).figures == ()


def test_curves_over_solved_effects() -> None:
    """One per number of items, named by it."""
    (figure,) = page_of(plan("gaussian(correlation=0.5, sd=0.1)", items=[100, 2000], power=[0.5, 0.8, 0.9])).figures
    assert figure.horizontal == "effect"
    assert [curve.name for curve in figure.curves] == ["paired_t, 100 items", "paired_t, 2,000 items"]


def test_bounds_of_what_was_solved() -> None:
    """They stand beside it where they hold it, and nowhere else."""
    solved = plan(GAUSSIAN, power=0.8)
    row = solved.rows[0]
    place = titles(solved).index("items")

    def shown(low: float | None, high: float | None) -> str:
        bounded = replace(solved, rows=(replace(row, solved_low=low, solved_high=high),))
        return page_of(bounded).grids[0].rows[0][place].text

    assert shown(row.items - 10, row.items + 10.4) == f"{row.items} [{row.items - 10}, {row.items + 10}]"
    assert shown(None, None) == shown(row.items, row.items) == str(row.items)
    assert shown(row.items - 10, None) == f"{row.items} [{row.items - 10}, ∞)"
    assert shown(None, row.items + 10) == f"{row.items} (−∞, {row.items + 10}]"


def test_values_of_options() -> None:
    """As people write them: ranges with a colon, numbers without digits that say nothing, nothing for nothing."""
    assert [_option_text(value) for value in ((0.5, 1.0), 0.1 + 0.2, 12, "mmlu", None)] == [
        "0.5:1",
        "0.3",
        "12",
        "mmlu",
        "",
    ]


def test_two_axes_are_a_table_of_two_sides() -> None:
    """Items down, the other across, every power in its place, and what never changes said once."""
    populations = [f"gaussian(sd=0.12, correlation={r}, effect=0.01)" for r in (0.5, 0.8, 0.9)]
    answer = grid(*populations, items=[250, 500, 1000])
    power, *errors = page_of(answer).grids
    assert power.titles == ("items", "correlation 0.5", "correlation 0.8", "correlation 0.9")
    assert power.caption.endswith("Throughout: effect 0.01000, test paired_t, engine formula")
    found = {
        (name.values[0], float(title.split()[1])): cell.values[0]
        for name, *cells in power.rows
        for title, cell in zip(power.titles[1:], cells, strict=True)
    }
    assert found == {(row.items, row.options["correlation"]): row.power for row in answer.rows}
    assert [one.caption for one in errors] == ["type S by items and correlation", "type M by items and correlation"]  # fmt: skip


def test_what_was_solved_is_in_the_cells() -> None:
    """Items over effect and discordance; effects over items and correlation."""
    binary = [f"paired_binary(accuracy=0.7, effect={e}, discordance={d})" for e in (0.02, 0.05) for d in (0.1, 0.2)]  # fmt: skip
    answer = plan(binary, power=0.8)
    table = page_of(answer).grids[0]
    assert table.titles == ("effect", "discordance 0.1", "discordance 0.2")
    assert [cell.values[0] for row in table.rows for cell in row[1:]] == [row.items for row in answer.rows]
    effects = plan([f"gaussian(sd=0.12, correlation={r})" for r in (0.5, 0.8)], items=[250, 500], power=0.8)
    assert page_of(effects).grids[0].titles == ("items", "correlation 0.5", "correlation 0.8")


def test_what_is_no_grid_of_two_axes_has_one_row_per_study() -> None:
    """A setting that is missing, a third axis, too many columns, a note about some rows."""
    three = [f"gaussian(sd={s}, correlation={r}, effect=0.01)" for s, r in ((0.1, 0.5), (0.1, 0.8), (0.2, 0.5))]
    assert titles(grid(*three))[0] == "row"
    axes = [f"gaussian(sd={s}, correlation={r}, effect=0.01)" for s in (0.1, 0.2) for r in (0.5, 0.8)]
    assert titles(grid(*axes, items=[100, 200]))[0] == "row"
    wide = [f"gaussian(sd=0.1, correlation={r / 20}, effect={e})" for r in range(10) for e in range(1, 11)]
    assert titles(grid(*wide))[0] == "row"
    noted = replace(grid(*axes), notes=(Note("saw_tooth", {"rows": [2]}, "row 2: …"),))
    assert titles(noted)[0] == "row"


def test_a_constant_column_is_said_once() -> None:
    """From three rows on, and never the column that names the rows."""
    answer = grid(GAUSSIAN, items=[100, 200, 400])
    (table,) = page_of(answer).grids
    assert table.titles == ("row", "items", "power", "type S", "type M")
    assert table.caption == "Throughout: test paired_t, effect 0.01000, engine formula"
    assert page_of(grid(GAUSSIAN, items=[100, 200])).grids[0].caption == ""
