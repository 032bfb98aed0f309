"""Tables and facts on the page of a comparison: counts, items, datasets, groups, slices, runs, raters and votes."""

from tellapart.answers.comparison import Comparison, Repeats
from tellapart.answers.comparison.parts import (
    AcrossDatasets,
    DatasetResult,
    GroupResult,
    RatingsResult,
    SliceResult,
    VotesResult,
)
from tellapart.answers.page import BLANK, Cell, Column, Grid, Row
from tellapart.answers.parts import IntervalResult, SliceColumn, codes
from tellapart.foundation.formatting import (
    amount,
    bare_pvalue,
    confidence,
    one_line,
    percent,
    pvalue,
    signed_short,
    significant,
    thousands,
)
from tellapart.foundation.formatting.units import Unit

# The tables of a comparison beside its systems: who was right on which items, and every dataset alone.


def counts_grid(answer: Comparison) -> tuple[Grid, ...]:
    """The 2×2 table of right-or-wrong scores."""
    if answer.counts is None:
        return ()
    found, (a, b) = answer.counts, (one_line(answer.a.name), one_line(answer.b.name))
    columns = (Column("items", "name"), Column(f"{b} right", "number"), Column(f"{b} wrong", "number"))
    rows = (
        _comparison_counted(f"{a} right", found.both_right, found.only_a),
        _comparison_counted(f"{a} wrong", found.only_b, found.both_wrong),
    )
    return (Grid(columns, rows, "items by which system was right"),)


def _comparison_counted(name: str, *counts: int) -> Row:
    return (Cell(name), *(Cell(thousands(count), (count,)) for count in counts))


MOST_CHANGED = 20
"""Items won, and items lost, that a page shows."""


def changed_grids(answer: Comparison, kinds: tuple[str, ...] = ("lost", "won")) -> tuple[Grid, ...]:
    """The items lost and those won, the largest differences of each."""
    found = answer.changed
    sides = {} if found is None else {"lost": (found.lost_items, found.lost), "won": (found.won_items, found.won)}
    grids = []
    for kind in (kind for kind in kinds if kind in sides and sides[kind][0]):
        items, listed = sides[kind][0], sides[kind][1][:MOST_CHANGED]
        largest = f": the {len(listed)} largest (the JSON has all)" if items > len(listed) else ""
        texts = any(one.text for one in listed)
        columns = (
            Column("item", "name"),
            Column(answer.a.name, "number"),
            Column(answer.b.name, "number"),
            *([Column("text", "words")] if texts else []),
        )
        rows = tuple(
            (
                Cell(one.item),
                *(Cell(f"{score:.4g}".replace("-", "\N{MINUS SIGN}"), (score,)) for score in (one.a, one.b)),
                *([Cell(one.text or "")] if texts else []),
            )
            for one in listed
        )
        grids.append(
            Grid(columns, rows, f"{items:,} {'item' if items == 1 else 'items'} {kind} by {answer.b.name}{largest}")
        )
    return tuple(grids)


def dataset_grid(answer: Comparison) -> tuple[Grid, ...]:
    """Every dataset alone, with p-values as they are and corrected for the number of datasets."""
    if not answer.datasets:
        return ()
    across = answer.across_datasets
    columns = (
        Column("dataset", "name"),
        Column("items", "number"),
        Column(f"B − A{answer.unit.heading}", "number"),
        Column("CI", "interval"),
        Column("p-value", "number"),
        Column("adjusted p" if across is None else across.correction_label, "number"),
    )
    tests = {one.label for one in answer.datasets}
    steps = f"each interval is at the level of its {columns[-1].title} step"
    if len(tests) == 1:
        rows = tuple(_comparison_dataset(one, answer.alpha, answer.unit) for one in answer.datasets)
        return (Grid(columns, rows, f"every dataset alone, by {tests.pop()}; {steps}"),)
    named = tuple((*_comparison_dataset(one, answer.alpha, answer.unit), Cell(one.label)) for one in answer.datasets)
    return (Grid((*columns, Column("test", "words")), named, f"every dataset alone; {steps}"),)


def _comparison_dataset(one: DatasetResult, alpha: float, unit: Unit) -> Row:
    return (
        Cell(one_line(one.dataset)),
        Cell(thousands(one.items), (one.items,)),
        *_comparison_estimate(unit, one.effect, one.interval),
        Cell(bare_pvalue(one.pvalue, alpha), (one.pvalue,)),
        Cell(bare_pvalue(one.adjusted_pvalue, alpha), (one.adjusted_pvalue,)),
    )


def heterogeneity(across: AcrossDatasets, unit: Unit) -> str:
    found = across.heterogeneity
    return (
        f"effects vary between datasets with sd {unit.size(found.tau)} beyond chance (I² = {percent(found.i_squared, 2)}, "
        f"Q = {significant(found.q, 3)}, {pvalue(found.pvalue)})"
    )


