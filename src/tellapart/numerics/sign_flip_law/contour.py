"""Saddlepoint contour for inverting the characteristic function without loss of digits in small tails.

With W = Σ Bᵢ·aᵢ, B fair coins, P(W ≤ r) = (1/2πi) ∫ E[e^(−zW)]·e^(zr)·g(z) dz along any line Re z = λ > 0, where
g(z) = 1/z, or 1/(1 − e^(−z)) for whole numbers, over one period. On the line where the integrand is smallest on the
real axis it oscillates least, and the sum of a few dozen equally spaced values is the integral. Helstrom (1996).

A shifted line is a tilted coin: E[e^(−(λ + iθ)W)] / E[e^(−λW)] is the characteristic function of W when size aᵢ is taken with
odds e^(−λaᵢ), which makes the threshold a typical sum. What the tail is small by stands in front, as `height`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from tellapart.foundation.arrays import BoolArray, ComplexArray, FloatArray

ALIAS = 8.6
"""Standard deviations that the period spans to either side: what lies beyond has probability below 1e-16.

A sum of fair coins is d beyond its mean with a chance of at most exp(−2d²/Σaᵢ²), Hoeffding (1963); with d = 8.6·√(Σaᵢ²)/2
that is exp(−8.6²/2) = 8.7e-17, whatever the sizes are.
"""

CLOSE = 0.05
"""Any line is right and the best one only fastest: the search for it may stop this close."""

MOST_STEPS = 200
"""One to six steps are needed; sizes or a threshold that are no numbers would never end."""


@dataclass(frozen=True, eq=False)
class Contour:
    """The line Re z = `tilt` for each row; sizes and odds are `(item, row)`, everything else `(row,)`.

    `odds` are those of taking a size under the tilted coins, `spread` the standard deviation of W under them.
    The trapezoid rule with nodes 2π/`period` apart adds the tail at distances of whole periods, which is known
    (`echo`) up to 1e-16. `limit` is the last node: whole numbers have a finite range of frequencies.
    """

    sizes: FloatArray
    odds: FloatArray
    tilt: FloatArray
    threshold: FloatArray
    whole: BoolArray
    period: FloatArray
    limit: FloatArray
    spread: FloatArray

    @cached_property
    def height(self) -> FloatArray:
        """e^(λr)·E[e^(−λW)]: the integrand's size where it is largest, against which everything is small."""
        exponent = self.tilt * self.threshold + np.log1p(self.odds).sum(axis=0) - len(self.sizes) * np.log(2.0)
        return np.asarray(np.exp(exponent))

    @cached_property
    def echo(self) -> FloatArray:
        # e^709 is the largest double; one over e^700 counts for nothing in any tail.
        return np.asarray(1.0 / np.expm1(np.minimum(self.tilt * self.period, 700.0)))

    @cached_property
    def floor(self) -> FloatArray:
        """The root mean square of the characteristic function over all frequencies, if different sizes share no step.

        Its square is the chance that two draws of W, under the tilted coins, are equal.
        """
        # |1 + ρe^(iθa)|² / (1 + ρ)² = 1 − s·sin²(θa/2) with the swing s = 4ρ/(1 + ρ)², whose mean over θ is 1 − s/2. A size
        # of 0 takes no part: its factor is 1 at every frequency.
        swing = np.where(self.sizes > 0.0, 4.0 * self.odds / (1.0 + self.odds) ** 2, 0.0)
        equal = _equal_in_a_row(self.sizes)
        if equal is None:
            return np.asarray(np.exp(0.5 * np.log1p(-0.5 * swing).sum(axis=0)))
        # The mean of (1 − s·sin²)^m is at most that of exp(−m·s·sin²), a Bessel function.
        lost = np.where(equal > 1.0, np.log(special.i0e(0.5 * equal * swing)), equal * np.log1p(-0.5 * swing))
        return np.asarray(np.exp(0.5 * lost.sum(axis=0)))

    @cached_property
    def spacing(self) -> FloatArray:
        return np.asarray(2.0 * np.pi / self.period)

    def weight(self, frequency: FloatArray) -> ComplexArray:
        """g(z) at Re z = tilt, Im z = frequency `(node, row)`."""
        z = self.tilt + 1j * frequency
        if not self.whole.any():
            return np.asarray(1.0 / z)
        return np.asarray(1.0 / np.where(self.whole, -np.expm1(-z), z))


def saddlepoint_contour(sizes: FloatArray, threshold: FloatArray, whole: BoolArray) -> Contour:
    """The contour for sizes `(item, row)`; every row has a size and a threshold above 0."""
    tilt, odds, pull, spread = _saddlepoint(sizes, threshold, whole)
    total = sizes.sum(axis=0)
    deviation = 0.5 * np.sqrt(np.einsum("ir,ir->r", sizes, sizes))
    # Sums outside 0 … total do not occur: a period that spans them has no echo of the tail at all. The pull is the distance
    # over which the weight e^(−λ·distance) fades, beyond which an echo is not seen either.
    period = np.minimum(ALIAS * deviation + pull, np.maximum(threshold, total - threshold) * (1.0 + 1e-9) + 1.0 * whole)
    # On a lattice an odd period has its frequencies in pairs around 0, and none at half a turn that would stand alone.
    odd = 2.0 * np.ceil(0.5 * period) + 1.0
    limit = np.where(whole, 0.5 * (odd - 1.0), np.inf)
    return Contour(sizes, odds, tilt, threshold, whole, np.where(whole, odd, period), limit, spread)


