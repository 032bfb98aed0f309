"""The sheet of a leaderboard."""

from tellapart.render.grid import BLANK, Cell, Column, Grid, Row
from tellapart.render.leaderboard_datasets import dataset_grids
from tellapart.render.sheet import Mood, Sheet
from tellapart.results.leaderboard import Leaderboard, PairResult, Standing
from tellapart.wording import decimals_for, interval, number, percent, pvalue, signed, significant, thousands

MOST_PAIRS = 15
"""Significant pairs printed one by one; the JSON has them all."""

MOST_CLOSE = 10
"""Pairs printed that were nearly not significant."""

CLOSE = 0.1
"""An adjusted p-value above this share of alpha is a close call."""

MOST_LETTERS = 12
"""Letters a system may have before they are left to the JSON."""

TIER_SIZES = (1, 2, 3, 5, 10, 20, 50)
"""Sizes of a top tier that the items for are printed, as many of them as there are smaller than the tier."""


def sheet(answer: Leaderboard) -> Sheet:
    grids = (_against(answer),) if answer.baseline else (_standings(answer), *_pairs(answer))
    return Sheet(
        headline=answer.headline,
        mood=_mood(answer),
        grids=(*grids, *dataset_grids(answer)),
        facts=tuple((name, text) for name, text in _facts(answer) if text),
        remarks=(("Notes", tuple(note.text for note in answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _mood(answer: Leaderboard) -> Mood:
    return "even" if any(pair.significant for pair in answer.pairs) else "open"


def _told_apart(answer: Leaderboard) -> str:
    found = sum(pair.significant for pair in answer.pairs)
    return f"{thousands(found)} of {_pairs_of(answer)}"


def _pairs_of(answer: Leaderboard) -> str:
    return "1 pair" if len(answer.pairs) == 1 else f"{thousands(len(answer.pairs))} pairs"


def _score_columns(answer: Leaderboard) -> tuple[Column, ...]:
    """The columns that every standing has."""
    columns = (
        Column("system", "name"),
        Column(answer.measure if answer.metric == "mean" else answer.metric, "number"),
        Column(f"{percent(1.0 - answer.alpha)} CI", "interval"),
        Column("rank", "number"),
    )
    return (*columns, Column("items", "number")) if _items_differ(answer) else columns


def _score_cells(answer: Leaderboard, standing: Standing) -> Row:
    places = _places(answer.systems)
    row = (
        Cell(standing.name),
        Cell(number(standing.mean, places), (standing.mean,)),
        Cell(interval(standing.low, standing.high, places), (standing.low, standing.high)),
        Cell(str(standing.rank), (standing.rank,)),
    )
    return (*row, Cell(thousands(standing.items), (standing.items,))) if _items_differ(answer) else row


def _items_differ(answer: Leaderboard) -> bool:
    return len({s.items for s in answer.systems}) > 1


def _places(systems: tuple[Standing, ...]) -> int:
    widths = [s.high - s.low for s in systems if s.high > s.low]
    return decimals_for(min(widths) / 2.0) if widths else 4


def _standings(answer: Leaderboard) -> Grid:
    """Every system with the ranks it can have; who may be the best is left out where nothing holds for all together."""
    also = {
        Column("range", "interval"): [_ranks(s) for s in answer.systems],
        Column("tier", "number"): [Cell(str(s.tier), (s.tier,)) for s in answer.systems],
    }
    if answer.family_wise:
        best = [Cell("may be" if s.may_be_best else "") for s in answer.systems]
        also[Column("best?", "words")] = best
    if max(map(len, answer.letters.values())) <= MOST_LETTERS:
        also[Column("letters", "words")] = [Cell(answer.letters[s.name]) for s in answer.systems]
    more = zip(*also.values(), strict=True)
    rows = tuple((*_score_cells(answer, s), *row) for s, row in zip(answer.systems, more, strict=True))
    return Grid((*_score_columns(answer), *also), rows)


def _ranks(standing: Standing) -> Cell:
    low, high = standing.rank_low, standing.rank_high
    return Cell(str(low), (low,)) if low == high else Cell(f"{low}–{high}", (low, high))


def _against(answer: Leaderboard) -> Grid:
    """Every system beside its difference from the baseline."""
    places = _places(answer.systems)
    differences = {
        pair.b: (
            Cell(signed(pair.effect, places), (pair.effect,)),
            Cell(pvalue(pair.adjusted_pvalue, answer.alpha), (pair.adjusted_pvalue,)),
            Cell(_verdict(answer, pair)),
        )
        for pair in answer.pairs
    }
    itself = (BLANK, BLANK, Cell("baseline"))
    rows = tuple((*_score_cells(answer, s), *differences.get(s.name, itself)) for s in answer.systems)
    also = (Column("difference", "number"), Column("adjusted", "number"), Column("verdict", "words"))
    return Grid((*_score_columns(answer), *also), rows)


def _verdict(answer: Leaderboard, pair: PairResult) -> str:
    if not pair.significant:
        return "not told apart"
    return "better" if (pair.effect > 0.0) != answer.lower_is_better else "worse"


def _pairs(answer: Leaderboard) -> tuple[Grid, ...]:
    """All significant pairs if they are few; else neighbours in rank, and those that were nearly not significant."""
    found = [pair for pair in answer.pairs if pair.significant]
    if not found:
        return ()
    caption = (
        "the two differ significantly"
        if len(answer.pairs) == 1
        else f"{_told_apart(answer)} differ significantly"
    )
    if len(found) <= MOST_PAIRS:
        return (_pair_grid(answer, found, caption),)
    names = [s.name for s in answer.systems]
    after = dict(zip(names[1:], names, strict=False))
    neighbours = [p for p in found if after.get(p.a) == p.b and _verdict(answer, p) == "better"]
    close = [p for p in found if p.adjusted_pvalue > CLOSE * answer.alpha]
    close.sort(key=lambda pair: (-pair.adjusted_pvalue, abs(pair.effect)))
    return (
        *_first_pairs(answer, neighbours, MOST_PAIRS, "neighbours in rank that are told apart"),
        *_first_pairs(answer, close, MOST_CLOSE, f"{caption}; the closest calls"),
    )


def _first_pairs(answer: Leaderboard, pairs: list[PairResult], most: int, caption: str) -> tuple[Grid, ...]:
    shown = f", the first {most}" if len(pairs) > most else ""
    return (_pair_grid(answer, pairs[:most], caption + shown),) if pairs else ()


PAIR_COLUMNS = (
    Column("better > worse", "name"),
    Column("by", "number"),
    Column("p-value", "number"),
    Column("adjusted", "number"),
)


def _pair_grid(answer: Leaderboard, pairs: list[PairResult], caption: str) -> Grid:
    return Grid(PAIR_COLUMNS, tuple(_pair(answer, pair) for pair in pairs), caption)


def _pair(answer: Leaderboard, pair: PairResult) -> Row:
    better, worse = (pair.b, pair.a) if _verdict(answer, pair) == "better" else (pair.a, pair.b)
    return (
        Cell(f"{better} > {worse}"),
        Cell(significant(abs(pair.effect), 3), (abs(pair.effect),)),
        Cell(pvalue(pair.pvalue, answer.alpha), (pair.pvalue,)),
        Cell(pvalue(pair.adjusted_pvalue, answer.alpha), (pair.adjusted_pvalue,)),
    )


def _facts(answer: Leaderboard) -> list[tuple[str, str]]:
    clusters = "" if answer.clusters is None else f" in {thousands(answer.clusters)} clusters"
    omnibus, next_ones = answer.omnibus, len(answer.systems) - 1
    neighbours = None if len(answer.pairs) == 1 else answer.neighbours_told_apart
    return [
        ("items", thousands(answer.items) + clusters),
        ("told apart", "" if len(answer.pairs) == 1 else _told_apart(answer)),
        ("neighbours", "" if neighbours is None else f"{thousands(neighbours)} of {thousands(next_ones)} told from the next in rank"),
        ("correction", f"{answer.correction} over {_pairs_of(answer)}, {answer.guarantee}"),
        ("any difference", "" if omnibus is None else f"{pvalue(omnibus.pvalue, answer.alpha)}  ({omnibus.test})"),
        ("more items", _more(answer)),
    ]  # fmt: skip


def _more(answer: Leaderboard) -> str:
    more = answer.more_items
    if more is None:
        return ""
    whom = f"{answer.baseline} and the best of the others" if answer.baseline else "the top two"
    said = (
        f"these items separate a true gap of {significant(more.separable)} between {whom} ({percent(more.power)} power); a gap of "
        f"{significant(more.gap)} takes {thousands(more.top_two)} items"
    )
    sizes = [
        f"{thousands(t.items)} for a top tier of {t.systems}"
        for t in more.top_tier
        if t.systems in TIER_SIZES
    ]
    return f"{said}; where the rest trail by it, {', '.join(sizes)}" if sizes else said
