"""Page of a gate: pass or fail, with one row per check."""

from tellapart.answers.comparison.judged_page import judged_facts, judged_grids
from tellapart.answers.comparison.page import METHOD_NOTES
from tellapart.answers.comparison.page_measures import measure_grids
from tellapart.answers.comparison.page_tables import changed_grids, slice_grids
from tellapart.answers.gate import Check, Gate
from tellapart.answers.gate.texts import to_settle
from tellapart.answers.page import Cell, Column, Grid, Page, Tone
from tellapart.answers.parts import Note, texts
from tellapart.answers.plan.page_tables import kept, not_as_planned
from tellapart.foundation.formatting import amount, bare_pvalue, percent, pvalue, thousands

_MOODS: dict[str, Tone] = {"pass": "good", "fail": "bad", "undetermined": "open"}


def make_page(answer: Gate) -> Page:
    if answer.comparison.decision is not None:
        notes = (*texts(answer.notes), *texts(answer.comparison.notes))
        return Page(
            headline=answer.headline,
            tone=_MOODS[answer.verdict],
            grids=measure_grids(answer.comparison),
            facts=(),
            remarks=(("Notes", notes),),
            sentence=answer.sentence,
            signature=answer.signature,
        )
    return Page(
        headline=answer.headline,
        tone=_MOODS[answer.verdict],
        finding=_gate_finding(answer),
        next_steps=to_settle(answer),
        grids=(
            _gate_check_grid(answer),
            *judged_grids(answer.comparison),
            *slice_grids(answer.comparison),
            *changed_grids(answer.comparison, ("lost",)),
        ),
        facts=tuple(_gate_facts(answer)),
        remarks=(
            *not_as_planned(answer.plan),
            ("Why this test", texts(answer.comparison.reasons)),
            ("Notes", (*texts(answer.notes), *texts(_of_comparison(answer)))),
        ),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _gate_finding(answer: Gate) -> str:
    """The difference with both bounds, and the p-value of a loss as large as the margin."""
    unit, compared = answer.comparison.unit, answer.comparison
    places = unit.places(answer.low, answer.high, -answer.margin)
    bounds = f"{percent(answer.level, 4)} bounds {unit.bare_interval(answer.low, answer.high, places)}"
    said = f"{answer.candidate} − {answer.baseline} = {unit.difference(answer.effect, places)}, {bounds}"
    if len(answer.checks) > 1:
        return f"{said} on all items; {answer.passed} of {amount(len(answer.checks), 'dataset')} pass"
    excluded = pvalue(answer.checks[0].not_worse_pvalue, answer.alpha)
    return f"{said}, {excluded} for a loss of {unit.as_given(answer.margin)} or more ({compared.tested.label})"


def _of_comparison(answer: Gate) -> tuple[Note, ...]:
    """Its notes but those about equivalence, which no gate asks for, and about its table of datasets, which no gate shows."""
    return tuple(note for note in answer.comparison.notes if note.code not in {*_NOT_OF_GATES, *METHOD_NOTES})


_NOT_OF_GATES = (
    "datasets_pooled",
    "datasets_left_out",
    "equivalence_by_interval",
    "margin_interval_disagrees",
    "other_test_at_margin",
)


def _gate_check_grid(answer: Gate) -> Grid:
    columns = (
        Column("dataset", "name"),
        Column("verdict", "words"),
        Column("items", "number"),
        Column(f"effect{answer.comparison.unit.heading}", "number"),
        Column(f"between ({percent(answer.level, 4)} each)", "interval"),
        Column("p of a smaller loss", "number"),
        Column("p two-sided", "number"),
        Column("adjusted", "number"),
    )
    rows = tuple(_gate_row(answer, check) for check in answer.checks)
    if answer.checks[0].dataset is None:
        return Grid((Column("", "name"), *columns[1:-1]), tuple(row[:-1] for row in rows))
    return Grid(columns, rows)


def _gate_row(answer: Gate, check: Check) -> tuple[Cell, ...]:
    unit = answer.comparison.unit
    places = unit.places(check.low, check.high, -answer.margin)
    return (
        Cell("all items" if check.dataset is None else check.dataset),
        Cell(check.verdict),
        Cell(thousands(check.items), (check.items,)),
        Cell(unit.bare_difference(check.effect, places), unit.printed(check.effect)),
        Cell(unit.bare_interval(check.low, check.high, places), unit.printed(check.low, check.high)),
        Cell(bare_pvalue(check.not_worse_pvalue, answer.alpha), (check.not_worse_pvalue,)),
        Cell(bare_pvalue(check.pvalue, 2.0 * answer.alpha), (check.pvalue,)),
        Cell(bare_pvalue(check.adjusted_pvalue, 2.0 * answer.alpha), (check.adjusted_pvalue,)),
    )


def _gate_facts(answer: Gate) -> list[tuple[str, str]]:
    compared = answer.comparison
    return [
        (
            "margin",
            f"{compared.unit.as_given(answer.margin)} of {answer.measure if compared.metric == 'mean' else compared.metric}"
            + (" (lower is better)" if compared.lower_is_better else ""),
        ),
        ("baseline", f"{answer.baseline}, {compared.metric} {compared.unit.level(compared.a.mean)}"),
        ("candidate", f"{answer.candidate}, {compared.metric} {compared.unit.level(compared.b.mean)}"),
        *((name, text) for name, text in judged_facts(compared) if text),
        ("test", f"{compared.tested.label}  ({pvalue(compared.pvalue, compared.alpha)})"),
        *([] if answer.plan is None else [("plan", kept(answer.plan))]),
    ]
