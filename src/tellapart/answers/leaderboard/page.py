"""Page of a leaderboard: standings, pairs and remarks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tellapart.answers.gate_rules import BESIDE
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.dataset_page import dataset_grids, slice_grids
from tellapart.answers.leaderboard.parts import GatedBoard, PairResult, RankedSystem
from tellapart.answers.page import BLANK, Cell, Column, Grid, Page, Row, Spans, Tone
from tellapart.answers.parts import texts
from tellapart.answers.plan.page_tables import kept, not_as_planned
from tellapart.foundation.formatting import amount, decimals_within, number, percent, pvalue, thousands

if TYPE_CHECKING:
    from tellapart.answers.arena import Arena

MOST_PAIRS = 15
"""Significant pairs printed one by one; the JSON has them all."""

MOST_CLOSE = 10
"""Pairs printed that were nearly not significant."""

MOST_LETTERS = 12
"""Letters a system may have before they are left to the JSON."""


_BESIDE_BASELINE = BESIDE | {"undetermined": "not told apart"}


def make_page(answer: Leaderboard) -> Page:
    grids = (against_baseline(answer),) if answer.baseline else (board_standings(answer), *_board_pairs(answer))
    return Page(
        headline=answer.headline,
        tone=_board_tone(answer),
        finding=_board_finding(answer),
        next_steps=() if answer.more_items is None else (answer.more_items.text,),
        grids=(*grids, *dataset_grids(answer), *slice_grids(answer)),
        facts=tuple((name, text) for name, text in _board_facts(answer) if text),
        remarks=(("Notes", texts(answer.notes)), *not_as_planned(answer.plan)),
        sentence=answer.sentence,
        signature=answer.signature,
    )


OMNIBUS = {"cochran_q": "Cochran's Q", "friedman": "Friedman"}
"""The tests of any difference, as papers call them."""


def _board_finding(answer: Leaderboard) -> str:
    """How many pairs differ, and the p-value of any difference at all."""
    if len(answer.pairs) == 1:
        return ""
    differ = f"{_board_told_apart(answer)} differ significantly ({answer.guarantee})"
    omnibus = answer.omnibus
    if omnibus is None:
        return differ
    return f"{differ}; any difference at all: {pvalue(omnibus.pvalue, answer.alpha)} ({OMNIBUS[omnibus.test]})"


def _board_tone(answer: Leaderboard) -> Tone:
    found = answer.separation
    if not found.told_apart:
        return "open"
    return "good" if answer.baseline is None and answer.family_wise and found.may_be_best == 1 else "even"


def _board_told_apart(answer: Leaderboard) -> str:
    return f"{thousands(answer.separation.told_apart)} of {amount(answer.separation.pairs, 'pair')}"


def _score_columns(answer: Leaderboard) -> tuple[Column, ...]:
    """The columns that every standing has."""
    columns = (
        Column("system", "name"),
        Column(
            (answer.measure if answer.metric == "mean" else answer.metric) + answer.printed_unit.score_heading, "number"
        ),
        Column(f"{percent(answer.interval.joint_level)} CI", "interval"),
        Column("rank", "number"),
    )
    return (*columns, Column("items", "number")) if _items_differ(answer) else columns


def _board_score_rows(answer: Leaderboard) -> list[Row]:
    """The cells of those columns for every system."""
    unit = answer.printed_unit
    bounds = [unit.printed(s.low, s.high) for s in answer.systems if s.low < s.high]
    places = max((decimals_within(low, high) for low, high in bounds), default=4)
    rows: list[Row] = [
        (
            Cell(standing.name),
            Cell(unit.bare_score(standing.mean, places), unit.printed(standing.mean)),
            Cell(unit.score_interval(standing.low, standing.high, places), unit.printed(standing.low, standing.high)),
            Cell(str(standing.rank), (standing.rank,)),
        )
        for standing in answer.systems
    ]
    if not _items_differ(answer):
        return rows
    return [(*row, Cell(thousands(s.items), (s.items,))) for row, s in zip(rows, answer.systems, strict=True)]


def _items_differ(answer: Leaderboard) -> bool:
    return len({s.items for s in answer.systems}) > 1


def board_standings(answer: Leaderboard) -> Grid:
    """Every system with the ranks it can have; who may be the best is left out where nothing holds for all together."""
    also = rank_columns(answer, family_wise=answer.family_wise)
    more = zip(*also.values(), strict=True)
    rows = tuple((*scores, *row) for scores, row in zip(_board_score_rows(answer), more, strict=True))
    return Grid((*_score_columns(answer), *also), rows, spans=_spans(answer))


def rank_columns(answer: "Leaderboard | Arena", *, family_wise: bool) -> dict[Column, list[Cell]]:
    """Ranks, ties, tiers where they never rise again from one rank to the next, and letters where they were asked for."""
    also = {Column("range", "ranks"): [_rank_cell(s) for s in answer.systems]}
    if len(answer.systems) > 2:
        also[Column("tied with", "number", minor=True)] = _tied_cells(answer)
    if answer.tiers_are_contiguous:
        also[Column("tier", "number", minor=True)] = [Cell(str(s.tier), (s.tier,)) for s in answer.systems]
    if family_wise:
        mark = "yes" if answer.separation.may_be_best == 1 else "may be"
        also[Column("best?", "words")] = [Cell(mark if s.may_be_best else "") for s in answer.systems]
    if answer.letters_asked and max(map(len, answer.letters.values())) <= MOST_LETTERS:
        also[Column("letters", "words")] = [Cell(answer.letters[s.name]) for s in answer.systems]
    return also


def _spans(answer: Leaderboard) -> Spans:
    """Every mean in its interval, behind the column of intervals."""
    unit = answer.printed_unit
    ends = tuple(unit.printed(s.low, s.mean, s.high) for s in answer.systems)
    return Spans(2, tuple((low, mean, high) for low, mean, high in ends))


def _rank_cell(standing: RankedSystem) -> Cell:
    """The ranks that are left open, from the best to the worst."""
    low, high = standing.rank_low, standing.rank_high
    return Cell(str(low) if low == high else f"{low}–{high}", (low, high))


def _tied_cells(answer: GatedBoard) -> list[Cell]:
    """How many others each system is not told apart from."""
    ties = Counter(name for pair in answer.pairs if not pair.significant for name in (pair.a, pair.b))
    return [Cell(thousands(ties[s.name]), (ties[s.name],)) for s in answer.systems]


def against_baseline(answer: Leaderboard) -> Grid:
    """Every system beside its difference from the baseline."""
    places, level = pair_places(answer, answer.pairs), answer.interval.joint_level
    differences = {pair.b: _board_difference(answer, pair, places) for pair in answer.pairs}
    also = baseline_columns(answer, differences, answer.printed_unit.heading, level)
    more = zip(*also.values(), strict=True)
    rows = tuple((*scores, *row) for scores, row in zip(_board_score_rows(answer), more, strict=True))
    return Grid((*_score_columns(answer), *also), rows, spans=_spans(answer))


def baseline_columns(
    answer: "Leaderboard | Arena", differences: Mapping[str, Sequence[Cell]], heading: str, level: float
) -> dict[Column, list[Cell]]:
    """Each system's difference from the baseline with its interval, and what is shown of it."""
    found = {
        pair.b: (
            *differences[pair.b],
            Cell(pvalue(pair.adjusted_pvalue, answer.alpha), (pair.adjusted_pvalue,)),
            Cell(_BESIDE_BASELINE[pair.verdict]),
        )
        for pair in answer.pairs
    }
    cells = [found.get(system.name, (BLANK, BLANK, BLANK, Cell("baseline"))) for system in answer.systems]
    columns = (
        Column(f"difference{heading}", "number"),
        Column(f"{percent(level)} CI of it", "interval"),
        Column("adjusted", "number"),
        Column("verdict", "words"),
    )
    return {column: [row[place] for row in cells] for place, column in enumerate(columns)}


