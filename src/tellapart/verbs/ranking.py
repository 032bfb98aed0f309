"""The numbers behind a leaderboard: each computed once, from one board."""

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.errors import TooFew, Unsuitable, UsageError
from tellapart.intervals import INTERVALS
from tellapart.multiplicity import Correction, Evidence, weigh
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family, against_one, all_pairs, family_of
from tellapart.multiplicity.item_bootstrap import ItemBootstrap, item_bootstrap
from tellapart.multiplicity.letters import compact_letters
from tellapart.multiplicity.omnibus import cochran_q, friedman
from tellapart.multiplicity.rank_sets import rank_sets, tiers
from tellapart.multiplicity.sharing import leads
from tellapart.multiplicity.sign_flips import sign_flips
from tellapart.multiplicity.simultaneous import simultaneous_level
from tellapart.multiplicity.skewness import leaning_error
from tellapart.results.leaderboard import OmnibusResult, PairResult, Standing
from tellapart.seeds import Generator, stream
from tellapart.summaries import Differences, Proportion

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 10_000_000
"""As few and as many as may be asked for: more would take hours, and say no more."""

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""As many as are drawn unless asked otherwise, and where alpha needs more: beyond these it is told to be out of reach."""


@dataclass(frozen=True)
class Question:
    """How a leaderboard is judged."""

    alpha: float
    correction: Correction
    baseline: str | None
    lower_is_better: bool
    resamples: int | None
    seed: int
    gap: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 0.5:
            raise UsageError(f"alpha is {self.alpha:g}; it should lie between 0 and 0.5, usually 0.05")
        if self.resamples is not None and not (
            isinstance(self.resamples, Integral) and FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES
        ):
            raise UsageError(
                f"resamples is {self.resamples}; it should be a whole number of at least {FEWEST_RESAMPLES} and at most "
                f"{MOST_RESAMPLES}, usually 10000"
            )
        if not (isinstance(self.seed, Integral) and self.seed >= 0):
            raise UsageError(f"seed is {self.seed}; it should be 0 or more, without a fraction")
        if self.gap is not None and not 0.0 < self.gap < float("inf"):
            raise UsageError(
                f"gap is {self.gap:g}; it should be a number above 0, in the units of the scores"
            )


@dataclass(frozen=True, eq=False)
class Ranking:
    """A board, how it is judged, and which piece of random numbers is its own."""

    board: Board
    question: Question
    piece: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.board.values.shape[1] < 2 or self.board.units < 2:
            found = "item" if self.board.clusters is None else "cluster"
            raise TooFew(f"there is one {found}; at least two are needed to see how scores vary")

    @cached_property
    def ranks(self) -> IntArray:
        """1 + the systems strictly better: by their means, or, where gaps make these means of different items, on what they share."""
        ahead = self._sign * (self.board.leads() if self.board.complete else leads(self.board))
        return np.asarray(1 + (ahead > 0.0).sum(axis=0), dtype=np.int64)

    @property
    def _sign(self) -> float:
        return -1.0 if self.question.lower_is_better else 1.0

    @cached_property
    def order(self) -> IntArray:
        """Systems from the best rank down; ties by their means, then by name."""
        return np.lexsort((-self._sign * self.board.snapped_means(), self.ranks)).astype(np.int64)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.board.systems[i] for i in self.order)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """A and B of every pair: B is the one with the better rank, or, with a baseline, the one against it."""
        if self.question.baseline is None:
            upper, lower = all_pairs(len(self.order))
            return self.order[lower], self.order[upper]
        place = self.names.index(self.question.baseline)
        a, b = against_one(len(self.order), place)
        return self.order[a], self.order[b]

    @cached_property
    def family(self) -> Family:
        return family_of(self.board, *self.pairs)

    @property
    def resamples(self) -> int:
        """As many as were asked for, else 10,000; more where the smallest p-value that these can give would not do."""
        if self.question.resamples is not None:
            return self.question.resamples
        if self.needed > MOST_UNASKED and not self.question.correction.counts_alone:
            return RESAMPLES
        return max(RESAMPLES, min(5 * self.needed, 20 * RESAMPLES), min(self.needed, MOST_UNASKED))

    @property
    def needed(self) -> int:
        """Resamples whose smallest p-value is at most alpha, times the pairs for corrections that multiply it."""
        pairs = len(self.pairs[0]) if self.question.correction.counts_alone else 1
        return int(np.ceil(pairs / self.question.alpha))

    @cached_property
    def evidence(self) -> Evidence:
        if self.question.correction.draws == "flips":
            return weigh(sign_flips(self.family, self.resamples, self._chance))
        return weigh([self.bootstrap])

    @property
    def _chance(self) -> Generator:
        return stream(self.question.seed, 0, *self.piece)

    @cached_property
    def bootstrap(self) -> ItemBootstrap:
        if not self.board.complete:
            raise Unsuitable(
                f"{self.question.correction} draws whole items again, so every system must be scored on them; pass --missing drop, or "
                "leave the correction to be max_t"
            )
        return item_bootstrap(self.board, self.family, self.resamples, self._chance)

    @cached_property
    def adjusted(self) -> FloatArray:
        return self.question.correction.judge(self.evidence)

    @cached_property
    def significant(self) -> BoolArray:
        return np.asarray(rejects(self.adjusted, self.question.alpha) & (self.family.effects != 0.0))

    @cached_property
    def better(self) -> BoolArray:
        """Whether the row's system is significantly better than the column's, in the order of the board."""
        found = np.zeros((len(self.order), len(self.order)), dtype=np.bool_)
        a, b = (side[self.significant] for side in self.pairs)
        up = (self.family.effects[self.significant] > 0.0) != self.question.lower_is_better
        found[np.where(up, b, a), np.where(up, a, b)] = True
        return found

    @cached_property
    def leaning_error(self) -> float | None:
        """The family-wise error that random signs really have, where the skewness of the differences makes it worrying."""
        alpha, chance = self.question.alpha, stream(self.question.seed, 2, *self.piece)
        return leaning_error(self.board, self.pairs, self.evidence.critical(alpha), alpha, chance)

    @cached_property
    def interval_level(self) -> float:
        """The level of each system's own interval at which all hold together."""
        rng = stream(self.question.seed, 1, *self.piece)
        return simultaneous_level(self.board.residuals(), 1.0 - self.question.alpha, rng)

    @cached_property
    def binary(self) -> bool:
        """Whether every score is 0 or 1 and each item was run once."""
        board = self.board
        single = board.metric.linear and board.scores.values.shape[-2:] == (1, 1)
        return single and all(bool(np.isin(row[~np.isnan(row)], (0.0, 1.0)).all()) for row in board.values)

    @cached_property
    def interval_method(self) -> str:
        if self.board.clusters is not None:
            return "cluster_t"
        return "wilson" if self.binary else "student_t"

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Intervals of the systems' means, each `(system,)`."""
        if self.board.complete:
            return self._bounds(self.board.values, self.board.clusters)
        found = [
            self._own_bounds(row, has) for row, has in zip(self.board.values, self.board.scored, strict=True)
        ]
        return np.array([low for low, _ in found]), np.array([high for _, high in found])

    def _own_bounds(self, row: FloatArray, has: BoolArray) -> tuple[FloatArray, FloatArray]:
        return self._bounds(row[has], None if self.board.clusters is None else self.board.clusters[has])

    def _bounds(self, values: FloatArray, clusters: IntArray | None) -> tuple[FloatArray, FloatArray]:
        sample: Proportion | Differences
        if self.interval_method == "wilson":
            right = np.asarray(np.rint(values.sum(axis=-1)), dtype=np.int64)
            sample = Proportion(right, np.full_like(right, values.shape[-1]))
        else:
            sample = Differences(values, clusters)
        chance = stream(self.question.seed, 1, *self.piece)
        return INTERVALS.parse(self.interval_method).interval(sample, self.interval_level, chance)

    def standings(self) -> tuple[Standing, ...]:
        low, high = rank_sets(self.better)
        tier = tiers(self.better)
        return tuple(
            Standing(
                name=self.board.systems[i],
                mean=float(self.board.means[i]),
                low=float(self.bounds[0][i]),
                high=float(self.bounds[1][i]),
                rank=int(self.ranks[i]),
                rank_low=int(low[i]),
                rank_high=int(high[i]),
                tier=int(tier[i]),
                may_be_best=bool(low[i] == 1),
                items=int(self.board.items[i]),
            )
            for i in self.order
        )

    def pair_results(self) -> tuple[PairResult, ...]:
        columns = (self.family.effects, self.evidence.pvalues, self.adjusted, self.significant)
        names = ([self.board.systems[i] for i in side] for side in self.pairs)
        return tuple(map(PairResult, *names, *(column.tolist() for column in columns)))

    def neighbours_told_apart(self) -> int | None:
        """How many systems are significantly better than the next one in rank; None where not all pairs were judged."""
        if self.question.baseline is not None:
            return None
        return int(self.better[self.order[:-1], self.order[1:]].sum())

    def letters(self) -> dict[str, str]:
        """The compact letters of each system, best mean first."""
        found = compact_letters(self.better[np.ix_(self.order, self.order)])
        return dict(zip(self.names, found, strict=True))

    def omnibus(self) -> OmnibusResult | None:
        """Cochran's Q for right or wrong, else Friedman; nothing where items are not independent or not shared by all."""
        if self.board.clusters is not None or not self.board.complete:
            return None
        found = (cochran_q if self.binary else friedman)(self.board.values.T)
        return OmnibusResult(found.name, found.statistic, found.df, found.pvalue)
