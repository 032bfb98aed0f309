"""Standard errors of means and of differences, with and without clusters, and their degrees of freedom."""

from typing import Literal

import numpy as np

from tellapart.foundation.arrays import RESIDUAL_NOISE, FloatArray, IntArray, mean_and_variance
from tellapart.foundation.errors import TooFew


def t_ratio(mean: FloatArray, standard_error: FloatArray) -> FloatArray:
    """The ratio mean / standard error: 0 when both are 0 (nothing differs), NaN when only the error is (no answer)."""
    undefined = np.where(mean == 0.0, 0.0, np.nan)
    return np.where(standard_error > 0.0, mean / np.where(standard_error > 0.0, standard_error, 1.0), undefined)


def welch(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Difference of the means of two independent samples, its standard error, and Welch–Satterthwaite df.

    With vₐ = sₐ²/nₐ the error is √(vₐ + v_b) and its degrees of freedom (vₐ + v_b)² / (vₐ²/(nₐ − 1) + v_b²/(n_b − 1)). A
    sample of a single item has no variance of its own, and counts as having none. Welch (1947).
    """
    (mean_a, variance_a), (mean_b, variance_b) = mean_and_variance(a), mean_and_variance(b)
    share_a, share_b = variance_a / a.shape[-1], variance_b / b.shape[-1]
    total = share_a + share_b
    spread = share_a**2 / max(a.shape[-1] - 1, 1) + share_b**2 / max(b.shape[-1] - 1, 1)
    df = np.divide(total**2, spread, out=np.ones_like(total), where=spread > 0.0)
    return mean_b - mean_a, np.sqrt(total), df


# The standard error of a mean when items come in clusters that rise and fall together.

Variance = Literal["cr1", "cr2"]

MOST_LISTED = 16
"""Clusters up to which flips of their signs have an interval: the means of all their subsets, 65,535 of them, are listed."""


def cluster_error(
    values: FloatArray, codes: IntArray, variance: Variance, scale: float | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean, its standard error and degrees of freedom, each `(*batch,)`, from `(*batch, item)` and `codes` `(item,)`.

    `scale` is the size of the numbers that the values are differences of, and so of their float noise.

    For independent clusters. `cr1` scales the squared cluster sums by G/(G − 1) and has G − 1 degrees of freedom;
    `cr2` weighs each cluster by what its size takes from its residuals, with Satterthwaite degrees of freedom.
    With s_g the sum of residuals of cluster g and N items in all, the squared error is Σ w_g·s_g² / N². Few clusters of very
    different sizes make `cr1` too small, because a large cluster pulls the mean, and so its own residuals, towards itself.
    Liang & Zeger (1986); Bell & McCaffrey (2002).
    """
    sizes = cluster_sizes(codes)
    if len(sizes) < 2:
        raise TooFew(
            f"all {len(codes)} items are in one cluster; at least two clusters are needed to see how they vary. Leave the clusters out where items are independent"
        )
    mean, _ = mean_and_variance(values)
    sums = residual_sums(values, mean, codes, scale)
    squares = np.einsum("...g,g->...", sums**2, cluster_weights(sizes, variance))
    df = float(degrees_of_freedom(sizes, variance))
    return mean, np.sqrt(squares) / len(codes), np.full_like(mean, df)


def residual_sums(values: FloatArray, mean: FloatArray, codes: IntArray, scale: float | None = None) -> FloatArray:
    """Each cluster's contribution to the sum of deviations from the mean, `(*batch, cluster)`; `scale` as above."""
    sums = cluster_sums(values - mean[..., np.newaxis], codes)
    largest = np.abs(values).max(axis=-1, initial=scale or 0.0)[..., np.newaxis]
    # Residuals of equal differences cancel within a cluster up to rounding; taken for spread it would be infinitely sure.
    return np.where(np.abs(sums) > RESIDUAL_NOISE * cluster_sizes(codes) * largest, sums, 0.0)


def cluster_sums(values: FloatArray, codes: IntArray) -> FloatArray:
    """Sums within clusters, `(*batch, cluster)` in order of code, of `(*batch, item)`."""
    # Sorted once for the whole batch, a sum per run of equal codes: no loop over clusters, and one order of additions.
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1))


def cluster_sizes(codes: IntArray) -> FloatArray:
    """How many items each cluster has, in order of code."""
    counts = np.bincount(codes)
    return counts[counts > 0].astype(np.float64)


def cluster_weights(sizes: FloatArray, variance: Variance) -> FloatArray:
    """The weight of each cluster's squared residual sum, from sizes `(*batch, cluster)`; one cluster alone counts 0."""
    present = np.count_nonzero(sizes, axis=-1, keepdims=True)
    if variance == "cr1":
        each = np.where(present > 1, present / np.maximum(present - 1.0, 1.0), 0.0)
        return np.asarray(np.broadcast_to(each, sizes.shape))
    left = sizes.sum(axis=-1, keepdims=True) - sizes
    return np.asarray(np.divide(left + sizes, left, out=np.zeros_like(sizes), where=left > 0.0))


def degrees_of_freedom(sizes: FloatArray, variance: Variance) -> FloatArray:
    """Degrees of freedom of a standard error from clusters of these sizes, `(*batch, cluster)`; at least one."""
    if variance == "cr1":
        return np.asarray(np.maximum(np.count_nonzero(sizes, axis=-1) - 1.0, 1.0))
    return np.maximum(_satterthwaite(sizes), 1.0)


def _satterthwaite(sizes: FloatArray) -> FloatArray:
    """(Σ Γ_gg)² / ΣΣ Γ_gh², where Γ_gg is the size of g and Γ_gh² = u_g·u_h with u as below."""
    # The matrix of all pairs of clusters is never written out: its off-diagonal squares are products.
    total = sizes.sum(axis=-1, keepdims=True)
    u = np.divide(sizes**2, total - sizes, out=np.zeros_like(sizes), where=total > sizes)
    squares = np.sum(sizes**2, axis=-1) + u.sum(axis=-1) ** 2 - np.sum(u**2, axis=-1)
    return np.asarray(total[..., 0] ** 2 / squares)
