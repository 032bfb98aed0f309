"""Evidence from your own outputs: the contribution of each item to the difference of a corpus metric, per pair."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tellapart.answers.evidence_fit import EvidenceFit, Fit, SwappedPair
from tellapart.answers.parts import Note
from tellapart.data.scores import Scores
from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import NOISE, FloatArray
from tellapart.foundation.errors import DataError
from tellapart.metrics import Metric
from tellapart.numerics.linearity import STRAIGHT, joint_swap_correlation, single_swaps
from tellapart.populations.evidence import FittedContributions
from tellapart.populations.evidence.fitted import tenths
from tellapart.verbs.signature import sign


def fit_swaps(scores: Scores, metric: Metric, name: str) -> EvidenceFit:
    """Share of zeros, scale and additivity of what items contribute to the difference of every two systems.

    The scale is that of the second moment, so that `delta_laplace` has the spread that these items have; the likelihood's, which Card
    et al. (2020) print, stands beside it. The effect is the difference of the metric itself, never the place of a Laplace law.
    """
    metric.check(scores)
    found = list(_swapped_systems(scores, metric))
    pairs = tuple(pair for pair in found if pair.scale is not None)
    if not pairs:
        raise DataError(f"{name}: no two systems differ on two items or more; there is nothing to learn from")
    evidence = FittedContributions(
        zero_shares=tenths(np.array([pair.zero_share for pair in pairs])),
        scales=tenths(np.array([pair.scale for pair in pairs], dtype=np.float64)),
    )
    values = [value for pair in pairs for value in (pair.value_a, pair.value_b)]
    low, high = min(values), max(values)
    fit = Fit(str(evidence), "contributions", evidence.coefficients, None, None, None, len(pairs), low, high)
    signature = sign("evidence fit", f"{name} ({len(scores.systems)} systems)", metric=str(metric))
    notes = tuple(_swap_notes(scores, pairs, len(found)))
    return EvidenceFit(None, None, (), notes, signature, contributions=fit, swaps=tuple(found))


def _swap_notes(scores: Scores, pairs: tuple[SwappedPair, ...], compared: int) -> Iterator[Note]:
    yield Note("pairs_of_systems", {"systems": len(scores.systems), "pairs": compared})
    if len(pairs) < compared:
        yield Note("pairs_alike", {"pairs": compared - len(pairs)})
    if len(pairs) == 1:
        yield Note("one_pair")
    bent = [pair for pair in pairs if pair.additivity < STRAIGHT]
    if bent:
        yield Note("pairs_not_additive", {"pairs": len(bent), "below": STRAIGHT})
    if scores.clusters is not None:
        yield Note("items_taken_alone")
    yield Note("pilot_knows_more")


def _swapped_systems(scores: Scores, metric: Metric) -> Iterator[SwappedPair]:
    for a, b in combinations(scores.systems, 2):
        pair = scores.pair(a, b)
        parts = Parts.of(pair, metric)
        yield _swapped_pair(a, b, Parts(parts.a, parts.b, metric))


def _swapped_pair(a: str, b: str, parts: Parts) -> SwappedPair:
    value_a, value_b = (float(value) for value in parts.metrics)
    given = -0.5 * parts.items * single_swaps(parts)
    # What floats make of a swap that changes nothing is a share of the metric.
    differing = given[np.abs(given) > NOISE * parts.items * max(abs(value_a), abs(value_b))]
    zero_share = 1.0 - len(differing) / parts.items
    return SwappedPair(
        a,
        b,
        parts.items,
        value_a,
        value_b,
        value_b - value_a,
        zero_share,
        _contribution_scale(given, zero_share),
        2.0 * float(np.abs(differing - np.median(differing)).mean()) if len(differing) else None,
        float(joint_swap_correlation(parts)),
    )


def _contribution_scale(given: FloatArray, zero_share: float) -> float | None:
    """The scale with which zeros and Laplace amounts have the variance of what was given; None where nothing varies."""
    differing = 1.0 - zero_share
    if differing * len(given) < 2.0:
        return None
    of_zeros = float(given.mean()) ** 2 * zero_share / differing
    square = 2.0 * (float(given.var(ddof=1)) - of_zeros) / differing
    return math.sqrt(square) if square > 0.0 else None
