"""Page of a comparison."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.page_tables import (
    changed_grids,
    counts_grid,
    dataset_grid,
    drift,
    group_grid,
    heterogeneity,
    people_facts,
    runs_fact,
    seeds_fact,
    votes_grid,
)
from tellapart.answers.page import Cell, Column, Grid, Page, Tone
from tellapart.answers.parts import texts
from tellapart.answers.plan.page_tables import kept, not_as_planned
from tellapart.foundation.formatting import (
    amount,
    decimals_between,
    interval,
    number,
    percent,
    pvalue,
    signed,
    signed_interval,
    significant,
    thousands,
)

_MOODS: dict[str, Tone] = {
    "b better": "good",
    "a better": "bad",
    "equivalent": "even",
    "b not worse": "even",
    "b not better": "open",
    "undetermined": "open",
}


def make_page(answer: Comparison) -> Page:
    return Page(
        headline=answer.headline,
        tone=_MOODS[answer.verdict],
        grids=(
            _comparison_systems(answer),
            *counts_grid(answer),
            *votes_grid(answer),
            *_tests(answer),
            *dataset_grid(answer),
            *group_grid(answer),
        ),
        facts=tuple((name, text) for name, text in _comparison_facts(answer) if text),
        remarks=(
            ("Why this test", texts(answer.reasons)),
            ("Notes", texts(answer.notes)),
            *(() if answer.plan is None else not_as_planned(answer.plan)),
        ),
        sentence=answer.sentence,
        signature=answer.signature,
        folded=changed_grids(answer),
    )


def _comparison_systems(answer: Comparison) -> Grid:
    bounds = answer.interval
    *methods, method = (Cell(found.shown_method) for found in (answer.a.interval, answer.b.interval, bounds))
    places = decimals_between(bounds.low, bounds.high)
    rows = [
        (
            Cell(f"{label} = {system.name}"),
            Cell(number(system.mean, places), (system.mean,)),
            Cell(
                interval(system.interval.low, system.interval.high, places),
                (system.interval.low, system.interval.high),
            ),
            own_method,
        )
        for label, system, own_method in zip("AB", (answer.a, answer.b), methods, strict=True)
    ]
    effect = (
        Cell("B − A"),
        Cell(signed(answer.effect, places), (answer.effect,)),
        Cell(signed_interval(bounds.low, bounds.high, places), (bounds.low, bounds.high)),
        method,
    )
    columns = (
        Column("", "name"),
        Column(answer.measure if answer.metric == "mean" else answer.metric, "number"),
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
    equivalence, detectable, across = (
        _comparison_equivalence(answer),
        _comparison_detectable(answer),
        answer.across_datasets,
    )
    clusters = "" if answer.clusters is None else f" in {amount(answer.clusters, 'cluster')}"
    correlation = "" if answer.correlation is None else f"r = {number(answer.correlation, 3)}"
    of = "items" if answer.votes is None else "votes"
    discordance = (
        "" if answer.discordance is None else f"systems differ on {percent(answer.discordance, 3)} of {of}"
    )
    sizes = ", ".join(f"{name} {significant(v, 3)}" for name, v in answer.effects.items() if v is not None)
    return [
        ("p-value", f"{pvalue(answer.pvalue, answer.alpha)}  ({answer.tested.label})"),
        (
            "items" if answer.votes is None or answer.ratings is not None else "votes",
            thousands(answer.items) + clusters,
        ),
        *(people_facts(answer) if answer.ratings is not None or answer.votes is not None else ()),
        ("correlation", correlation),
        ("discordance", discordance),
        ("datasets", "" if across is None else across.sentence),
        ("heterogeneity", "" if across is None else heterogeneity(across)),
        ("drift", "" if answer.drift is None else drift(answer)),
        ("detectable", detectable),
        (
            "std. error",
            "" if answer.standard_error is None else f"{significant(answer.standard_error, 3)} of B − A",
        ),
        ("seeds", "" if answer.seeds is None else seeds_fact(answer.seeds)),
        ("runs", "" if answer.repeats is None else runs_fact(answer.repeats, answer.standard_error)),
        ("equivalence", equivalence),
        ("to settle it" if answer.needed is None or answer.left_open else "as asked", answer.to_settle),
        ("plan", "" if answer.plan is None else kept(answer.plan)),
        ("effect sizes", sizes),
    ]


def _comparison_detectable(answer: Comparison) -> str:
    if answer.detectable is None:
        return ""
    found = answer.detectable
    # A test of a margin finds no effect: what is detectable is so for the test of a difference inside it.
    what = "an effect" if answer.tested.claim == "difference" else "a difference"
    said = f"{what} of {significant(found.effect)} with {percent(found.power)} power"
    if found.low is None or found.high is None or found.replicates is None:
        return said
    return f"{said} ({significant(found.low)} to {significant(found.high)}: {thousands(found.replicates)} simulated evaluations)"


def _comparison_equivalence(answer: Comparison) -> str:
    if answer.equivalence is None:
        return ""
    return f"{pvalue(answer.equivalence.pvalue)} within ±{answer.equivalence.margin:g} (two one-sided tests)"
