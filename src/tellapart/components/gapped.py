"""Crossed differences with gaps: variance components by REML or maximum likelihood, many evaluations at once."""

from dataclasses import replace

import numpy as np

from tellapart.arrays import NOISE, BoolArray, FloatArray
from tellapart.components.absorbed import Absorbed, Incidence
from tellapart.components.ascent import Height, highest
from tellapart.components.fitted import DIFFERENCE_TERMS, Fitted, Method
from tellapart.components.inference import Summit, told_apart

START = 0.3
"""Ratios that the ascent starts from: rater and item effects of most evaluations spread less than their ratings do."""

ENDLESS = 1e5
"""Beside variances so many times its own the residual is lost in rounding: raters and items alone account for all."""

ROUNDING = 1e-11
"""A residual variance below this, beside a mean square of 1, is made of rounding."""

LEAST_RESIDUAL = 1e-8
"""Residual variance put in the place of none, beside a mean square of 1: a standard deviation of 1/10,000 of all."""

Units = tuple[FloatArray, FloatArray]


def fit_gapped(differences: FloatArray, method: Method) -> Fitted:
    """Components of `(batch, rater, item)`, NaN where a rater did not rate an item."""
    if differences.shape[1] > differences.shape[2]:
        return _swapped(fit_gapped(differences.transpose(0, 2, 1), method))
    present = ~np.isnan(differences)
    values, units = _unit_values(differences, present)
    data = Incidence.of(values, present)
    kept = told_apart(_summit(Absorbed(data, np.zeros((len(values), 2))), "reml").expected)
    free = kept[:, :2] & (units[1] > 0.0)[:, None]
    data, ratios, endless = _ascended(data, free, method)
    return _fitted(Absorbed(data, ratios), method, kept, units, endless)


def _ascended(data: Incidence, free: BoolArray, method: Method) -> tuple[Incidence, FloatArray, BoolArray]:
    """The best ratios; where they have no end, those beside a residual too small to matter."""
    start = np.full(free.shape, START)
    ratios = highest(lambda at, rows: _height(Absorbed(data.rows(rows), at), method), start, free)
    endless = ratios.max(axis=1) > ENDLESS
    if endless.any():
        data = replace(data, squares=data.squares + np.where(endless, LEAST_RESIDUAL * data.total, 0.0))
        again = np.flatnonzero(endless)
        few = data.rows(again)
        ratios[again] = highest(
            lambda at, rows: _height(Absorbed(few.rows(rows), at), method), start[again], free[again]
        )
    return data, ratios, endless


def _unit_values(differences: FloatArray, present: BoolArray) -> tuple[FloatArray, Units]:
    """Differences around 0 with a mean square of 1 (0 where missing), and how to undo it."""
    total = present.sum(axis=(1, 2))
    centre = np.where(present, differences, 0.0).sum(axis=(1, 2)) / total
    values = np.where(present, differences - centre[:, None, None], 0.0)
    scale = np.sqrt(np.einsum("bki,bki->b", values, values) / total)
    flat = scale <= NOISE * np.abs(np.where(present, differences, 0.0)).max(axis=(1, 2))
    scale = np.where(flat, 0.0, scale)
    return values / np.where(flat, np.inf, scale)[:, None, None], (centre, scale)


def _height(at: Absorbed, method: Method) -> Height:
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
    return Height(value, slope, observed, 0.5 * (summit.pairs - shared))


def _summit(at: Absorbed, method: Method) -> Summit:
    precision = at.precision[:, None]
    pulls = at.pulls / precision
    pairs, traces, freedom = at.pairs, at.traces, at.data.total
    if method == "reml":
        # P in place of V⁻¹ on both sides: what the mean takes out of each
        common = pulls[:, :, None] * pulls[:, None, :]
        pairs = pairs - 2.0 * at.bends / precision[:, :, None] - common
        traces, freedom = traces - pulls, freedom - 1.0
    return Summit(
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


def _fitted(at: Absorbed, method: Method, kept: BoolArray, units: Units, endless: BoolArray) -> Fitted:
    centre, scale = units
    summit = _summit(at, method)
    adjusted, df_kenward_roger = np.full((2, len(scale)), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        if method == "reml":
            adjusted, df_kenward_roger = summit.kenward_roger(kept)
        residual = np.where(endless, 0.0, 1.0)[:, None]
        variances = np.concatenate([at.ratios, residual], axis=1) * (summit.variance * scale**2)[:, None]
        height = _height(at, method).value - summit.freedom * np.log(scale)
        return Fitted(
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
            loglik=np.where(endless | (scale == 0.0), np.inf, height),
            information=summit.expected / (2.0 * (summit.variance * scale**2)[:, None, None] ** 2),
            paired=True,
        )


def _swapped(fitted: Fitted) -> Fitted:
    """The same fit with raters and items in each other's place."""
    order = [1, 0, 2]
    return replace(
        fitted,
        variances=fitted.variances[:, order],
        shares=fitted.shares[:, order],
        singular=fitted.singular[:, order],
        dropped=fitted.dropped[:, order],
        raters=fitted.items,
        items=fitted.raters,
        information=fitted.information[:, order][:, :, order],
    )
