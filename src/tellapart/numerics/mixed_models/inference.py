"""Likelihood maximisation over variance ratios; standard errors and degrees of freedom at the maximum.

A model's variance is σ²V with V = I + Σθ_j·V_j. Products are those at σ² = 1, in the order of the factors j; the whole of V, which
stands for σ² itself, is then one more factor, and turning the last of them from V to I gives the variances as they are reported.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray

# The highest point of many likelihoods at once, over variance ratios that are not negative.

STEPS = 100
"""A safe end: six to ten are taken as a rule."""

CLOSE = 1e-13
"""A step that can gain no more log-likelihood than this is the last one."""

LARGEST_RATIO = 1e9
"""Variance ratios beyond this are endless: nothing is left of the residual."""


@dataclass(frozen=True, eq=False)
class Height:
    """Log-likelihoods `(batch,)`, their slopes `(batch, ratio)` and minus their bends `(batch, ratio, ratio)`, observed and expected."""

    value: FloatArray
    slope: FloatArray
    observed: FloatArray
    expected: FloatArray

    def replaced(self, rows: IntArray, better: "Height", chosen: BoolArray) -> None:
        """Take over the better heights of some rows."""
        for mine, theirs in zip(vars(self).values(), vars(better).values(), strict=True):
            mine[rows[chosen]] = theirs[chosen]


Likelihood = Callable[[FloatArray, IntArray], Height]
"""A function of ratios `(rows, ratio)` and the places of these rows in the batch."""


def highest(likelihood: Likelihood, start: FloatArray, fitted: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Ratios of highest likelihood near `start`, and that height; ratios that are not `fitted` stay 0.

    Newton's steps where the likelihood is a hill, Fisher's where it is not, shortened until they rise; ratios that would
    fall below 0 stay there as long as the likelihood falls away from it. Jennrich & Sampson (1976).
    """
    ratios = np.where(fitted, start, 0.0)
    rows = np.arange(len(ratios))
    here = likelihood(ratios, rows)
    # Little at first, as most starts are near the top; ten times more whenever a step would have led down.
    damping = np.full(len(ratios), 1e-3)
    for _ in range(STEPS):
        step, gain = _damped_step(_height_rows(here, rows), ratios[rows], fitted[rows], damping[rows])
        open_ = gain > CLOSE
        rows, step = rows[open_], step[open_]
        if not rows.size:
            break
        trial = np.clip(ratios[rows] + step, 0.0, LARGEST_RATIO)
        there = likelihood(trial, rows)
        rises = there.value >= here.value[rows]
        ratios[rows[rises]] = trial[rises]
        here.replaced(rows, there, rises)
        damping[rows] = np.where(rises, damping[rows] / 10.0, damping[rows] * 10.0)
        # Where rounding hides a rise, ever shorter steps end it.
        rows = rows[damping[rows] < 1e12]
    return ratios, here.value


def _height_rows(height: Height, rows: IntArray) -> Height:
    return Height(*(part[rows] for part in vars(height).values()))


