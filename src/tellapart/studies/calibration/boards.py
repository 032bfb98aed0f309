"""Calibration on leaderboards simulated with a known truth: false claims and coverage of rank sets."""

import itertools
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.boards.board import Board
from tellapart.boards.family import Family, all_pairs, family_of
from tellapart.boards.joint_flips import joint_flips
from tellapart.boards.joint_pvalues import joint_pvalues
from tellapart.boards.standings import rank_sets, ranks
from tellapart.choosing.boards import Resampled
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import Generator, block_of, stream
from tellapart.metrics import METRICS
from tellapart.numerics.moments import cluster_sums
from tellapart.populations.many_systems import ManySystems
from tellapart.studies.calibration.difference_laws import failing, lognormal
from tellapart.studies.calibration.measure import ALPHA, StreamBlock

OFTEN = 1000
"""Leaderboards per line at scale 1."""

FLIPS = 999
"""Enough for a p-value of 0.05 to be counted: fifty of them."""


class BoardTally(NamedTuple):
    """Counts over simulated leaderboards: those with a false claim, and those with every true rank in its set."""

    replicates: int
    false_claims: int
    covered: int


class BoardLine(NamedTuple):
    """A line of the calibration table; `allowed` is the most failures that a true rate of alpha gives in 99.9 % of tables.

    `known` says why what is promised is not kept there, and `chosen` whether `rank` judges such boards so by itself.
    """

    truth: str
    systems: int
    items: int
    tally: BoardTally
    allowed: int
    known: str = ""
    chosen: bool = True

    @property
    def holds(self) -> bool:
        """Whether neither false claims nor missed ranks are more than chance allows."""
        missed = self.tally.replicates - self.tally.covered
        return max(self.tally.false_claims, missed) <= self.allowed


