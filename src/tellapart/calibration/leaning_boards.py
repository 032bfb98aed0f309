"""Simulated leaderboards that the default must be careful with: differences that lean to one side, and uneven clusters."""

import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.calibration.boards import FLIPS, BoardLine, BoardTally, most_failures
from tellapart.calibration.difference_laws import failing, lognormal, rarely_failing
from tellapart.calibration.measure import StreamBlock
from tellapart.calibration.scenario import Draw
from tellapart.decision import rejects
from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.judging import Judging
from tellapart.scores import Scores
from tellapart.seeds import Generator, block_of, stream

SYSTEMS = 10
"""On each board."""

SMOOTH = 0.1
"""How much a system that does not fail varies by itself, in standard deviations of one that does."""

UNEVEN = (2, 30)
"""Items in the smallest and in the largest cluster."""


class EqualBoards(NamedTuple):
    """Boards of equal systems, drawn as `(system, unit)`; with `clustered` a unit is a cluster, else an item.

    `known` says why sign flips and draws together do not keep their level there, `often` how many boards a line has at scale 1.
    """

    draw: Callable[[int, int, Generator], FloatArray]
    units: tuple[int, ...]
    clustered: bool = False
    known: str = ""
    often: int = 1000


def _risky(share: float, failing: Draw = rarely_failing) -> Callable[[int, int, Generator], FloatArray]:
    """A share of the systems gains a little and fails rarely, the others are steady; all share how easy items are."""

    def draw(systems: int, items: int, rng: Generator) -> FloatArray:
        risky = max(1, round(share * systems))
        steady = SMOOTH * rng.standard_normal((systems - risky, items))
        values = np.concatenate([steady, failing((risky, items), 0.0, rng)])
        return np.asarray(values + rng.standard_normal(items))

    return draw


def _unequal_lognormal(systems: int, items: int, rng: Generator) -> FloatArray:
    """A long tail on one side for all, of unlike length."""
    return np.asarray(np.linspace(0.2, 2.0, systems)[:, np.newaxis] * lognormal((systems, items), 0.0, rng))


def _at_the_ceiling(systems: int, items: int, rng: Generator) -> FloatArray:
    """Ratings up to 5 with a mean of 4.6: half of the systems give 4 or 5, the others 5 and now and then 1."""
    steady = systems // 2
    four = np.where(rng.random((steady, items)) < 0.4, 4.0, 5.0)
    one = np.where(rng.random((systems - steady, items)) < 0.1, 1.0, 5.0)
    return np.concatenate([four, one])


def _exponential(systems: int, clusters: int, rng: Generator) -> FloatArray:
    return np.asarray(rng.standard_exponential((systems, clusters)) - 1.0)


def _unequal_exponential(systems: int, clusters: int, rng: Generator) -> FloatArray:
    """A long tail on one side for all, of unlike length: differences of any two lean."""
    return np.linspace(0.2, 2.0, systems)[:, np.newaxis] * _exponential(systems, clusters, rng)


BOARDS = {
    "robust against risky": EqualBoards(_risky(0.5), (60, 100, 200)),
    "one risky": EqualBoards(_risky(0.0), (100,)),
    "all but one risky": EqualBoards(_risky(0.9), (100,)),
    "robust against risky, 3 % failures": EqualBoards(_risky(0.5, failing(0.03)), (100,)),
    "robust against risky, 1.5 % failures": EqualBoards(_risky(0.5, failing(0.015)), (200,)),
    "all but one risky, 4 % failures": EqualBoards(_risky(0.9, failing(0.04)), (100,)),
    "two risky, 3 % failures": EqualBoards(_risky(0.2, failing(0.03)), (100,)),
    "one risky, 3 % failures": EqualBoards(_risky(0.0, failing(0.03)), (100,)),
    "lognormal, unequal spreads": EqualBoards(_unequal_lognormal, (100,)),
    "ratings at the ceiling": EqualBoards(_at_the_ceiling, (100,)),
    "uneven clusters, exponential": EqualBoards(_exponential, (8, 12, 15), clustered=True, often=300),
    "uneven clusters, unequal exponential": EqualBoards(
        _unequal_exponential, (8, 12, 20, 40), clustered=True
    ),
}


def leaning_lines() -> range:
    """The numbers of the lines that there are."""
    return range(len(_lines()))


def _lines() -> list[tuple[str, int]]:
    return [(truth, units) for truth, boards in BOARDS.items() for units in boards.units]


def often(line: int) -> int:
    """Leaderboards of a line at scale 1."""
    truth, _ = _lines()[line]
    return BOARDS[truth].often


def counted_leaning(
    line: int, block: StreamBlock, *, systems: int = SYSTEMS, alpha: float
) -> tuple[int, int]:
    """Of one block of a line's boards: with a false claim, and with every true rank in its set."""
    truth, units = _lines()[line]
    rng = block_of(stream(block.seed, 7, zlib.crc32(truth.encode()), units), block.number)
    false = sum(_claims_any(BOARDS[truth], systems, units, alpha, rng) for _ in range(block.size))
    # No system is ahead, so every claim is false and takes the true rank, which is 1 for all, from its set.
    return false, block.size - false


def as_leaning_line(line: int, found: BoardTally, *, systems: int = SYSTEMS, alpha: float) -> BoardLine:
    truth, units = _lines()[line]
    boards = BOARDS[truth]
    return BoardLine(
        _named(truth, boards, units),
        systems,
        _items(boards, units),
        found,
        most_failures(found.replicates, alpha),
        boards.known,
    )


def _named(truth: str, boards: EqualBoards, units: int) -> str:
    return f"{units} {truth}" if boards.clustered else truth


def _sizes(units: int) -> IntArray:
    return np.asarray(np.round(np.geomspace(*UNEVEN, units)), dtype=np.int64)


def _items(boards: EqualBoards, units: int) -> int:
    return int(_sizes(units).sum()) if boards.clustered else units


def _claims_any(boards: EqualBoards, systems: int, units: int, alpha: float, rng: Generator) -> bool:
    values, codes = boards.draw(systems, units, rng), None
    if boards.clustered:
        codes = np.repeat(np.arange(units), _sizes(units))
        values = 0.55 * values[:, codes] + 0.84 * rng.standard_normal((systems, len(codes)))
    return bool(chosen_claims(values, codes, alpha, int(rng.integers(1 << 31))).any())


def chosen_claims(values: FloatArray, codes: IntArray | None, alpha: float, seed: int) -> BoolArray:
    """Which pairs `rank` tells apart, from `(system, item)`, when it chooses how to judge them."""
    scores = Scores.from_arrays(
        {f"{place:03d}": row for place, row in enumerate(values)},
        clusters=None if codes is None else codes.tolist(),
    )
    board = Board.of(scores, METRICS.parse("mean"))
    judging = Judging(board, family_of(board, *all_pairs(len(values))), alpha, FLIPS, (seed, ()))
    judge = judging.chosen()
    return np.asarray(rejects(judge.adjust(judging.joint(judge)), alpha))
