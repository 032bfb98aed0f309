"""The sheet of a leaderboard."""

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.leaderboard import AcrossResult, Datasets, Leaderboard, Standing
from tellapart.wording import decimals_for, number, percent, pvalue, signed, significant, thousands

MOST_PAIRS = 30
"""Significant pairs printed one by one; the JSON has them all."""


def sheet(answer: Leaderboard) -> Sheet:
    return Sheet(
        headline=_headline(answer),
        mood="even",
        grids=(_standings(answer), *_pairs(answer), *_datasets(answer.datasets)),
        facts=tuple((name, text) for name, text in _facts(answer) if text),
        remarks=(("Notes", answer.notes),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _headline(answer: Leaderboard) -> str:
    best = [s.name for s in answer.systems if s.may_be_best]
    if len(best) == 1:
        return f"{best[0]} is the best of {len(answer.systems)} systems"
    shown = ", ".join(best[:6]) + (", …" if len(best) > 6 else "")
    return f"{len(best)} of {len(answer.systems)} systems may be the best: {shown}"


def _places(systems: tuple[Standing, ...]) -> int:
    widths = [s.high - s.low for s in systems if s.high > s.low]
    return decimals_for(min(widths) / 2.0) if widths else 4


def _standings(answer: Leaderboard) -> Grid:
    places = _places(answer.systems)
    level = percent(1.0 - answer.alpha)
    columns = (
        "system",
        answer.measure if answer.metric == "mean" else answer.metric,
        f"{level} CI",
        "rank",
        "ranks",
        "tier",
        "best?",
        "letters",
    )
    rows = tuple(
        (
            s.name, number(s.mean, places), f"[{number(s.low, places)}, {number(s.high, places)}]", str(s.rank),
            _ranks(s), str(s.tier), "may be" if s.may_be_best else "", answer.letters.get(s.name, ""),
        )
        for s in answer.systems
    )  # fmt: skip
    return Grid(columns, rows)


def _ranks(standing: Standing) -> str:
    low, high = standing.rank_low, standing.rank_high
    return str(low) if low == high else f"{low}–{high}"


def _pairs(answer: Leaderboard) -> tuple[Grid, ...]:
    found = [p for p in answer.pairs if p.significant]
    if not found:
        return ()
    shown = sorted(found, key=lambda p: (p.adjusted_pvalue, -abs(p.effect)))[:MOST_PAIRS]
    more = f", the {MOST_PAIRS} clearest" if len(found) > MOST_PAIRS else ""
    rows = tuple(
        (f"{p.b} − {p.a}", significant(p.effect, 3), pvalue(p.pvalue), pvalue(p.adjusted_pvalue))
        for p in shown
    )
    caption = f"{thousands(len(found))} of {thousands(len(answer.pairs))} pairs differ significantly{more}"
    return (Grid(("pair", "effect", "p-value", "adjusted"), rows, caption),)


def _datasets(found: Datasets | None) -> tuple[Grid, ...]:
    if found is None:
        return ()
    within = Grid(
        ("dataset", "items", "may be the best"),
        tuple(
            (d.name, thousands(d.items), ", ".join(s.name for s in d.systems if s.may_be_best))
            for d in found.within
        ),
        "every dataset alone",
    )
    across = Grid(
        ("pair", "equal weight", "by items", "a new dataset", "wins", "significant", "at least"),
        tuple(_across(pair) for pair in found.across[:MOST_PAIRS]),
        f"across datasets ({found.unit})",
    )
    return within, across


def _across(pair: AcrossResult) -> tuple[str, ...]:
    new = pair.new_dataset
    places = decimals_for((new.mean.high - new.mean.low) / 2.0)
    return (
        f"{pair.b} − {pair.a}",
        f"{signed(pair.equal_weight.effect, places)} ({pvalue(pair.equal_weight.adjusted_pvalue)})",
        f"{signed(pair.item_weight.effect, places)} ({pvalue(pair.item_weight.adjusted_pvalue)})",
        f"{signed(new.mean.effect, places)} [{signed(new.mean.low, places)}, {signed(new.mean.high, places)}]",
        f"{pair.wins.wins} of {pair.datasets}",
        f"{pair.significant_wins} up, {pair.significant_losses} down",
        f"{pair.wins_at_least} up, {pair.losses_at_least} down",
    )


def _facts(answer: Leaderboard) -> list[tuple[str, str]]:
    clusters = "" if answer.clusters is None else f" in {thousands(answer.clusters)} clusters"
    omnibus = answer.omnibus
    return [
        ("items", thousands(answer.items) + clusters),
        ("correction", f"{answer.correction} over {thousands(len(answer.pairs))} pairs, {percent(1.0 - answer.alpha)} family-wise"
         if answer.correction.partition("(")[0] not in {"bh", "by", "none"} else f"{answer.correction} over {thousands(len(answer.pairs))} pairs"),
        ("any difference", "" if omnibus is None else f"{pvalue(omnibus.pvalue)}  ({omnibus.test})"),
        ("more items", _more(answer)),
    ]  # fmt: skip


def _more(answer: Leaderboard) -> str:
    more = answer.more_items
    if more is None:
        return ""
    tier = "; ".join(f"a top tier of {t.systems}: {thousands(t.items)}" for t in more.top_tier)
    said = (
        f"these items separate a true gap of {significant(more.separable)} between the top two ({percent(more.power)} power); "
        f"for a gap of {significant(more.gap)} it takes {thousands(more.top_two)} items"
    )
    return f"{said}; {tier}" if tier else said
