"""How the pairs of a board are resampled together: as a correction asks, or, where none was named, as the scores suggest."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tellapart.arrays import BoolArray
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.correction import Correction
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.corrections.min_p import MinP
from tellapart.multiplicity.family import Family
from tellapart.multiplicity.flipped_pvalues import PairLaw, flipped_pvalues, own_law, pair_law
from tellapart.multiplicity.joint_bootstrap import (
    FEWEST_DIFFERING,
    CutBootstrap,
    joint_bootstrap,
    judged_pairs,
)
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import JointPvalues, divided_pvalues
from tellapart.multiplicity.leaning_clusters import allowance
from tellapart.multiplicity.leaning_pairs import LeaningPairs, leaning_pairs
from tellapart.multiplicity.pair_failures import PairFailures, pair_failures
from tellapart.multiplicity.residuals import Residuals
from tellapart.multiplicity.skewness import Skewness, may_lean, seen_skewness
from tellapart.multiplicity.unseen_failures import UnseenFailures, unseen_failures
from tellapart.seeds import Generator, stream

DRAWN = 1 << 32
"""Products that drawing items again may take: beyond, as few resamples as keep within it."""

PER_STATISTIC = 100
"""Products that take as long as making one statistic of its sums."""

FEWEST_DRAWN = 1_999
"""Resamples of items that are drawn however long it takes: a p-value of 0.05 is then known to 0.005."""

ENOUGH_TO_LEAN = 20
"""Units from which on normal differences of a pair hardly ever look as if they leaned; of twelve most boards have some that do."""

MANY_CLUSTERS = 50
"""Below so many clusters their sums, evened by their sizes, tell whether they lean, and what is drawn again is not enough by itself.