def _board_pairs(answer: Leaderboard) -> tuple[Grid, ...]:
    """All significant pairs if they are few; else neighbours in rank, and those that were nearly not significant."""
    found = [pair for pair in answer.pairs if pair.significant]
    if not found:
        return ()
    caption = "the two differ significantly" if len(answer.pairs) == 1 else "pairs that differ significantly"
    if len(found) <= MOST_PAIRS:
        return (_pair_grid(answer, found, caption),)
    neighbours = [p for p in found if p.neighbours and p.verdict == "b better"]
    close = [p for p in found if p.close_call]
    close.sort(key=lambda pair: (-pair.adjusted_pvalue, abs(pair.effect)))
    return (
        *_first_pairs(answer, neighbours, MOST_PAIRS, "neighbours in rank that are told apart"),
        *_first_pairs(answer, close, MOST_CLOSE, f"{caption}: the closest calls"),
    )


def _first_pairs(answer: Leaderboard, pairs: list[PairResult], most: int, caption: str) -> tuple[Grid, ...]:
    shown = f", the first {most}" if len(pairs) > most else ""
    return (_pair_grid(answer, pairs[:most], caption + shown),) if pairs else ()


def _pair_columns(answer: Leaderboard) -> tuple[Column, ...]:
    return (
        Column("better > worse", "name"),
        Column(f"difference{answer.printed_unit.heading}", "number"),
        Column(f"{percent(answer.interval.joint_level)} CI", "interval"),
        Column("p-value", "number"),
        Column("adjusted", "number"),
    )


