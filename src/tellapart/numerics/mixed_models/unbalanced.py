"""REML or maximum-likelihood variance components of crossed differences with missing cells, in batches."""

from dataclasses import replace

import numpy as np

from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray
from tellapart.numerics.mixed_models import inference
from tellapart.numerics.mixed_models.absorption import Absorbed, Incidence
from tellapart.numerics.mixed_models.model_fit import DIFFERENCE_TERMS, Method, MixedModelFit

START = np.array([[0.3, 0.3]])
"""Ratios that the ascent starts from: rater and item effects of most evaluations spread less than their ratings do."""

LOWEST_START, HIGHEST_START = 0.03, 30.0
"""Between these it starts where moments say from which: close by 0 it leaves slowly, and far out likelihoods are flat."""

STARTS = np.array([(kept, absorbed) for kept in (0.03, 1.0, 30.0) for absorbed in (0.03, 1.0, 30.0)])
"""Starting ratios with few differences per level."""

SPARSE = 1.5
"""Differences per rater and item below which a likelihood is climbed from all of `STARTS`.

Of 2,400 random incidences a tenth of those below 1.25 had a higher hill than the first start led to, and none of those above.
"""

LEFT = 40
"""Differences beyond raters and items from which on no second hill was seen, however sparse: 3,000 evaluations, from 11 left."""

AMPLE = 2.0
"""Differences per rater and item from which on it starts where moments say, which saves half of the steps.

From there 3,400 random evaluations reached the height that they reached from the best of `STARTS`; below, one of 900 did not.
"""

ROUNDING = 1e-11
"""A residual variance below this, beside a mean square of 1, is made of rounding."""

Units = tuple[FloatArray, FloatArray]


def fit_unbalanced(differences: FloatArray, method: Method) -> MixedModelFit:
    """Components of `(batch, rater, item)`, NaN where a rater did not rate an item."""
    # One factor's levels are a system to be inverted, the other's are absorbed: the shorter side is kept, for the model is the same.
    if differences.shape[1] > differences.shape[2]:
        return fit_unbalanced(differences.transpose(0, 2, 1), method).swapped([1, 0, 2])
    present = ~np.isnan(differences)
    values, units = _unit_values(differences, present)
    data = Incidence.of(values, present)
    kept = _identifiable_terms(data)
    free = kept[:, :2] & (units[1] > 0.0)[:, None]
    data, ratios, endless = _batch_summits(data, free, method)
    return _batch_fit(Absorbed(data, ratios), method, kept, units, endless)


def _identifiable_terms(data: Incidence) -> BoolArray:
    """Which terms the differences that there are can tell apart, whatever their values."""
    batch = len(data.squares)
    # Simulated evaluations all miss the same ratings: what one of them can tell apart, all can.
    looked_at = data.rows(np.arange(1)) if data.shared else data
    nothing = np.zeros((len(looked_at.squares), 2))
    kept = inference.identifiable_terms(_summit(Absorbed(looked_at, nothing), "reml").expected)
    return np.broadcast_to(kept, (batch, kept.shape[1]))


def _batch_summits(data: Incidence, free: BoolArray, method: Method) -> tuple[Incidence, FloatArray, BoolArray]:
    """The best ratios; where they have no end, those beside a residual too small to matter."""
    ratios = _best_batch_starts(data, free, method)
    endless = ratios.max(axis=1) > inference.ENDLESS
    if endless.any():
        data = replace(data, squares=data.squares + np.where(endless, inference.LEAST_RESIDUAL * data.total, 0.0))
        again = np.flatnonzero(endless)
        ratios[again] = _best_batch_starts(data.rows(again), free[again], method)
    return data, ratios, endless


def _best_batch_starts(data: Incidence, free: BoolArray, method: Method) -> FloatArray:
    """The highest hill; likelihoods of sparse evaluations can have several, and are climbed from several sides."""
    levels = (data.counts[0] > 0.0).sum(axis=1) + (data.counts[1] > 0.0).sum(axis=1)
    sparse = (data.total < SPARSE * levels) & (data.total < levels + LEFT)
    ample = data.total >= AMPLE * levels
    ratios = np.zeros(free.shape)
    for chosen, starts_of in ((ample, _by_moments), (~sparse & ~ample, _single_start), (sparse, _multiple_starts)):
        rows = np.flatnonzero(chosen & free.any(axis=1))
        if rows.size:
            these = data.rows(rows)
            ratios[rows] = _highest_hill(these, free[rows], starts_of(these), method)
    return ratios


def _single_start(data: Incidence) -> FloatArray:
    return np.tile(START, (len(data.squares), 1, 1))


def _multiple_starts(data: Incidence) -> FloatArray:
    return np.tile(STARTS, (len(data.squares), 1, 1))


