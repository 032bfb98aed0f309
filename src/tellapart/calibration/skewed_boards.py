"""Simulated leaderboards of equal systems whose differences are skewed, or whose clusters are uneven, judged as `rank` chooses."""

import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.calibration.boards import FLIPS, BoardLine, BoardTally, most_failures
from tellapart.calibration.difference_laws import failing, lognormal
from tellapart.calibration.measure import ALPHA, StreamBlock
from tellapart.choosing.boards import Resampled
from tellapart.decision import rejects
from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.scores import Scores
from tellapart.seeds import Generator, block_of, stream

SYSTEMS = 10
"""On each board."""

UNEVEN = (2, 30)
"""Items in the smallest and in the largest cluster."""


class EqualBoards(NamedTuple):
    """Boards of equal systems, drawn as `(system, unit)`; with `clustered` a unit is a cluster, else an item.

    `known` says why the level is not kept there.
    """

    draw: Callable[[int, int, Generator], FloatArray]
    units: tuple[int, ...]
    clustered: bool = False
    known: str = ""


def _half_failing(systems: int, items: int, rng: Generator) -> FloatArray:
    """Half of the systems are steady, the others gain a little and fail on 5 % of the items; all share how easy items are."""
    steady = systems // 2
    calm = 0.1 * rng.standard_normal((steady, items))
    risky = failing(0.05)((systems - steady, items), 0.0, rng)
    return np.asarray(np.concatenate([calm, risky]) + rng.standard_normal(items))


def _unequal_lognormal(systems: int, items: int, rng: Generator) -> FloatArray:
    """A long tail on one side for all, of unlike length."""
    return np.asarray(np.linspace(0.2, 2.0, systems)[:, np.newaxis] * lognormal((systems, items), 0.0, rng))


def _unequal_exponential(systems: int, clusters: int, rng: Generator) -> FloatArray:
    drawn = rng.standard_exponential((systems, clusters)) - 1.0
    return np.asarray(np.linspace(0.2, 2.0, systems)[:, np.newaxis] * drawn)


FEW = "so few failures as these boards show are drawn again as they are, and a system may have been spared any by luck"

BOARDS = {
    "half steady, half failing": EqualBoards(_half_failing, (60, 200), known=FEW),
    "lognormal, unequal spreads": EqualBoards(_unequal_lognormal, (100,)),
    "uneven clusters, unequal exponential": EqualBoards(_unequal_exponential, (12, 20, 40), clustered=True),
}


def skewed_lines() -> range:
    """The numbers of the lines that there are."""
    return range(len(_lines()))


def _lines() -> list[tuple[str, int]]:
    return [(truth, units) for truth, boards in BOARDS.items() for units in boards.units]


def counted_skewed(line: int, block: StreamBlock) -> tuple[int, int]:
    """Of one block of a line's boards: with a false claim, and with every true rank in its set."""
    truth, units = _lines()[line]
    rng = block_of(stream(block.seed, 7, zlib.crc32(truth.encode()), units), block.number)
    false = sum(bool(chosen_claims(*_drawn(truth, units, rng), rng).any()) for _ in range(block.size))
    # No system is ahead, so every claim is false and takes the true rank, which is 1 for all, from its set.
    return false, block.size - false


def as_skewed_line(line: int, found: BoardTally) -> BoardLine:
    truth, units = _lines()[line]
    boards = BOARDS[truth]
    named = f"{units} {truth}" if boards.clustered else truth
    items = int(_sizes(units).sum()) if boards.clustered else units
    return BoardLine(named, SYSTEMS, items, found, most_failures(found.replicates, ALPHA), boards.known)


def _sizes(units: int) -> IntArray:
    return np.asarray(np.round(np.geomspace(*UNEVEN, units)), dtype=np.int64)


def _drawn(truth: str, units: int, rng: Generator) -> tuple[FloatArray, IntArray | None]:
    """The scores of a board, `(system, item)`, and the cluster of each item."""
    values = BOARDS[truth].draw(SYSTEMS, units, rng)
    if not BOARDS[truth].clustered:
        return values, None
    codes = np.repeat(np.arange(units), _sizes(units))
    return 0.55 * values[:, codes] + 0.84 * rng.standard_normal((SYSTEMS, len(codes))), codes


def chosen_claims(values: FloatArray, codes: IntArray | None, rng: Generator) -> BoolArray:
    """Which pairs `rank` tells apart, from `(system, item)`."""
    scores = Scores.from_arrays(
        {f"{place:03d}": row for place, row in enumerate(values)},
        clusters=None if codes is None else codes.tolist(),
    )
    board = Board.of(scores, METRICS.parse("mean"))
    resampled = Resampled(FLIPS, FLIPS, (int(rng.integers(1 << 31)), ()))
    found = resampled.pvalues(board, family_of(board, *all_pairs(len(values))), "both")
    return np.asarray(rejects(found.step_down, ALPHA))
