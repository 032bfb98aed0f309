"""Tables of a comparison by several measures: the measures, the rules, and how the measures go together."""

from collections.abc import Iterator
from dataclasses import replace

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.measures import with_margin
from tellapart.answers.comparison.page_tables import slice_grids
from tellapart.answers.comparison.parts import MeasureResult, MeasureRule
from tellapart.answers.page import BLANK, Cell, Column, Grid, Row, Tone
from tellapart.foundation.formatting import bare_pvalue, one_line, percent, significant
from tellapart.foundation.formatting.units import RAW


def measures_tone(answer: Comparison) -> Tone:
    if answer.decision is not None:
        tones: dict[str, Tone] = {"pass": "good", "fail": "bad", "undetermined": "open"}
        return tones[answer.decision.verdict]
    found = {one.verdict for one in answer.measures or ()}
    return "good" if "a better" not in found and "b better" in found else "bad" if found == {"a better"} else "open"


def measure_grids(answer: Comparison) -> tuple[Grid, ...]:
    """All measures; the rules with what is shown of each; the slices of each measure; how the measures go together."""
    return (_measure_grid(answer), *_rule_grid(answer), *_measure_slices(answer), *_correlation_grid(answer))


def _measure_slices(answer: Comparison) -> Iterator[Grid]:
    """The slices of every measure, in its own units."""
    for one in answer.measures or ():
        own = tuple(part for part in answer.slices or () if part.measure == one.measure)
        for grid in slice_grids(replace(answer, slices=own, counts=None)):
            yield replace(grid, caption=f"{one_line(one.measure)}: {grid.caption}")


def _measure_grid(answer: Comparison) -> Grid:
    held = "Holm" if answer.decision is None else "margin"
    columns = (
        Column("measure", "name"),
        Column("better", "words"),
        Column("items", "number"),
        Column(f"A = {answer.a.name}", "number"),
        Column(f"B = {answer.b.name}", "number"),
        Column("B − A", "number"),
        Column("CI", "interval"),
        Column("p-value", "number"),
        Column(held, "number"),
        Column("test", "words"),
    )
    return Grid(columns, tuple(_measure_row(one, answer) for one in answer.measures or ()))


def _measure_row(one: MeasureResult, answer: Comparison) -> Row:
    found = one.interval
    places = RAW.places(found.low, found.high)
    margins = {rule.measure: rule.margin for rule in (answer.decision.rules if answer.decision else ()) if rule.margin}
    held = (
        Cell(margins.get(one.measure) or "")
        if one.adjusted_pvalue is None
        else Cell(bare_pvalue(one.adjusted_pvalue, answer.alpha), (one.adjusted_pvalue,))
    )
    return (
        Cell(one_line(one.measure)),
        Cell("lower" if one.lower_is_better else "higher"),
        Cell(str(one.items), (one.items,)),
        Cell(RAW.bare_score(one.mean_a, places), (one.mean_a,)),
        Cell(RAW.bare_score(one.mean_b, places), (one.mean_b,)),
        Cell(RAW.bare_difference(one.effect, places), (one.effect,)),
        Cell(RAW.bare_interval(found.low, found.high, places), (found.low, found.high)),
        Cell(bare_pvalue(one.pvalue, answer.alpha), (one.pvalue,)),
        held,
        Cell(one.label),
    )


def _rule_grid(answer: Comparison) -> tuple[Grid, ...]:
    decision = answer.decision
    if decision is None:
        return ()
    ratios = {one.measure: one for one in answer.measures or () if one.ratio_interval is not None}
    columns = (
        Column("rule", "name"),
        Column("p-value", "number"),
        *((Column("Holm", "number"),) if decision.any_better else ()),
        Column("shown", "words"),
        *((Column("B / A", "interval"),) if ratios else ()),
    )
    rows = tuple(
        (
            Cell(
                f"better on {one_line(rule.measure)}" if rule.rule == "better" else f"not worse on {with_margin(rule)}"
            ),
            Cell(bare_pvalue(rule.pvalue or 0.0, decision.alpha), (rule.pvalue,)),
            *((_rule_adjusted(rule, decision.alpha),) if decision.any_better else ()),
            Cell("yes" if rule.shown else "refuted" if rule.verdict == "fail" else "no"),
            *((_ratio(rule, ratios.get(rule.measure)),) if ratios else ()),
        )
        for rule in decision.rules
    )
    level = percent(decision.level, 4)
    return (Grid(columns, rows, f"what must be shown{f'; bounds of ratios at {level} each' if ratios else ''}"),)


def _rule_adjusted(rule: MeasureRule, alpha: float) -> Cell:
    least = rule.adjusted_pvalue
    return BLANK if least is None else Cell(bare_pvalue(least, alpha), (least,))


def _ratio(rule: MeasureRule, one: MeasureResult | None) -> Cell:
    if rule.rule != "not-worse" or one is None or one.ratio_interval is None:
        return BLANK
    bounds = one.ratio_interval
    return Cell(
        f"{significant(one.ratio or 0.0, 4)} [{significant(bounds.low, 4)}, {significant(bounds.high, 4)}]",
        (bounds.low, bounds.high),
    )


def _correlation_grid(answer: Comparison) -> tuple[Grid, ...]:
    found = answer.measure_correlations or ()
    if not found:
        return ()
    columns = (
        Column("differences of", "name"),
        Column("and of", "words"),
        Column("items", "number"),
        Column("r", "number"),
    )
    rows = tuple(
        (
            Cell(one_line(one.measure)),
            Cell(one_line(one.other)),
            Cell(str(one.items), (one.items,)),
            BLANK if one.correlation is None else Cell(significant(one.correlation, 2), (one.correlation,)),
        )
        for one in found
    )
    return (Grid(columns, rows, "how the differences go together over items"),)
