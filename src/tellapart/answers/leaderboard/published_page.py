"""Content of a published board: one table per dataset, the pairs behind it, and what changed since an earlier board."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tellapart.answers.arena import Arena, ArenaPair, ArenaStanding
from tellapart.answers.arena.page import arena_places, arena_standings
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.page import against_baseline, board_standings, pair_places
from tellapart.answers.leaderboard.parts import DatasetStanding, PairResult, Standing
from tellapart.answers.page import Cell, Column, Grid
from tellapart.foundation.formatting import pvalue

Board = Leaderboard | Arena
MOST_PAIRS = 125_000
"""Pairs of a table that a page carries with p-values and intervals, which 500 systems have; of more it carries the outcomes alone."""


@dataclass(frozen=True)
class BoardTable:
    """The standings over all items or within one dataset, best first.

    `pairs` has a row for each pair: the places of its systems, "+" where the second is better, "-" where it is worse and "=" where they
    are not told apart, then the difference with its interval (None where unbounded), to be printed with so many decimal `places`, and
    the p-value in words. Of more than `MOST_PAIRS` there are the `outcomes` alone, one letter per pair, row by row of the triangle.
    """

    name: str
    grid: Grid
    places: int
    pairs: tuple[tuple[int | float | str | None, ...], ...]
    outcomes: str


@dataclass(frozen=True)
class Since:
    """An earlier board: its signature, and the rank and range of every system."""

    signature: str
    ranks: Mapping[str, tuple[int, int, int]]

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Since":
        """The board of a `board.json`; a KeyError, TypeError or ValueError where it is none."""
        ranks = {str(s["name"]): (int(s["rank"]), int(s["rank_low"]), int(s["rank_high"])) for s in fields["systems"]}
        return cls(str(fields["signature"]), ranks)


def board_tables(answer: Board, since: Since | None = None) -> tuple[BoardTable, ...]:
    """All items first, then every dataset and every slice alone."""
    if isinstance(answer, Arena):
        return (_published_table(answer, "all votes", arena_standings(answer), since),)
    grid = against_baseline(answer) if answer.baseline else board_standings(answer)
    first = _published_table(answer, "all items" if answer.datasets is None else "all datasets", grid, since)
    within = () if answer.datasets is None else answer.datasets.within
    sliced = ((f"{one.column}: {one.name}", one, one.alpha) for one in answer.slices or ())
    return first, *(
        _published_part(answer, *part) for part in (*((one.name, one, answer.alpha) for one in within), *sliced)
    )


def _published_part(answer: Leaderboard, name: str, one: DatasetStanding, alpha: float) -> BoardTable:
    held = replace(answer.interval, joint_level=1.0 - alpha)
    board = replace(answer, systems=one.systems, pairs=one.pairs, alpha=alpha, interval=held, letters_asked=None)
    return _published_table(board, name, against_baseline(board) if board.baseline else board_standings(board), None)


def _published_table(answer: Board, name: str, grid: Grid, since: Since | None) -> BoardTable:
    if since is not None:
        column = Column("before", "words")
        rows = tuple((*row, _before(s, since)) for row, s in zip(grid.rows, answer.systems, strict=True))
        grid = replace(grid, columns=(*grid.columns, column), rows=rows)
    grid = _ranks_first(grid)
    if len(answer.pairs) > MOST_PAIRS:
        return BoardTable(name, grid, 0, (), _outcomes(answer))
    places = pair_places(answer, answer.pairs) if isinstance(answer, Leaderboard) else arena_places(answer)
    return BoardTable(name, grid, places, _pair_rows(answer, places), "")


def _ranks_first(grid: Grid) -> Grid:
    """The rank and its range right behind the name, where a phone shows them."""
    order = sorted(range(len(grid.columns)), key=lambda i: (i > 0, grid.columns[i].title not in {"rank", "range"}))
    return replace(
        grid,
        columns=tuple(grid.columns[i] for i in order),
        rows=tuple(tuple(row[i] for i in order) for row in grid.rows),
    )


def _before(standing: Any, since: Since) -> Cell:
    """The rank on the earlier board; up or down only where the two ranges of ranks do not meet."""
    if standing.name not in since.ranks:
        return Cell("new")
    rank, low, high = since.ranks[standing.name]
    way = "up from " if standing.rank_high < low else "down from " if standing.rank_low > high else ""
    return Cell(f"{way}{rank} ({low}–{high})" if low < high else f"{way}{rank}", (rank,))


def gone_since(answer: Board, since: Since) -> tuple[str, ...]:
    """Systems of the earlier board that this one does not have."""
    return tuple(sorted(set(since.ranks) - {s.name for s in answer.systems}))


def _pair_rows(answer: Board, places: int) -> tuple[tuple[int | float | str | None, ...], ...]:
    place = _places_of(answer)
    factor = answer.printed_unit.factor if isinstance(answer, Leaderboard) else 1.0

    def printed(value: float) -> float | None:
        return round(factor * value, places) if math.isfinite(value) else None

    return tuple(
        (
            place[one.a],
            place[one.b],
            _pair_letter(one),
            *map(printed, (one.effect, one.low, one.high)),
            _adjusted_words(one, answer.alpha),
        )
        for one in answer.pairs
    )


def _places_of(answer: Board) -> dict[str, int]:
    systems: Sequence[Standing | ArenaStanding] = answer.systems
    return {s.name: place for place, s in enumerate(systems)}


def _adjusted_words(pair: PairResult | ArenaPair, alpha: float) -> str:
    return pvalue(pair.adjusted_pvalue, alpha)


def _pair_letter(pair: PairResult | ArenaPair) -> str:
    return {"b better": "+", "a better": "-"}.get(pair.verdict, "=")


def _outcomes(answer: Board) -> str:
    """A letter for each pair of places in the order (0, 1), (0, 2), …, (1, 2), …; "." where a pair was not asked about."""
    systems = len(answer.systems)
    place = _places_of(answer)
    letters = ["."] * (systems * (systems - 1) // 2)
    for pair in answer.pairs:
        a, b = place[pair.a], place[pair.b]
        low, high = min(a, b), max(a, b)
        found = _pair_letter(pair)
        letters[low * (2 * systems - low - 1) // 2 + high - low - 1] = found if a < b else found.translate(_TURNED)
    return "".join(letters)


_TURNED = str.maketrans("+-", "-+")


def badge_words(answer: Board) -> str:
    """What a badge says: who is first, or how many are tied for it."""
    best = [s.name for s in answer.systems if s.may_be_best]
    guarantee = answer.guarantee.replace(" family-wise", "")
    if "family-wise" not in answer.guarantee or answer.baseline is not None:
        return f"{len(answer.systems)} systems, {answer.separation.told_apart} of {answer.separation.pairs} pairs told apart"
    return f"{best[0]} is first, {guarantee}" if len(best) == 1 else f"{len(best)} tied for first, {guarantee}"
