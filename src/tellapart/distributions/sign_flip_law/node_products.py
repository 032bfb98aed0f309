"""The values of a characteristic function at equally spaced nodes, by rotating complex numbers: two cosines in all.

At node n the factor of a size a turns by n·θa. Turning by θa once more is one complex product, tens of times cheaper than a
cosine and a sine; nodes of a chunk are made by doubling, and a chunk from the one before by one turn of the whole.
"""

import numpy as np

from tellapart.arrays import ComplexArray, FloatArray
from tellapart.distributions.sign_flip_law.contour import Contour

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
        share = self._folded(contour.odds / (1.0 + contour.odds))
        self.share, self.rest = share.astype(np.complex128), (1.0 - share).astype(np.complex128)
        self.angle = self._folded(contour.sizes * contour.spacing)
        self.phase = -contour.threshold * contour.spacing
        self.done = 0
        self.turns, self.anchor, self.jump = _rotations(self.angle, chunk)
        self.phase_turns, self.phase_anchor, self.phase_jump = _rotations(self.phase, chunk)
        # The share of the tilted coin rides on the turn, which saves a product per factor.
        self.anchor *= self.share

    def following(self) -> ComplexArray:
        """The products at the next chunk of nodes, `(node, row)`."""
        if self.done:
            self._move()
        self.done += 1
        factors = self.turns * self.anchor
        factors += self.rest
        lanes = np.multiply.reduce(factors, axis=1).reshape(self.chunk, self.fold, self.rows)
        return np.asarray(np.multiply.reduce(lanes, axis=1) * (self.phase_turns * self.phase_anchor))

    def _move(self) -> None:
        if self.done % AFRESH:
            self.anchor *= self.jump
            self.phase_anchor *= self.phase_jump
        else:
            node = 1.0 + self.done * self.chunk
            self.anchor = self.share * turn(self.angle * node)
            self.phase_anchor = turn(self.phase * node)

    def _folded(self, values: FloatArray) -> FloatArray:
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