def _pair_grid(answer: Leaderboard, pairs: list[PairResult], caption: str) -> Grid:
    places = pair_places(answer, pairs)
    return Grid(_pair_columns(answer), tuple(_board_pair(answer, pair, places) for pair in pairs), caption)


def pair_places(answer: Leaderboard, pairs: Iterable[PairResult]) -> int:
    """Decimals that show the narrowest interval of a pair."""
    unit, known = answer.printed_unit, [pair for pair in pairs if pair.low < pair.high and pair.bounded]
    bounds = [unit.printed(pair.low, pair.high) for pair in known]
    return max((decimals_within(low, high) for low, high in bounds), default=4)


def _board_pair(answer: Leaderboard, pair: PairResult, places: int) -> Row:
    """The difference is always the first one's less the second's, as the pair has it."""
    sign = ">" if pair.verdict == "b better" else "<"
    return (
        Cell(f"{pair.b} {sign} {pair.a}"),
        *_board_difference(answer, pair, places),
        Cell(pvalue(pair.pvalue, answer.alpha), (pair.pvalue,)),
        Cell(pvalue(pair.adjusted_pvalue, answer.alpha), (pair.adjusted_pvalue,)),
    )


def _board_difference(answer: Leaderboard, pair: PairResult, places: int) -> Row:
    unit = answer.printed_unit
    bounds = (
        Cell(unit.bare_interval(pair.low, pair.high, places), unit.printed(pair.low, pair.high))
        if pair.bounded
        else Cell("unbounded")
    )
    return Cell(unit.bare_difference(pair.effect, places), unit.printed(pair.effect)), bounds


def _board_facts(answer: Leaderboard) -> list[tuple[str, str]]:
    clusters = "" if answer.clusters is None else f" in {thousands(answer.clusters)} clusters"
    omnibus = answer.omnibus
    related = answer.correlations
    neighbours = None if len(answer.pairs) == 1 else answer.neighbours_told_apart
    return [
        ("items", thousands(answer.items) + clusters),
        ("neighbours", "" if neighbours is None else f"{thousands(neighbours)} of {thousands(answer.separation.neighbours)} told from the next in rank"),
        ("correction", "" if len(answer.pairs) == 1 else f"{answer.correction} over {amount(answer.separation.pairs, 'pair')}, {answer.guarantee}"),
        ("test", answer.pairs[0].test if len(answer.pairs) == 1 else ""),
        ("correlations", "" if related is None else f"{number(related.low, 2)} to {number(related.high, 2)} between systems, median {number(related.median, 2)}"),
        ("any difference", "" if omnibus is None or len(answer.pairs) > 1 else f"{pvalue(omnibus.pvalue, answer.alpha)}  ({OMNIBUS[omnibus.test]})"),
        ("plan", kept(answer.plan)),
    ]  # fmt: skip
