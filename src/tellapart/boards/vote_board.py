"""Pairwise tests between many systems from votes, with p-values adjusted for all pairs.

Without clusters, and with 40 effective ones or more, pairs are judged by the step-down max-T of the joint law of the strengths; with fewer
each pair by its own t, corrected by Holm, because a joint t errs there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy import special

from tellapart.boards.corrections.bonferroni import Bonferroni
from tellapart.boards.corrections.correction import VoteCorrection
from tellapart.boards.corrections.holm import Holm
from tellapart.boards.joint_pvalues import JointPvalues, joint_pvalues
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws.tails import t_tails
from tellapart.numerics.pairwise import parted_without_one
from tellapart.numerics.pairwise.bradley_terry import Strengths
from tellapart.numerics.pairwise.covariance import (
    cluster_covariance,
    effective_clusters,
    two_way_covariance,
    vote_covariance,
)

Law = Literal["joint normal", "joint t", "holm of own t"]

ENOUGH_CLUSTERS = 40.0
"""Effective clusters of every pair from which the joint t holds its level: with 20 raters it does not (.05 to .08), with 50 it does (.052)."""
NO_ERROR = 1e-12
"""A variance, in squared logits, that is rounding."""
FEWEST_DRAWS, MOST_DRAWS, HELD = 10_000, 250_000, 1 << 24
"""Draws of the joint law: as many as make adjusted p-values good to .003 on small boards, fewer where pairs are many."""


@dataclass(frozen=True, eq=False)
class VoteErrors:
    """The covariance of the strengths and how many equal clusters each pair rests on (infinite without clusters)."""

    covariance: FloatArray
    effective: FloatArray
    parted: BoolArray
    """Whether two systems are connected only by way of one cluster, `(system, system)`: such a pair is not judged."""
    judged: BoolArray
    """Whether each pair is: an error of 0, as votes that are all ties have, says nothing."""
    of_strengths: FloatArray
    """How many equal clusters each strength rests on."""

    @property
    def least_effective(self) -> float:
        return float(self.effective[self.judged].min(initial=np.inf))

    @property
    def lonely(self) -> BoolArray:
        """Systems that one cluster alone connects with most others."""
        return np.asarray(2 * self.parted.sum(axis=1) >= len(self.parted))

    @property
    def df(self) -> float:
        """Degrees of freedom of a joint t."""
        return max(self.least_effective - 1.0, 1.0)


def vote_errors(fit: Strengths, clusters: tuple[IntArray, ...], a: IntArray, b: IntArray) -> VoteErrors:
    """Errors by vote, by one kind of cluster, or by raters and items both."""
    systems = fit.votes.systems
    if fit.penalised or not clusters:
        # Where systems are separated residuals near zero would make a sandwich far too small: the model's own covariance.
        alone = fit.inverse() if fit.penalised else vote_covariance(fit)
        parted = np.zeros((systems, systems), dtype=np.bool_)
        return VoteErrors(
            alone, np.full(len(a), np.inf), parted, pair_variances(alone, a, b) > NO_ERROR, np.full(systems, np.inf)
        )
    each = np.arange(systems)
    beside, other = np.concatenate([a, each]), np.concatenate([b, each])
    effective = np.min([effective_clusters(fit, codes, beside, other) for codes in clusters], axis=0)
    covariance = two_way_covariance(fit, *clusters) if len(clusters) == 2 else cluster_covariance(fit, clusters[0])
    parted = np.any([parted_without_one(fit.votes, codes) for codes in clusters], axis=0)
    judged = ~parted[a, b] & (pair_variances(covariance, a, b) > NO_ERROR)
    return VoteErrors(covariance, effective[: len(a)], parted, judged, effective[len(a) :])


def pair_variances(covariance: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Of the differences of strengths."""
    return np.asarray(covariance[a, a] + covariance[b, b] - 2.0 * covariance[a, b])


