"""Pairs of systems that are scored on different items: what each pair shares, and who is ahead on it."""

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.doors import option
from tellapart.errors import DataError, ItemMismatch
from tellapart.multiplicity.board import Board

LARGEST = 1 << 28
"""Numbers in the largest table of columns that is built: 2 GB, which most machines can hold beside the scores."""


def shared_columns(
    board: Board, a: IntArray, b: IntArray
) -> tuple[FloatArray, IntArray, IntArray, FloatArray]:
    """Columns `(column, item)`, which of them are A and B of each pair, and the effects B − A on shared items.

    A column is a system on a pattern of items that a partner of it has: few, as few patterns occur.
    """
    pattern, patterns = _patterns(board.scored)
    shared = patterns.astype(np.float64) @ patterns.T.astype(np.float64)
    common = shared[pattern[a], pattern[b]]
    _refuse_strangers(board, a, b, common)
    # One number for a system on a pattern: a column that several pairs need is made once.
    keys = np.concatenate([a * len(patterns) + pattern[b], b * len(patterns) + pattern[a]])
    known, place = np.unique(keys, return_inverse=True)
    if len(known) * board.values.shape[1] > LARGEST:
        raise DataError(
            f"{len(patterns)} different sets of items over {len(board.systems)} systems are too many to compare pairwise in memory; "
            f"pass {option('missing', 'drop')}"
        )
    columns = np.stack(
        [board.contributed(int(key // len(patterns)), patterns[key % len(patterns)]) for key in known]
    )
    first, second = place[: len(a)], place[len(a) :]
    totals = columns.sum(axis=1)
    effects = (totals[second] - totals[first]) / common
    effects[np.abs(effects) <= board.noise(a, b)] = 0.0
    return columns, first, second, effects


def leads_on_shared_items(board: Board) -> FloatArray:
    """How far the row's system is ahead of the column's on the items both have, `(system, system)`; by their means if none."""
    has = board.scored.astype(np.float64)
    common = has @ has.T
    totals = _totals(board, has)
    apart = np.divide(totals - totals.T, common, out=board.leads(), where=common > 0.0)
    return board.without_noise(apart)


def _totals(board: Board, has: FloatArray) -> FloatArray:
    """The sum of the row's scores over the items that the column's system has."""
    if board.metric.linear:
        return np.asarray(np.where(board.scored, board.centred, 0.0) @ has.T)
    count = len(board.systems)
    return np.array(
        [[board.contributed(i, board.scored[j]).sum() for j in range(count)] for i in range(count)]
    )


def _patterns(scored: BoolArray) -> tuple[IntArray, BoolArray]:
    """For each system which of the distinct sets of scored items it has."""
    known: dict[bytes, int] = {}
    codes = [known.setdefault(np.packbits(row).tobytes(), len(known)) for row in scored]
    firsts = [codes.index(code) for code in range(len(known))]
    return np.array(codes, dtype=np.int64), scored[firsts]


def _refuse_strangers(board: Board, a: IntArray, b: IntArray, common: FloatArray) -> None:
    strangers = np.flatnonzero(common < 2)
    if len(strangers):
        pair = int(strangers[0])
        names = board.systems[a[pair]], board.systems[b[pair]]
        raise ItemMismatch(
            f"systems {names[0]!r} and {names[1]!r} share {('no item', 'one item')[int(common[pair])]}; two are needed to compare them. Leave one of them "
            f"out, or pass {option('missing', 'drop')}"
        )