def group_grid(answer: Comparison) -> tuple[Grid, ...]:
    """Every group alone, and its change since the first."""
    if not answer.groups:
        return ()
    level, first = confidence(answer.alpha), one_line(answer.groups[0].label)
    columns = (
        Column("group" if answer.by is None else one_line(answer.by), "name"),
        Column("items", "number"),
        Column(f"B − A{answer.unit.heading}", "number"),
        Column(f"{level} CI", "interval"),
        Column("change", "number"),
        Column(f"simultaneous {level} CI", "interval"),
        Column("adjusted p", "number"),
    )
    places = min(_comparison_places(answer.unit, one.interval) for one in answer.groups)
    rows = tuple(_group(one, answer, places) for one in answer.groups)
    return (Grid(columns, rows, f"every group alone, and its change since {first}"),)


def _group(one: GroupResult, answer: Comparison, at_least: int) -> Row:
    """A change has the decimals of the differences that it is made of, however wide its interval is."""
    unit, alpha = answer.unit, answer.alpha
    since = (
        (BLANK, BLANK)
        if one.change_interval is None
        else _comparison_estimate(unit, one.change, one.change_interval, at_least)
    )
    adjusted = one.adjusted_pvalue
    return (
        Cell(one_line(one.label)),
        Cell(thousands(one.items), (one.items,)),
        *_comparison_estimate(unit, one.effect, one.interval),
        *since,
        BLANK if adjusted is None else Cell(bare_pvalue(adjusted, alpha), (adjusted,)),
    )


def slice_grids(answer: Comparison) -> tuple[Grid, ...]:
    """The judged slices of every column, from where B loses most."""
    family = answer.slice_family
    return () if family is None else tuple(_slice_grid(answer, column) for column in family.columns)


def _slice_grid(answer: Comparison, column: SliceColumn) -> Grid:
    assert answer.slice_family is not None
    found = [one for one in answer.slices or () if one.column == column.column and one.judged]
    corrected = answer.slice_family.correction_label
    columns = (
        Column(one_line(column.column), "name"),
        Column("items", "number"),
        Column(f"B − A{answer.unit.heading}", "number"),
        Column("CI", "interval"),
        Column("p-value", "number"),
        Column(corrected, "number"),
        Column("shrunk", "number"),
        Column("− rest", "number"),
        Column("adjusted p", "number"),
        Column("test", "words"),
    )
    shrunk = any(one.shrunk is not None for one in found)
    order = "by effects shrunk towards each other" if shrunk else "by effect"
    rows = tuple(_slice_row(one, answer) for one in found)
    steps = "each interval is at the level of its correction"
    return Grid(
        columns,
        rows,
        f"slices of {one_line(column.column)}, from where B − A is lowest ({order}), and against all other items; {steps}",
    )


def _slice_row(one: SliceResult, answer: Comparison) -> Row:
    unit, alpha = answer.unit, answer.alpha
    assert one.interval is not None
    assert one.pvalue is not None
    assert one.adjusted_pvalue is not None
    places = _comparison_places(unit, one.interval)
    return (
        Cell(one_line(one.slice)),
        Cell(thousands(one.items), (one.items,)),
        *_comparison_estimate(unit, one.effect, one.interval),
        Cell(bare_pvalue(one.pvalue, alpha), (one.pvalue,)),
        Cell(bare_pvalue(one.adjusted_pvalue, alpha), (one.adjusted_pvalue,)),
        BLANK if one.shrunk is None else Cell(unit.bare_difference(one.shrunk, places + 1), unit.printed(one.shrunk)),
        *_against_rest(one, answer, places),
        Cell(one.label),
    )


def _against_rest(one: SliceResult, answer: Comparison, places: int) -> Row:
    adjusted = one.against_rest_adjusted_pvalue
    if one.against_rest is None or adjusted is None:
        return BLANK, BLANK
    told = answer.unit.bare_difference(one.against_rest, places), answer.unit.printed(one.against_rest)
    return Cell(*told), Cell(bare_pvalue(adjusted, answer.alpha), (adjusted,))


def _comparison_places(unit: Unit, bounds: IntervalResult) -> int:
    return unit.places(bounds.low, bounds.high)


def _comparison_estimate(
    unit: Unit, value: float | None, bounds: IntervalResult, at_least: int = 0
) -> tuple[Cell, Cell]:
    places = max(_comparison_places(unit, bounds), at_least)
    told = Cell(unit.bare_interval(bounds.low, bounds.high, places), unit.printed(bounds.low, bounds.high))
    values = (None,) if value is None else unit.printed(value)
    return Cell(unit.bare_difference(value, places), values), told