def _damped_step(
    here: Height, ratios: FloatArray, fitted: BoolArray, damping: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The damped step, and the log-likelihood that an undamped one would gain."""
    ends = (ratios >= LARGEST_RATIO) & (here.slope >= 0.0)
    free = fitted & ~((ratios <= 0.0) & (here.slope <= 0.0)) & ~ends
    slope = np.where(free, here.slope, 0.0)
    hill = _restricted(here.observed, free)
    hilly = np.linalg.eigvalsh(hill)[:, :1, None] > 0.0
    bend = np.where(hilly, hill, _restricted(here.expected, free))
    diagonal = np.einsum("bii->bi", bend)
    damped = bend + damping[:, None, None] * diagonal[:, :, None] * np.eye(bend.shape[1])
    step = np.linalg.solve(damped, slope[:, :, None])[:, :, 0]
    return step, np.einsum("bi,bi->b", step, slope)


def _restricted(bend: FloatArray, free: BoolArray) -> FloatArray:
    """Only free ratios bend together; the others get a bend of their own, so that the matrix can be inverted."""
    both = free[:, :, None] & free[:, None, :]
    return np.where(both, bend, np.where(np.eye(bend.shape[1], dtype=bool), np.maximum(np.abs(bend), 1e-300), 0.0))


SAME = 1e-9
"""Share of a variance pattern that must be its own, beside those before it, for the data to tell it apart from them."""


ENDLESS = 1e5
"""The largest ratio of a variance to the residual's; beyond it the residual is lost in rounding, and raters and items account for all."""

LEAST_RESIDUAL = 1e-8
"""Residual variance put in the place of none, beside a mean square of 1: a standard deviation of 1/10,000 of all."""


@dataclass(frozen=True, eq=False)
class Summit:
    """The state at the maximum; P takes out the fixed effects, and c'y is the effect.

    `pairs` are tr(P·V_i·P·V_j) and `traces` tr(P·V_j) (without P for maximum likelihood), `curves` y'P·V_i·P·V_j·P·y and `scores`
    y'P·V_j·P·y, `pulls` c'V_j·c, `bends` c'V_i·P·V_j·c, `spread` c'V·c and `freedom` the number of ratings less that of fixed
    effects (not less for maximum likelihood).
    """

    ratios: FloatArray
    variance: FloatArray
    pairs: FloatArray
    traces: FloatArray
    curves: FloatArray
    scores: FloatArray
    pulls: FloatArray
    bends: FloatArray
    spread: FloatArray
    freedom: FloatArray

    @property
    def se(self) -> FloatArray:
        """The error of the effect as if the variances were known."""
        return np.asarray(np.sqrt(self.variance * self.spread))

    @property
    def slopes(self) -> FloatArray:
        """The derivative of the effect's variance by each variance component, the residual last."""
        return self._by_variances(np.concatenate([self.pulls, self.spread[:, None]], axis=1))

    @property
    def expected(self) -> FloatArray:
        """Expected information of the variances at σ² = 1, times 2."""
        return self._by_variances_both(_bordered(self.pairs, self.traces, self.freedom))

    @property
    def observed(self) -> FloatArray:
        """Observed information of the variances at σ² = 1, times 2."""
        unit = self.variance[:, None]
        rest = self.freedom
        seen = _bordered(self.curves / unit[:, :, None], self.scores / unit, rest)
        return self._by_variances_both(2.0 * seen) - self.expected

    def shares(self) -> FloatArray:
        """The variances' parts of the variance of the effect."""
        parts = self.slopes * np.concatenate([self.ratios, np.ones_like(self.spread)[:, None]], axis=1)
        return np.asarray(parts / self.spread[:, None])

    def kenward_roger(self, kept: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Adjusted error and degrees of freedom, terms at the boundary counted. Kenward & Roger (1997)."""
        uncertainty = _inverse_information(self.expected, kept)
        bends = np.pad(self.bends, ((0, 0), (0, 1), (0, 1)))
        bends = self._by_variances_both(bends)
        extra = 4.0 * np.einsum("bij,bij->b", uncertainty, bends)
        # For one effect their matching of moments comes down to this: 2f²/(g'Wg), and a scale of 1.
        return np.sqrt(self.variance * (self.spread + extra)), self._satterthwaite_df(uncertainty)

    def satterthwaite(self, kept: BoolArray) -> FloatArray:
        """Degrees of freedom from the observed information, terms at the boundary left out. Fai & Cornelius (1996)."""
        inside = kept & np.concatenate([self.ratios > 0.0, np.ones_like(kept[:, :1])], axis=1)
        return self._satterthwaite_df(_inverse_information(self.observed, inside))

    def _satterthwaite_df(self, uncertainty: FloatArray) -> FloatArray:
        slopes = self.slopes
        return np.asarray(self.spread**2 / np.einsum("bi,bij,bj->b", slopes, uncertainty, slopes))

    def _by_variances(self, vector: FloatArray) -> FloatArray:
        turned = vector.copy()
        turned[:, -1] -= np.einsum("bj,bj->b", self.ratios, vector[:, :-1])
        return turned

    def _by_variances_both(self, matrix: FloatArray) -> FloatArray:
        turned = matrix.copy()
        turned[:, -1, :] -= np.einsum("bj,bjk->bk", self.ratios, turned[:, :-1, :])
        turned[:, :, -1] -= np.einsum("bj,bkj->bk", self.ratios, turned[:, :, :-1])
        return turned


def identifiable_terms(patterns: FloatArray) -> BoolArray:
    """Which variance terms data can tell from the residual and from terms before them, `(batch, term)`, the residual last.

    `patterns` are tr(M·V_i·M·V_j) with M the residuals of the fixed effects alone. Each pattern in turn gives up what it has in
    common with those kept before it; one that is left with nothing cannot be told apart.
    """
    left = patterns.copy()
    terms = patterns.shape[1]
    kept = np.zeros(patterns.shape[:2], dtype=bool)
    for term in (terms - 1, *range(terms - 1)):
        own = left[:, term, term]
        kept[:, term] = own > SAME * patterns[:, term, term]
        scale = np.where(kept[:, term], own, 1.0)
        common = np.where(kept[:, term, None], left[:, term, :], 0.0)
        left -= common[:, :, None] * common[:, None, :] / scale[:, None, None]
    return kept


def _bordered(block: FloatArray, border: FloatArray, corner: FloatArray) -> FloatArray:
    right = np.concatenate([border, corner[:, None]], axis=1)[:, :, None]
    return np.concatenate([np.concatenate([block, border[:, None, :]], axis=1), right], axis=2)


def _inverse_information(information: FloatArray, chosen: BoolArray) -> FloatArray:
    """The inverse over chosen terms, 0 elsewhere; directions without information are left out."""
    both = chosen[:, :, None] & chosen[:, None, :]
    size = np.sqrt(np.abs(np.einsum("bii->bi", information)))
    size = np.where(chosen & (size > 0.0), size, 1.0)
    scaled = np.where(both, information / (size[:, :, None] * size[:, None, :]), 0.0)
    # In units in which the diagonal is 1, so that an eigenvalue below twelve digits of the largest is rounding.
    inverse = np.linalg.pinv(np.where(np.isfinite(scaled), scaled, 0.0), rcond=1e-12, hermitian=True)
    return np.asarray(inverse / (size[:, :, None] * size[:, None, :]))