def _saddlepoint(
    sizes: FloatArray, threshold: FloatArray, whole: BoolArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Newton's method for the λ at which the tilted mean of W, plus the pull of the pole at 0, is the threshold.

    The function is concave and increasing, so that steps from below never pass the root.
    """
    tilt = _first_tilt(sizes, threshold)
    for _ in range(MOST_STEPS):
        odds = np.exp(-tilt * sizes)
        share = odds / (1.0 + odds)
        taken = sizes * share
        # e^709 is the largest double; beyond 700 the pull is nothing anyway.
        pull = 1.0 / np.where(whole, np.expm1(np.minimum(tilt, 700.0)), tilt)
        variance = np.einsum("ir,ir->r", taken, sizes * (1.0 - share))
        step = (threshold - taken.sum(axis=0) - pull) / (variance + pull * (pull + whole))
        if (np.abs(step) <= CLOSE * tilt).all():
            return tilt, odds, pull, np.sqrt(variance)
        # From above the root a step may pass 0, where the pole is.
        tilt = np.maximum(tilt - step, 0.125 * tilt)
    raise AssertionError("Newton's method on a concave function did not converge")


def _first_tilt(sizes: FloatArray, threshold: FloatArray) -> FloatArray:
    """The saddlepoint of a normal law with the mean and variance of W: from there a few steps are left."""
    gap = 0.5 * sizes.sum(axis=0) - threshold
    # A fair coin has variance 1/4.
    variance = 0.25 * np.einsum("ir,ir->r", sizes, sizes)
    return np.asarray((gap + np.sqrt(gap**2 + 4.0 * variance)) / (2.0 * variance))


def _equal_in_a_row(sizes: FloatArray) -> FloatArray | None:
    """How many equal sizes begin at each place of `(item, row)`, 0 where one only continues; None if all differ."""
    continues = np.zeros(sizes.shape, dtype=np.bool_)
    np.equal(sizes[1:], sizes[:-1], out=continues[1:])
    continues &= sizes > 0.0
    if not continues.any():
        return None
    places = np.arange(len(sizes))[:, np.newaxis]
    following = np.where(continues, len(sizes), places)
    next_start = np.minimum.accumulate(np.vstack([following[1:], np.full((1, sizes.shape[-1]), len(sizes))])[::-1])[
        ::-1
    ]
    return np.where(continues, 0.0, next_start - places)


# The values of a characteristic function at equally spaced nodes, by rotating complex numbers: two cosines
# in all.
# At node n the factor of a size a turns by n·θa. Turning by θa once more is one complex product, tens of
# times cheaper than a cosine and a sine; nodes of a chunk are made by doubling, and a chunk from the one
# before by one turn of the whole.

LANES = 64
"""Numbers multiplied side by side: products run across rows of at least this many, which vector units like."""

AFRESH = 32
"""Chunks after which angles are computed anew, so that the rounding of rotations does not add up: 32 of 2.5e-16 each at most."""


class NodeProducts:
    """Products over items of (1 + ρe^(−iθa))/(1 + ρ), times e^(iθr), at nodes θ = 1, 2, … spacings, in chunks."""

    def __init__(self, contour: Contour, chunk: int) -> None:
        items, rows = contour.sizes.shape
        self.chunk, self.rows = chunk, rows
        self.fold = max(1, min(LANES // rows, items))
        share = self._folded_lanes(contour.odds / (1.0 + contour.odds))
        self.share, self.rest = share.astype(np.complex128), (1.0 - share).astype(np.complex128)
        self.angle = self._folded_lanes(contour.sizes * contour.spacing)
        self.phase = -contour.threshold * contour.spacing
        self.done = 0
        self.turns, self.anchor, self.jump = _rotations(self.angle, chunk)
        self.phase_turns, self.phase_anchor, self.phase_jump = _rotations(self.phase, chunk)
        # The share of the tilted coin rides on the turn, which saves a product per factor.
        self.anchor *= self.share

    def following(self) -> ComplexArray:
        """The products at the next chunk of nodes, `(node, row)`."""
        if self.done:
            self._next_node()
        self.done += 1
        factors = self.turns * self.anchor
        factors += self.rest
        lanes = np.multiply.reduce(factors, axis=1).reshape(self.chunk, self.fold, self.rows)
        return np.asarray(np.multiply.reduce(lanes, axis=1) * (self.phase_turns * self.phase_anchor))

    def _next_node(self) -> None:
        if self.done % AFRESH:
            self.anchor *= self.jump
            self.phase_anchor *= self.phase_jump
        else:
            node = 1.0 + self.done * self.chunk
            self.anchor = self.share * turn(self.angle * node)
            self.phase_anchor = turn(self.phase * node)

    def _folded_lanes(self, values: FloatArray) -> FloatArray:
        """`(item, row)` as `(step, lane)`: a product along steps, then over the `fold` lanes of each row."""
        items = -(-len(values) // self.fold) * self.fold
        # An angle and a share of 0 make a factor of 1, which changes no product.
        padded = np.zeros((items, self.rows))
        padded[: len(values)] = values
        return padded.reshape(items // self.fold, -1)


def _rotations(angle: FloatArray, chunk: int) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
    """Turns by 0, 1, … chunk − 1 times the angle, made by doubling; the first node's turn; the turn of a whole chunk."""
    turns = np.empty((chunk, *angle.shape), dtype=np.complex128)
    turns[0] = 1.0
    once = turn(angle)
    double, known = once, 1
    while known < chunk:
        more = min(known, chunk - known)
        np.multiply(turns[:more], double, out=turns[known : known + more])
        known, double = known + more, double * double
    return turns, once.copy(), turns[-1] * once


def turn(angle: FloatArray) -> ComplexArray:
    """e^(−i·angle)."""
    turned = np.empty(angle.shape, dtype=np.complex128)
    np.cos(angle, out=turned.real)
    np.negative(np.sin(angle), out=turned.imag)
    return turned
