"""Robust covariance of the strengths in a pairwise-comparison model: by vote, or by clusters of votes."""

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.pairwise.bradley_terry import Strengths, inverse_about_zero

MOST_LEFT_OUT = 1_000
"""Clusters up to which each is really left out; beyond it one cluster changes the information too little to matter."""
RowParts = tuple[FloatArray, FloatArray, FloatArray]
"""Numbers per row that belong to the logit, to logit and ν, and to ν."""

HELD = 1 << 24
"""Numbers held at once where clusters are many."""


def vote_covariance(fit: Strengths) -> FloatArray:
    """The sandwich over single votes, × N/(N − 1). White (1982)."""
    gap, nu = fit.residuals()
    weights = fit.votes.weights
    (meat,) = _products(fit, (weights * gap * gap, weights * gap * nu, weights * nu * nu))
    bread, total = fit.inverse(), fit.votes.total
    return np.asarray(bread @ meat @ bread * total / (total - 1.0))


def cluster_covariance(fit: Strengths, clusters: IntArray) -> FloatArray:
    """The one-step jackknife over clusters: (G − 1)/G Σ (H − H_g)⁻¹ s_g s_gᵀ (H − H_g)⁻¹. Bell & McCaffrey (2002)."""
    scores = cluster_scores(fit, clusters)
    count = len(scores)
    if count > MOST_LEFT_OUT:
        moved = scores @ fit.inverse()
    else:
        left = fit.information() - cluster_information(fit, clusters)
        moved = np.einsum("gij,gj->gi", inverse_about_zero(left, fit.votes.systems), scores)
    return np.asarray((count - 1.0) / count * moved.T @ moved)


def two_way_covariance(fit: Strengths, raters: IntArray, items: IntArray) -> FloatArray:
    """Raters' and items' covariance less that of both; negative directions are set to none. Cameron, Gelbach & Miller (2011)."""
    _, both = np.unique(raters * (items.max() + 1) + items, return_inverse=True)
    total = cluster_covariance(fit, raters) + cluster_covariance(fit, items) - cluster_covariance(fit, both)
    values, vectors = np.linalg.eigh(total)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


def cluster_scores(fit: Strengths, clusters: IntArray) -> FloatArray:
    """The score of each cluster's votes, `(cluster, coefficient)`."""
    gap, nu = (fit.votes.weights * part for part in fit.residuals())
    size, count = len(fit.coefficients), int(clusters.max()) + 1
    scores = _binned(clusters * size + fit.votes.a, gap, count * size) - _binned(
        clusters * size + fit.votes.b, gap, count * size
    )
    scores = scores.reshape(count, size)
    for place, (column, at_gap) in enumerate(fit.design(), start=fit.votes.systems):
        scores[:, place] = _binned(clusters, (gap if at_gap else nu) * column, count)
    return scores


def cluster_information(fit: Strengths, clusters: IntArray) -> FloatArray:
    """The information in each cluster's votes, `(cluster, coefficient, coefficient)`."""
    gap, both, nu = (fit.votes.weights * part for part in fit.information_of_rows())
    return _products(fit, (gap, both, nu), clusters)


def effective_clusters(fit: Strengths, clusters: IntArray, contrasts: FloatArray) -> FloatArray:
    """How many equal clusters each contrast of strengths, `(contrast, system)`, rests on: (Σ v)²/Σ v², v its information by cluster."""
    votes, inverse = fit.votes, fit.inverse()
    order = np.argsort(clusters, kind="stable")
    begin = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    weights = (votes.weights * fit.information_of_rows()[0])[order]
    a, b, first = votes.a[order], votes.b[order], votes.first[order]
    effective = np.empty(len(contrasts))
    block = max(1, HELD // len(a))
    for start in range(0, len(contrasts), block):
        rows = contrasts[start : start + block] @ inverse[: votes.systems]
        seen = rows[:, a] - rows[:, b]
        if fit.order:
            seen += first * rows[:, [votes.systems]]
        parts = np.add.reduceat(weights * seen**2, begin, axis=1)
        effective[start : start + block] = parts.sum(axis=1) ** 2 / (parts**2).sum(axis=1)
    return effective


def _products(fit: Strengths, parts: RowParts, clusters: IntArray | None = None) -> FloatArray:
    """Σ of outer products of the rows' designs, each weighted by the part of its two coefficients, `(cluster, …, …)`; one without clusters."""
    votes, size = fit.votes, len(fit.coefficients)
    gap, both, nu = parts
    ones = np.ones(len(votes.a))
    places: list[tuple[IntArray, FloatArray, bool]] = [(votes.a, ones, True), (votes.b, -ones, True)]
    for number, (extra, moves_gap) in enumerate(fit.design(), start=votes.systems):
        places.append((np.full(len(votes.a), number), extra, moves_gap))
    group = np.zeros(len(votes.a), dtype=np.int64) if clusters is None else clusters
    total = np.zeros((int(group.max()) + 1) * size * size)
    for row, factor, at_gap in places:
        for column, beside, also_gap in places:
            part = gap if at_gap and also_gap else both if at_gap or also_gap else nu
            total += _binned((group * size + row) * size + column, part * factor * beside, len(total))
    return total.reshape(-1, size, size)


def _binned(places: IntArray, values: FloatArray, count: int) -> FloatArray:
    return np.bincount(places, weights=values, minlength=count).astype(np.float64)