Where they do not lean nothing is drawn: ten systems in 10 even clusters with normal effects then have power .39 (.40 by cluster t tests and Holm), with draws
on every board .13; of 20, .65, .63 and .58. False claims on boards of exponential and lognormal effects, of like and unlike spreads, in 10 to 30 clusters, even or not:
.01 to .07 (400 to 600 boards each), .04 to .16 by flips alone.
"""


@dataclass(frozen=True, eq=False)
class Judging:
    """A family of pairs of a board, and the resamples it is judged by; `chance` numbers the random streams that are its own."""

    board: Board
    family: Family
    alpha: float
    resamples: int
    chance: tuple[int, tuple[int, ...]]

    def chosen(self) -> Correction:
        """Min-P with clusters, else max-T; by sign flips, and where these may claim too much by the larger p-value of flips and draws."""
        if self.board.clusters is None:
            return MaxT(resampling="cautious" if self.leans else "flips")
        if len(self.family.a) == 1:
            return MaxT()
        drawn = self.board.units >= FEWEST_DIFFERING and self._clusters_lean
        return MinP(resampling="cautious" if drawn else "flips")

    @property
    def _clusters_lean(self) -> bool:
        if self.board.units >= MANY_CLUSTERS:
            return self.leans
        return self._allowance(self._critical(MinP(), self._own)) > 1.0

    def joint(self, judge: Correction) -> JointPvalues:
        if judge.judges_pvalues:
            found = self._own if judge.resampled_by == "flips" else self._cautioned(self._own)
            return found.allowing(self._allowance(self._critical(judge, self._own)))
        if judge.resampled_by == "flips":
            return self.flips
        if judge.resampled_by == "bootstrap":
            return self.drawn(self.resamples)
        return self._flips_as_t.larger(self.drawn(self._affordable, self.borne(judge), self.spared(judge)))

    @cached_property
    def _own(self) -> JointPvalues:
        """The p-value of each pair by its own law, held against all others by joint flips of clusters."""
        return flipped_pvalues(self.board, self.family, self.alpha, self.resamples, self._stream(0))

    def _allowance(self, critical: float) -> float:
        return allowance(self.board, self.family, critical, self.alpha, self._stream(2))

    def _cautioned(self, own: JointPvalues) -> JointPvalues:
        """A pair alone keeps the p-value of its own law; among all it is no surer than clusters drawn again make it.

        Pairs that differ in too few clusters to be drawn again are left to their signs.
        """
        drawn = self.drawn(self._affordable)
        blind = ~judged_pairs(self.family)
        both = own.larger(
            replace(
                drawn,
                step_down=np.where(blind, 0.0, drawn.step_down),
                single_step=np.where(blind, 0.0, drawn.single_step),
            )
        )
        return replace(both, raw=own.raw)

    @cached_property
    def flips(self) -> JointPvalues:
        return divided_pvalues(joint_flips(self.family, self.resamples, self._stream(0)))

    @property
    def _flips_as_t(self) -> JointPvalues:
        """With maxima as t, to be held beside those of drawn items: t² = x²·(n − 1) / (n − x²) for a sum x over the root of its squares."""
        units, squared = float(self.board.units), self.flips.maxima**2
        # Where every difference has one size and all signs agree, x² is n: nothing is left to scatter, and t is endless.
        left = units - squared
        t = np.sqrt(
            np.divide(squared * (units - 1.0), left, out=np.full(len(left), np.inf), where=left > 1e-9)
        )
        return replace(self.flips, maxima=t)

    def drawn(
        self, resamples: int, unseen: UnseenFailures | None = None, spared: PairFailures | None = None
    ) -> JointPvalues:
        draws = joint_bootstrap(self.board, self.family, resamples, self._stream(3))
        return divided_pvalues(CutBootstrap(replace(draws, unseen=unseen, spared=spared)))

    def borne(self, judge: Correction) -> UnseenFailures | None:
        """The rare failures that every pair must bear before it is told apart; only caution asks for that."""
        return self._unseen if judge.resampled_by == "cautious" else None

    def spared(self, judge: Correction) -> PairFailures | None:
        """The rare failures that pairs show and have to bear more of; only caution asks for that."""
        return self._failures if judge.resampled_by == "cautious" else None

    @cached_property
    def _failures(self) -> PairFailures | None:
        if self.board.clusters is not None or not may_lean(self.board):
            return None
        found = pair_failures(self._left, self.family.effects)
        return found if found.pairs else None

    @cached_property
    def _unseen(self) -> UnseenFailures | None:
        # Clusters of unlike sizes lean by their sizes alone.
        if self.board.clusters is not None or not self.leans:
            return None
        return unseen_failures(self._leaning_pairs, self.board)

    def judged(self, judge: Correction) -> BoolArray:
        """Which pairs can be judged so: drawing items again takes enough of them that differ."""
        if judge.resampled_by == "flips" or judge.judges_pvalues:
            return np.ones(len(self.family.a), dtype=np.bool_)
        return judged_pairs(self.family)

    def pair_law(self, judge: Correction) -> PairLaw | None:
        """What gives each pair a p-value of its own, where pairs are held against each other by these."""
        return pair_law(self.board.units, len(self.family.a), self.alpha) if judge.judges_pvalues else None

    def law(self, judge: Correction) -> str:
        """What gives the p-value of a single pair."""
        if judge.judges_pvalues:
            return own_law(self.board, len(self.family.a), self.alpha)
        unit = "" if self.board.clusters is None else "cluster_"
        flips, drawn = f"joint_{unit}sign_flips", f"joint_{unit}bootstrap"
        return {"flips": flips, "bootstrap": drawn, "cautious": f"larger of {flips} and {drawn}"}[
            judge.resampled_by
        ]

    @property
    def _affordable(self) -> int:
        cost = len(self.family.a) * (self.board.units + PER_STATISTIC)
        return min(self.resamples, max(FEWEST_DRAWN, DRAWN // cost))

    @cached_property
    def leans(self) -> bool:
        """Whether differences lean so far to one side that sign flips claim too much."""
        critical = self.flips.critical(self.alpha)
        found = self._skewness(critical)
        if found is not None and (found.leans(critical, self.alpha) or self._some_system_leans):
            return True
        return self._some_system_fails

    @property
    def _some_system_fails(self) -> bool:
        """Whether as many pairs show rare failures as half of those of one system: one system that fails makes all of its pairs do so."""
        if self.board.units < ENOUGH_TO_LEAN or self._failures is None:
            return False
        return 2 * self._failures.pairs >= len(self.board.systems) - 1

    @property
    def _some_system_leans(self) -> bool:
        """Whether as many pairs lean, each by itself, as half of those of one system.

        One steady system among risky ones makes few pairs that lean, which all others hide in the sum; one outlier of a symmetric
        system makes fewer. With hardly any units it is chance that pairs lean.
        """
        if self.board.units < ENOUGH_TO_LEAN:
            return False
        return 2 * len(self._leaning_pairs) >= len(self.board.systems) - 1

    @cached_property
    def _leaning_pairs(self) -> LeaningPairs:
        return leaning_pairs(self._left)

    @cached_property
    def _left(self) -> Residuals:
        return Residuals.of(self.board, self.family)

    def expected_error(self, judge: Correction, joint: JointPvalues) -> float | None:
        """How often a board like this holds a false claim, where that is more than alpha and was not allowed for."""
        if joint.allowance > 1.0:
            return None
        if judge.resampled_by == "flips":
            critical = self._critical(judge, joint)
            found = self._skewness(critical)
            return None if found is None else found.told_error(critical, self.alpha)
        # Clusters of unlike sizes lean by their sizes alone: how few make them lean tells nothing.
        if self.board.clusters is not None or not self.leans or self.borne(judge) is not None:
            return None
        return self._leaning_pairs.told_error(self.alpha)

    def _skewness(self, critical: float) -> Skewness | None:
        """That of the differences, where it could matter to sign flips."""
        if not np.isfinite(critical) or not may_lean(self.board):
            return None
        return seen_skewness(self.board, self._left, critical, self.alpha, self._stream(2))

    def _critical(self, judge: Correction, joint: JointPvalues) -> float:
        """As a sum over the root of its squares, which a t statistic is not."""
        critical, units = joint.critical(self.alpha), self.board.units
        if not judge.judges_pvalues or not np.isfinite(critical):
            return critical
        return float(critical * np.sqrt(units / (units - 1.0 + critical**2)))

    def _stream(self, number: int) -> Generator:
        seed, piece = self.chance
        return stream(seed, number, *piece)