@dataclass(frozen=True, eq=False)
class VotePairs:
    """The pairs (a, b) that are asked about and what the votes say of each: strength of b less that of a."""

    fit: Strengths
    errors: VoteErrors
    a: IntArray
    b: IntArray
    alpha: float
    correction: VoteCorrection
    rng: Generator
    most_draws: int = MOST_DRAWS

    @cached_property
    def differences(self) -> FloatArray:
        return np.asarray(self.fit.strengths[self.b] - self.fit.strengths[self.a])

    @cached_property
    def standard_errors(self) -> FloatArray:
        variance = pair_variances(self.errors.covariance, self.a, self.b)
        return np.where(self.errors.judged, np.sqrt(np.maximum(variance, 0.0)), np.inf)

    @cached_property
    def statistics(self) -> FloatArray:
        """Each difference in standard errors; 0 where there is neither."""
        zero = np.zeros_like(self.differences)
        with np.errstate(divide="ignore"):
            return np.divide(self.differences, self.standard_errors, out=zero, where=self.differences != 0.0)

    @cached_property
    def law(self) -> Law:
        if not np.isfinite(self.errors.least_effective):
            return "joint normal"
        return "joint t" if self.errors.least_effective >= ENOUGH_CLUSTERS else "holm of own t"

    @cached_property
    def own_df(self) -> FloatArray:
        """Degrees of freedom of each pair alone; infinite without clusters."""
        return np.maximum(self.errors.effective - 1.0, 1.0)

    @cached_property
    def pvalues(self) -> FloatArray:
        """The p-value of each pair alone."""
        size = np.abs(self.statistics)
        by_t = 2.0 * t_tails(size, np.where(np.isfinite(self.own_df), self.own_df, 1.0))[1]
        return np.asarray(np.where(np.isfinite(self.own_df), by_t, 2.0 * special.ndtr(-size)))

    @property
    def stepped(self) -> bool:
        """Whether pairs are judged by the largest statistic of all."""
        return self.correction == "max_t" and self.law != "holm of own t"

    @property
    def draws(self) -> int:
        return int(np.clip(HELD // max(len(self.a), 1), FEWEST_DRAWS, self.most_draws))

    @cached_property
    def joint(self) -> JointPvalues:
        return joint_pvalues([_Draws(self)])

    @cached_property
    def adjusted(self) -> FloatArray:
        """P-values that hold for all pairs together."""
        if self.stepped:
            return np.maximum(self.joint.step_down, self.pvalues)
        if self.correction == "none":
            return self.pvalues
        return (Bonferroni() if self.correction == "bonferroni" else Holm()).adjust_list(self.pvalues)

    @cached_property
    def critical(self) -> FloatArray:
        """How many standard errors each difference must exceed in the step that decided about it."""
        alone = self._critical_values(np.full(len(self.a), self.alpha))
        if self.stepped:
            return np.maximum(self.joint.criticals(self.alpha), alone)
        if self.correction == "none":
            return alone
        if self.correction == "bonferroni":
            return self._critical_values(np.full(len(self.a), self.alpha / len(self.a)))
        return self._critical_values(Holm().step_levels(self.pvalues, self.alpha))

    def _critical_values(self, levels: FloatArray) -> FloatArray:
        df = np.where(np.isfinite(self.own_df), self.own_df, 1.0)
        by_t = special.stdtrit(df, 1.0 - levels / 2.0)
        return np.asarray(np.where(np.isfinite(self.own_df), by_t, -special.ndtri(levels / 2.0)))

    @cached_property
    def significant(self) -> BoolArray:
        return rejects(self.adjusted, self.alpha)

    @cached_property
    def family_critical(self) -> float:
        """The critical value of the first step: a new pair of this family would have to exceed it."""
        if self.stepped:
            return self.joint.critical(self.alpha)
        count = 1 if self.correction == "none" else len(self.a)
        return float(self._critical_values(np.full(len(self.a), self.alpha / count)).max())

    @cached_property
    def simultaneous(self) -> FloatArray:
        """Half-widths of the simultaneous intervals of all strengths, `(system,)`: by their joint law, or each by its own t and Bonferroni."""
        systems = self.fit.votes.systems
        errors = np.sqrt(np.maximum(np.diagonal(self.errors.covariance), 0.0))[:systems]
        if self.law == "holm of own t":
            own = special.stdtrit(np.maximum(self.errors.of_strengths - 1.0, 1.0), 1.0 - self.alpha / (2.0 * systems))
            return np.where(self.errors.lonely | (errors**2 <= NO_ERROR), np.inf, own * errors)
        size = np.abs(self.strength_draws) / np.where(errors > 0.0, errors, np.inf)[:, np.newaxis]
        reach = float(np.quantile(size.max(axis=0), 1.0 - self.alpha, method="higher"))
        return np.where(self.errors.lonely | (errors**2 <= NO_ERROR), np.inf, reach * errors)

    @cached_property
    def strength_draws(self) -> FloatArray:
        """Errors of the strengths, `(system, draw)`, by their joint law; with clusters a t of the least effective number.

        In order of strength, by the symmetric root: what systems are called leaves no trace.
        """
        systems, size = self.fit.votes.systems, len(self.errors.covariance)
        order = np.append(np.argsort(self.fit.strengths, kind="stable"), np.arange(systems, size))
        values, vectors = np.linalg.eigh(self.errors.covariance[np.ix_(order, order)])
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        drawn = (root @ self.rng.standard_normal((size, self.draws)))[np.argsort(order)[:systems]]
        if self.law == "joint normal":
            return np.asarray(drawn)
        return np.asarray(drawn / np.sqrt(self.rng.chisquare(self.errors.df, self.draws) / self.errors.df))


@dataclass(frozen=True, eq=False)
class _Draws:
    """Statistics of the pairs if all systems were equal, by the joint law of the strengths."""

    pairs: VotePairs
    exhaustive = False

    @property
    def resamples(self) -> int:
        return self.pairs.draws

    @property
    def observed(self) -> FloatArray:
        return np.abs(self.pairs.statistics)

    @property
    def scale(self) -> FloatArray:
        return self.observed

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        drawn, errors = self.pairs.strength_draws, self.pairs.standard_errors
        for pair in order.tolist():
            error = errors[pair] if errors[pair] > 0.0 else np.inf
            yield np.abs(drawn[self.pairs.b[pair]] - drawn[self.pairs.a[pair]]) / error