def drift(answer: Comparison) -> str:
    assert answer.omnibus_pvalue is not None, "groups were asked about"
    found = "shown" if answer.drift else "not shown"
    return f"{found}: {pvalue(answer.omnibus_pvalue, answer.alpha)} for no change since the first group"


def runs_fact(found: Repeats, error: float | None) -> str:
    """How much of the variance is chance between runs, and what endless runs would leave."""
    share, endless = found.runs_share, found.se_endless_runs
    low, high = found.runs_share_low, found.runs_share_high
    if found.discordance_one_run is not None:  # of right or wrong normal theory is far off
        low, high = found.runs_share_robust_low, found.runs_share_robust_high
    if share is None:
        return "one run per item: how much is chance between runs cannot be told" if _comparison_once(found) else ""
    bounds = "" if low is None or high is None else f" ({percent(low, 2).removesuffix(' %')} to {percent(high, 2)})"
    said = f"{percent(share, 2)} of the variance of B − A is runs{bounds}"
    if not endless or error is None:
        return f"{said}; items differ by no more than runs explain"
    return f"{said}; unlimited runs on these items: std. error {significant(endless, 2)} instead of {significant(error, 2)}"


def _comparison_once(found: Repeats) -> bool:
    return found.within_item_variance_a is None or found.within_item_variance_b is None


_SPREADS = {
    "rater_effect_sd": "B − A between raters",
    "item_effect_sd": "B − A between items",
    "residual_sd": "one rating",
    "rater_sd": "levels of raters",
    "item_sd": "levels of items",
    "rater_item_sd": "levels of a rater on an item",
}


def votes_grid(answer: Comparison) -> tuple[Grid, ...]:
    """How many votes each system won."""
    found = answer.votes
    if found is None:
        return ()
    columns = (
        Column("votes", "name"),
        Column(f"{one_line(answer.a.name)} won", "number"),
        Column("tied", "number"),
        Column(f"{one_line(answer.b.name)} won", "number"),
    )
    counts = tuple(Cell(thousands(n), (n,)) for n in (found.wins_a, found.ties, found.wins_b))
    return (Grid(columns, ((Cell(""), *counts),), "votes by who won"),)


def people_facts(answer: Comparison) -> list[tuple[str, str]]:
    """Who judged how much, and how they spread."""
    ratings, votes = answer.ratings, answer.votes
    unnamed = "each_vote_own_rater" in codes(answer.notes)
    return [
        ("raters", "" if ratings is None else _comparison_raters(ratings, votes, unnamed=unnamed)),
        ("spread (sd)", "" if ratings is None else _comparison_spreads(ratings, votes)),
        ("uncertainty", "" if ratings is None else _uncertainty_shares(ratings)),
        ("plain average", "" if ratings is None or votes is not None else _comparison_plain(ratings)),
        ("Davidson", "" if votes is None else _davidson(votes)),
        ("shown first", "" if votes is None else _shown_first(votes)),
        ("share as voted", "" if votes is None else _raw_share(answer, votes)),
    ]


def _comparison_raters(found: RatingsResult, votes: VotesResult | None, *, unnamed: bool) -> str:
    if votes is not None:
        return "one for each vote, as nobody says who voted" if unnamed else thousands(found.raters)
    pairs = f", {amount(found.pairs, 'pair')}" if found.pairs else ", no pairs"
    return f"{thousands(found.raters)}, with {amount(found.ratings, 'rating')}{pairs}"


def _comparison_spreads(found: RatingsResult, votes: VotesResult | None) -> str:
    named = {**_SPREADS, "residual_sd": "one vote"} if votes is not None else _SPREADS
    return ", ".join(f"{named[name]} {significant(sd, 2)}" for name, sd in found.sds.items())


def _uncertainty_shares(found: RatingsResult) -> str:
    return ", ".join(f"{percent(share, 2)} {name}" for name, share in found.shares.items())


def _comparison_plain(found: RatingsResult) -> str:
    return f"B − A {signed_short(found.plain_difference)} ignoring who rated what"


def _davidson(found: VotesResult) -> str:
    if found.log_odds is None or found.nu is None:
        return ""
    return f"log odds {signed_short(found.log_odds)}, ties ν = {significant(found.nu, 3)}"


def _shown_first(found: VotesResult) -> str:
    if found.first_wins is None or found.first_pvalue is None:
        return ""
    return f"won {thousands(found.first_wins)} decided votes, {pvalue(found.first_pvalue)}"


def _raw_share(answer: Comparison, found: VotesResult) -> str:
    """Of B, where the effect is another because it weighs both orders alike."""
    if not found.order_adjusted:
        return ""
    return f"{one_line(answer.b.name)} {percent(found.raw_share_b, 2)}, with orders weighted as often as they occur"