def _by_moments(data: Incidence) -> FloatArray:
    """Ratios at which the squared sums of levels are what is expected of them, near the summit as a rule."""
    whole = data.squares / data.total
    spreads = []
    for sums, counts in zip(data.sums, data.counts, strict=True):
        seen = counts > 0.0
        mean = (sums**2 / np.where(seen, counts, 1.0)).sum(axis=1) / seen.sum(axis=1)
        spreads.append((mean - whole) / (data.total / seen.sum(axis=1) - 1.0))
    rest = np.maximum(whole - spreads[0] - spreads[1], whole / HIGHEST_START)
    ratios = np.stack(spreads, axis=1) / np.where(rest > 0.0, rest, 1.0)[:, None]
    return np.clip(ratios, LOWEST_START, HIGHEST_START)[:, None]


def _highest_hill(data: Incidence, free: BoolArray, starts: FloatArray, method: Method) -> FloatArray:
    """The highest point reached from the starts of each evaluation, `(batch, start, ratio)`."""
    evaluations = np.arange(len(free))
    repeated = np.repeat(evaluations, starts.shape[1])
    ratios, heights = inference.highest(
        lambda at, rows: _height(Absorbed(data.rows(repeated[rows]), at), method), starts.reshape(-1, 2), free[repeated]
    )
    best = heights.reshape(len(free), -1).argmax(axis=1)
    return np.asarray(ratios.reshape(len(free), -1, 2)[evaluations, best])


def _unit_values(differences: FloatArray, present: BoolArray) -> tuple[FloatArray, Units]:
    """Differences around 0 with a mean square of 1 (0 where missing), and how to undo it."""
    total = present.sum(axis=(1, 2))
    values = np.where(present, differences, 0.0)
    centre, largest = (values.sum(axis=(1, 2)) / total, np.maximum(values.max(axis=(1, 2)), -values.min(axis=(1, 2))))
    values -= centre[:, None, None]
    values *= present
    scale = np.sqrt(np.einsum("bki,bki->b", values, values) / total)
    flat = scale <= NOISE * largest
    scale = np.where(flat, 0.0, scale)
    values /= np.where(flat, np.inf, scale)[:, None, None]
    return values, (centre, scale)


def _height(at: Absorbed, method: Method) -> inference.Height:
    summit = _summit(at, method)
    freedom, unit = summit.freedom, summit.variance[:, None]
    fixed = np.log(at.precision) if method == "reml" else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        value = -0.5 * (freedom * (1.0 + np.log(2.0 * np.pi * summit.variance)) + at.logdet + fixed)
        scores = summit.scores / unit
        slope = 0.5 * (scores - summit.traces)
        observed = (
            summit.curves / unit[:, :, None]
            - 0.5 * scores[:, :, None] * scores[:, None, :] / freedom[:, None, None]
            - 0.5 * summit.pairs
        )
        shared = summit.traces[:, :, None] * summit.traces[:, None, :] / freedom[:, None, None]
    # A rest that rounding ate is no height to climb to.
    value = np.where(summit.variance > ROUNDING, value, -np.inf)
    return inference.Height(value, slope, observed, 0.5 * (summit.pairs - shared))


def _summit(at: Absorbed, method: Method) -> inference.Summit:
    precision = at.precision[:, None]
    pulls = at.pulls / precision
    pairs, traces, freedom = at.pairs, at.traces, at.data.total
    if method == "reml":
        # P in place of V⁻¹ on both sides: what the mean takes out of each
        common = pulls[:, :, None] * pulls[:, None, :]
        pairs = pairs - 2.0 * at.bends / precision[:, :, None] - common
        traces, freedom = traces - pulls, freedom - 1.0
    return inference.Summit(
        ratios=at.ratios,
        variance=np.maximum(at.rest, 0.0) / np.maximum(freedom, 1.0),
        pairs=pairs,
        traces=traces,
        curves=at.curves,
        scores=at.scores,
        pulls=pulls / precision,
        bends=at.bends / precision[:, :, None] ** 2,
        spread=1.0 / at.precision,
        freedom=freedom,
    )


def _batch_fit(at: Absorbed, method: Method, kept: BoolArray, units: Units, endless: BoolArray) -> MixedModelFit:
    centre, scale = units
    summit = _summit(at, method)
    adjusted, df_kenward_roger = np.full((2, len(scale)), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        if method == "reml":
            adjusted, df_kenward_roger = summit.kenward_roger(kept)
        residual = np.where(endless, 0.0, 1.0)[:, None]
        variances = np.concatenate([at.ratios, residual], axis=1) * (summit.variance * scale**2)[:, None]
        height = _height(at, method).value - summit.freedom * np.log(scale)
        return MixedModelFit(
            effect=centre + scale * at.effect,
            se=summit.se * scale,
            se_adjusted=adjusted * scale,
            df_satterthwaite=summit.satterthwaite(kept),
            df_kenward_roger=df_kenward_roger,
            terms=DIFFERENCE_TERMS,
            variances=variances,
            shares=summit.shares(),
            singular=kept & (variances <= 0.0),
            dropped=~kept,
            raters=(at.data.counts[0] > 0.0).sum(axis=1).astype(np.float64),
            items=(at.data.counts[1] > 0.0).sum(axis=1).astype(np.float64),
            loglik=np.where(scale == 0.0, np.inf, height),
            information=summit.expected / (2.0 * (summit.variance * scale**2)[:, None, None] ** 2),
            paired=True,
        )