def board_populations(systems: int) -> dict[str, ManySystems]:
    """Where the guarantees must hold: full and partial nulls, ties, unequal variances, clusters, right or wrong."""
    half = systems // 2
    level = (0.0,) * systems
    return {
        "all equal": ManySystems(level),
        "two tied groups": ManySystems((0.0,) * half + (0.8,) * (systems - half)),
        "one far ahead": ManySystems((*level[1:], 3.0)),
        "one slightly ahead": ManySystems((*level[1:], 0.3)),
        "a ladder of tied pairs": ManySystems(tuple(0.3 * (i // 2) for i in range(systems))),
        "unequal variances": ManySystems(level, tuple(0.1 + 0.5 * i for i in range(systems)), correlation=0.2),
        "clusters of five": ManySystems(level, cluster_size=5),
        "right or wrong": ManySystems((0.7,) * half + (0.9,) * (systems - half), binary=True),
    }


def board_lines(systems: Sequence[int]) -> range:
    """Line numbers of the boards with these numbers of systems."""
    return range(len(_pair_lines(systems)))


def _pair_lines(systems: Sequence[int]) -> list[tuple[int, int, str]]:
    return list(itertools.product(systems, (20, 50, 200), board_populations(2)))


def board_name(line: int, systems: Sequence[int]) -> str:
    """A line by what its boards are like."""
    many, items, name = _pair_lines(systems)[line]
    return f"{name}, {many} systems, {items} items"


def as_line(line: int, systems: Sequence[int], found: BoardTally, alpha: float) -> BoardLine:
    many, items, name = _pair_lines(systems)[line]
    return BoardLine(name, many, items, found, most_failures(found.replicates, alpha))


def counted_boards(line: int, systems: Sequence[int], block: StreamBlock, alpha: float) -> tuple[int, int]:
    """Of one block of a line's boards: with a false claim, and with every true rank in its set."""
    many, items, name = _pair_lines(systems)[line]
    rng = block_of(stream(1000 * block.seed + line), block.number)
    found = tally(board_populations(many)[name], items, block.size, alpha, rng)
    return found.false_claims, found.covered


def most_failures(replicates: int, alpha: float) -> int:
    """The most that a true rate of alpha gives in 99.9 % of tables."""
    return int(np.searchsorted(special.bdtr(np.arange(replicates + 1), replicates, alpha), 0.999))


def tally(population: ManySystems, items: int, replicates: int, alpha: float, rng: Generator) -> BoardTally:
    """How the step-down max-T fares on leaderboards drawn from this population."""
    means = np.array(population.means)
    wrong = means[:, np.newaxis] <= means
    true_ranks = ranks(means)
    false_claims = covered = 0
    for _ in range(replicates):
        better = claims(population.draw(items, rng), population.clusters(items), alpha, rng)
        low, high = rank_sets(better)
        false_claims += bool((better & wrong).any())
        covered += bool(((low <= true_ranks) & (true_ranks <= high)).all())
    return BoardTally(replicates, false_claims, covered)


def claims(values: FloatArray, clusters: IntArray | None, alpha: float, rng: Generator) -> BoolArray:
    """Which systems are significantly better than which, from `(system, item)`, by the step-down max-T."""
    columns = values if clusters is None else cluster_sums(values, clusters)
    a, b = all_pairs(len(values))
    means = values.mean(axis=1)
    found = np.zeros((len(values), len(values)), dtype=np.bool_)
    flips = joint_flips(Family(columns, a, b, means[b] - means[a]), FLIPS, rng)
    found[a, b] = rejects(joint_pvalues(flips).step_down, alpha)
    found |= found.T
    return np.asarray(found & (means[:, np.newaxis] > means))


# Simulated leaderboards of equal systems whose differences are skewed, or whose clusters are uneven, judged
# as `rank` chooses.

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
    return range(len(_skewed_lines()))


def _skewed_lines() -> list[tuple[str, int]]:
    return [(truth, units) for truth, boards in BOARDS.items() for units in boards.units]


def counted_skewed(line: int, block: StreamBlock) -> tuple[int, int]:
    """Of one block of a line's boards: with a false claim, and with every true rank in its set."""
    truth, units = _skewed_lines()[line]
    rng = block_of(stream(block.seed, 7, zlib.crc32(truth.encode()), units), block.number)
    false = sum(bool(chosen_claims(*_board_scores(truth, units, rng), rng).any()) for _ in range(block.size))
    # No system is ahead, so every claim is false and takes the true rank, which is 1 for all, from its set.
    return false, block.size - false


def as_skewed_line(line: int, found: BoardTally) -> BoardLine:
    truth, units = _skewed_lines()[line]
    boards = BOARDS[truth]
    named = f"{units} {truth}" if boards.clustered else truth
    items = int(_uneven_sizes(units).sum()) if boards.clustered else units
    return BoardLine(named, SYSTEMS, items, found, most_failures(found.replicates, ALPHA), boards.known)


def _uneven_sizes(units: int) -> IntArray:
    return np.asarray(np.round(np.geomspace(*UNEVEN, units)), dtype=np.int64)


def _board_scores(truth: str, units: int, rng: Generator) -> tuple[FloatArray, IntArray | None]:
    """The scores of a board, `(system, item)`, and the cluster of each item."""
    values = BOARDS[truth].draw(SYSTEMS, units, rng)
    if not BOARDS[truth].clustered:
        return values, None
    codes = np.repeat(np.arange(units), _uneven_sizes(units))
    return 0.55 * values[:, codes] + 0.84 * rng.standard_normal((SYSTEMS, len(codes))), codes


def chosen_claims(values: FloatArray, codes: IntArray | None, rng: Generator) -> BoolArray:
    """Which pairs `rank` tells apart, from `(system, item)`."""
    scores = Scores.from_arrays(
        {f"{place:03d}": row for place, row in enumerate(values)}, clusters=None if codes is None else codes.tolist()
    )
    board = Board.of(scores, METRICS.parse("mean"))
    resampled = Resampled(FLIPS, FLIPS, (int(rng.integers(1 << 31)), ()))
    found = resampled.pvalues(board, family_of(board, *all_pairs(len(values))), "both")
    return np.asarray(rejects(found.step_down, ALPHA))
