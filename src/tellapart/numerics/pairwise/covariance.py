"""Robust covariance of the strengths in a pairwise-comparison model: by vote, or by clusters of votes."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.pairwise.bradley_terry import Strengths, inverse_about_zero

MOST_LEFT_OUT = 1_000
"""Clusters up to which each is really left out; beyond it one cluster changes the information too little to matter."""
SINGULAR = 1e-9
"""A smallest eigenvalue below this share of the largest one says nothing of some strength."""
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
    count = int(clusters.max()) + 1
    share = (count - 1.0) / count
    if count > MOST_LEFT_OUT:
        inverse = fit.inverse()
        return np.asarray(share * (inverse @ _squared_scores(fit, clusters) @ inverse))
    left = _information_left(fit, clusters)
    moved = np.einsum("gij,gj->gi", inverse_about_zero(left, fit.votes.systems), cluster_scores(fit, clusters))
    return np.asarray(share * moved.T @ moved)


def _information_left(fit: Strengths, clusters: IntArray) -> FloatArray:
    """H − H_g; all of H where systems would never have met without the cluster: pairs that rest on one cluster have no error."""
    whole = fit.information()
    left = whole - cluster_information(fit, clusters)
    level = np.zeros_like(whole)
    level[: fit.votes.systems, : fit.votes.systems] = 1.0
    values = np.linalg.eigvalsh(left + level)
    left[values[:, 0] < SINGULAR * values[:, -1]] = whole
    return left


def _squared_scores(fit: Strengths, clusters: IntArray) -> FloatArray:
    """Σ s_g s_gᵀ, some clusters at a time."""
    votes, size = fit.votes, len(fit.coefficients)
    order = np.argsort(clusters, kind="stable")
    total = np.zeros((size, size))
    block = max(1, HELD // size)
    for start in range(0, int(clusters.max()) + 1, block):
        begin, end = np.searchsorted(clusters[order], [start, start + block])
        rows = order[begin:end]
        scores = cluster_scores(replace(fit, votes=votes.only(rows)), clusters[rows] - start)
        total += scores.T @ scores
    return total


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


def effective_clusters(fit: Strengths, clusters: IntArray, a: IntArray, b: IntArray) -> FloatArray:
    """How many equal clusters each difference of a and b rests on, or the strength of a where b is a: (Σ v)²/Σ v², v its information by cluster.

    A vote between i and j tells √w·(x_a − x_b) of the difference, where x is the column of i less that of j in the inverse information.
    """
    size = fit.votes.systems
    total, squares = np.zeros(size * size), np.zeros(size * size)
    for shares, times in _shares_of_clusters(fit, clusters):
        parts = -2.0 * shares.transpose(0, 2, 1) @ shares
        own = np.einsum("gvs,gvs->gs", shares, shares)
        parts += own[:, :, np.newaxis]
        parts += own[:, np.newaxis, :]
        np.einsum("gss->gs", parts)[...] = own
        flat = parts.reshape(len(parts), -1)
        total += times @ flat
        np.square(flat, out=flat)
        squares += times @ flat
    return np.asarray((total**2 / np.maximum(squares, np.finfo(float).tiny))[a * size + b])


def _shares_of_clusters(fit: Strengths, clusters: IntArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Clusters of equally many rows together, and how often each is met: what their votes tell, `(cluster, vote, system)`.

    Voters with one vote each are very many and of few kinds.
    """
    votes = fit.votes
    weights = np.sqrt(votes.weights * fit.information_of_rows()[0])
    inverse = fit.inverse()[:, : votes.systems]
    order = np.argsort(clusters, kind="stable")
    begins = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    rows_of = np.diff(begins, append=len(order))
    for count in np.unique(rows_of).tolist():
        rows = order[begins[rows_of == count][:, np.newaxis] + np.arange(count)]
        times = np.ones(len(rows))
        if count == 1:
            first, kind = votes.only(rows[:, 0]).kinds()
            rows, times = rows[first], np.bincount(kind).astype(np.float64)
        block = max(1, HELD // (8 * max(count, votes.systems) * votes.systems))
        for start in range(0, len(rows), block):
            some = rows[start : start + block]
            told = inverse[votes.a[some]] - inverse[votes.b[some]]
            for at, column in enumerate(fit.covariates, start=votes.systems):
                told = told + column[some][..., np.newaxis] * inverse[at]
            yield weights[some][..., np.newaxis] * told, times[start : start + block]


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
