"""Page of a comparison: its effect, test and interval, with tables and remarks."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.item_notes import next_plan, seeds_fact
from tellapart.answers.comparison.judged import by_labels
from tellapart.answers.comparison.judged_page import judged_facts, judged_grids
from tellapart.answers.comparison.page_measures import measure_grids, measures_tone
from tellapart.answers.comparison.page_tables import (
    changed_grids,
    counts_grid,
    dataset_grid,
    drift,
    group_grid,
    heterogeneity,
    people_facts,
    runs_fact,
    slice_grids,
    votes_grid,
)
from tellapart.answers.comparison.sequential import look_words
from tellapart.answers.page import TYPED, Cell, Column, Grid, Page, Tone
from tellapart.answers.parts import Note, texts
from tellapart.answers.plan.page_tables import kept, not_as_planned
from tellapart.foundation.formatting import amount, number, percent, pvalue, significant, thousands

_MOODS: dict[str, Tone] = {
    "b better": "good",
    "a better": "bad",
    "equivalent": "even",
    "b not worse": "even",
    "b not better": "open",
    "undetermined": "open",
}


def make_page(answer: Comparison) -> Page:
    if answer.measures is not None:
        return Page(
            headline=answer.headline,
            tone=measures_tone(answer),
            grids=measure_grids(answer),
            facts=() if answer.plan is None else (("plan", kept(answer.plan)),),
            remarks=(("Notes", texts(answer.notes)), *not_as_planned(answer.plan)),
            sentence=answer.sentence,
            signature=answer.signature,
        )
    return Page(
        headline=answer.headline,
        tone=_MOODS[answer.verdict],
        finding=_finding_line(answer),
        next_steps=_next_steps(answer),
        grids=(
            _comparison_systems(answer),
            *(judged_grids(answer) if answer.judged else ()),
            *counts_grid(answer),
            *votes_grid(answer),
            *_tests(answer),
            *dataset_grid(answer),
            *group_grid(answer),
            *slice_grids(answer),
        ),
        facts=tuple((name, text) for name, text in _comparison_facts(answer) if text),
        remarks=(
            ("Why this test", texts(answer.reasons)),
            ("Notes", texts(_notes(answer, of_method=False))),
            *not_as_planned(answer.plan),
        ),
        sentence=answer.sentence,
        signature=answer.signature,
        folded=changed_grids(answer),
    )


METHOD_NOTES = {"pvalue_method"}
"""Notes that only say how a number was computed: they stand with the method."""


def _notes(answer: Comparison, *, of_method: bool) -> tuple[Note, ...]:
    return tuple(note for note in answer.notes if (note.code in METHOD_NOTES) == of_method)


def _finding_line(answer: Comparison) -> str:
    """The difference, its interval and p-value in one line."""
    found, unit = answer.interval, answer.unit
    difference = unit.difference(answer.effect, unit.places(found.low, found.high))
    about = "" if found.target == "mean difference" else f" for the {found.target}"
    bounds = unit.confidence_interval(found.level, found.low, found.high)
    return f"B − A = {difference}, {bounds}{about}, {pvalue(answer.pvalue, answer.alpha)}{look_words(answer)} ({answer.tested.label})"


def _next_steps(answer: Comparison) -> tuple[str, ...]:
    """What would settle an open question, or answers the one that was asked."""
    steps = tuple(filter(None, (answer.to_settle, next_plan(answer.next_plan) if answer.next_plan else "")))
    unasked = answer.verdict == "undetermined" and answer.needed is None and answer.margin is None
    if answer.judged and by_labels(answer):
        return steps
    if unasked and answer.sequential is None and answer.effect and answer.ratings is None and answer.votes is None:
        flag = f"--effect {abs(answer.effect):.2g}"
        return (*steps, f"how many items would detect a difference as large as this one: {TYPED} {flag}")
    return steps


def _comparison_systems(answer: Comparison) -> Grid:
    bounds = answer.interval
    *methods, method = (Cell(found.shown_method) for found in (answer.a.interval, answer.b.interval, bounds))
    unit = answer.unit
    places = unit.places(bounds.low, bounds.high)
    rows = [
        (
            Cell(f"{label} = {system.name}"),
            Cell(unit.bare_score(system.mean, places), unit.printed(system.mean)),
            Cell(
                unit.score_interval(system.interval.low, system.interval.high, places),
                unit.printed(system.interval.low, system.interval.high),
            ),
            own_method,
        )
        for label, system, own_method in zip("AB", (answer.a, answer.b), methods, strict=True)
    ]
    effect = (
        Cell(f"B − A{unit.heading}"),
        Cell(unit.bare_difference(answer.effect, places), unit.printed(answer.effect)),
        Cell(unit.bare_interval(bounds.low, bounds.high, places), unit.printed(bounds.low, bounds.high)),
        method,
    )
    columns = (
        Column("", "name"),
        Column((answer.measure if answer.metric == "mean" else answer.metric) + unit.score_heading, "number"),
        Column(f"{percent(bounds.level)} CI", "interval"),
        Column("method", "words"),
    )
    return Grid(columns, (*rows, effect))


def _tests(answer: Comparison) -> tuple[Grid, ...]:
    if answer.tests is None:
        return ()
    columns = (Column("test", "name"), Column("p-value", "number"), Column("statistic", "number"))
    rows = tuple(
        (
            Cell(t.label),
            Cell(pvalue(t.pvalue), (t.pvalue,)),
            Cell(significant(t.statistic, 4), (t.statistic,)),
        )
        for t in answer.tests
    )
    return (Grid(columns, rows, "every test that suits these scores"),)


def _comparison_facts(answer: Comparison) -> list[tuple[str, str]]:
    method = "; ".join([answer.tested.label, *texts(_notes(answer, of_method=True))])
    equivalence, detectable, across = (
        _comparison_equivalence(answer),
        _comparison_detectable(answer),
        answer.across_datasets,
    )
    clusters = "" if answer.clusters is None else f" in {amount(answer.clusters, 'cluster')}"
    correlation = "" if answer.correlation is None else f"r = {number(answer.correlation, 3)}"
    of = "items" if answer.votes is None else "votes"
    discordance = "" if answer.discordance is None else f"systems differ on {percent(answer.discordance, 3)} of {of}"
    sizes = ", ".join(f"{name} {significant(v, 3)}" for name, v in answer.effects.items() if v is not None)
    return [
        ("method", method),
        *(judged_facts(answer) if answer.judged else ()),
        (
            "items" if answer.votes is None or answer.ratings is not None else "votes",
            "" if answer.judged and by_labels(answer) else thousands(answer.items) + clusters,
        ),
        *(people_facts(answer) if answer.ratings is not None or answer.votes is not None else ()),
        ("correlation", correlation),
        ("discordance", discordance),
        ("datasets", "" if across is None else across.sentence),
        ("heterogeneity", "" if across is None else heterogeneity(across, answer.unit)),
        ("drift", "" if answer.drift is None else drift(answer)),
        ("detectable", detectable),
        (
            "std. error",
            "" if answer.standard_error is None else f"{answer.unit.size(answer.standard_error, 3)} of B − A",
        ),
        ("seeds", "" if answer.seeds is None else seeds_fact(answer.seeds)),
        ("runs", "" if answer.repeats is None else runs_fact(answer.repeats, answer.standard_error)),
        ("equivalence", equivalence),
        ("plan", "" if answer.plan is None else kept(answer.plan)),
        ("effect sizes", sizes),
    ]


def _comparison_detectable(answer: Comparison) -> str:
    if answer.detectable is None:
        return ""
    found = answer.detectable
    # A test of a margin finds no effect: what is detectable is so for the test of a difference inside it.
    what = "an effect" if answer.tested.claim == "difference" else "a difference"
    unit = answer.unit
    said = f"{what} of {unit.size(found.effect)} with {percent(found.power)} power"
    if found.low is None or found.high is None or found.replicates is None:
        return said
    return f"{said} ({unit.size(found.low)} to {unit.size(found.high)}: {thousands(found.replicates)} simulated evaluations)"


def _comparison_equivalence(answer: Comparison) -> str:
    if answer.equivalence is None:
        return ""
    return f"{pvalue(answer.equivalence.pvalue)} within ±{answer.unit.as_given(answer.equivalence.margin)} (two one-sided tests)"
