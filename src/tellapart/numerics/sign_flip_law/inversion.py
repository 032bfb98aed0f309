"""Inversion of the characteristic function of sign flips at a few dozen nodes, with an error bound.

Exact in the limit of many nodes. With many differences it decays at once and some twenty nodes leave an error near
1e-15; with few, or nearly on a lattice, it never quite does, and the error says what was left out.

The error is a sum of four: what the nodes beyond the last may add (`_truncation_error`), what `revivals` beyond them may hide, the
part of a jump that smooth inversion cannot place, and rounding. It is no proof but a bound with room: over six thousand
rows of eight kinds, real and nearly on a lattice, with far too few nodes, the true error was at most half of it.
"""

from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.sign_flip_law.contour import Contour, NodeProducts, saddlepoint_contour
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail

# Frequencies far out at which a characteristic function comes back, because the sizes nearly share a step.
# Ratings with a little noise are the case: near the frequency 2π/step every size has nearly come full
# circle, all factors are near 1 again, and the sum of a few dozen nodes near 0 has not seen it. Each
# revival is looked for where one of three sizes has turned a whole number of times, and believed when all
# other sizes have nearly done so.

PROBED = 24
"""Sizes of each row that must agree on a frequency before the others are asked."""

WORK = 1 << 17
"""Probes of all rows of a block together."""

LEAST_MULTIPLES, MULTIPLES = 32, 160
"""A step is looked for down to these fractions of a size: in a large batch, and in a few rows."""

CANDIDATES = 3
"""Frequencies at which all sizes are asked."""


def secondary_peaks(contour: Contour, frequency: FloatArray) -> FloatArray:
    """How much of the tail may hide in revivals beyond `frequency`, relative to the contour's height, `(row,)`.

    At a revival the sizes are near multiples of one step, and the law is a row of clusters one step apart: inversion up
    to `frequency` does not see on which side of the threshold the nearest cluster lies.
    """
    probed = _probed(len(contour.sizes))
    base, shifted = _suspects(contour.sizes[probed], frequency)
    strength = _strength(contour.sizes[probed], contour.odds[probed], shifted)
    # On a lattice the frequencies end at half a turn; beyond, they repeat what was already summed. Within nine standard
    # deviations of 0 it is not a revival but the first decay.
    outside = (contour.whole & (2.0 * shifted > 1.0)) | (2.0 * np.pi * base * contour.spread < 9.0)
    strength[outside] = 0.0
    hidden = np.zeros(len(contour.threshold))
    least = _least_revival(len(probed) / len(contour.sizes))
    if strength.max(initial=0.0) > least:
        for place in np.argsort(strength, axis=0)[-CANDIDATES:]:
            step, turns, strong = (x[place, np.arange(len(place))] for x in (1.0 / base, shifted, strength))
            cluster = step / (np.sqrt(2.0 * np.pi) * contour.spread)
            found = np.where(strong > least, cluster * _magnitude(contour, turns), 0.0)
            hidden = np.maximum(hidden, found)
    return hidden


def _probed(items: int) -> IntArray:
    """Places, in order, of the sizes that are asked first: spread over the upper three quarters, for zeros stand in front."""
    return np.arange(items - 1, items // 4 - 1, -max(1, (3 * items // 4) // PROBED))[PROBED - 1 :: -1]


def _least_revival(share: float) -> float:
    """How strong a revival must be among a share of the sizes that were probed, for all to be asked.

    All sizes together are at most as strong as those probed, and mostly as weak as that number of times them: a hundredth where few of
    very many were probed, a millionth where an eighth or more were.
    """
    return max(float(10.0 ** (-2.0 - 32.0 * share)), 1e-6)


def _suspects(sizes: FloatArray, frequency: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turns per unit at which one of three sizes comes full circle, and their first multiples beyond `frequency`."""
    many = min(max(WORK // (3 * sizes.size), LEAST_MULTIPLES), MULTIPLES)
    # Zeros stand in front, and one of them is no reference: it never comes full circle.
    references = np.maximum(sizes[[-1, len(sizes) // 2, len(sizes) // 4]], 1e-3 * sizes[-1])
    base = (np.arange(1.0, many + 1.0)[:, np.newaxis, np.newaxis] / references).reshape(-1, sizes.shape[-1])
    return base, base * np.maximum(np.ceil(frequency / (2.0 * np.pi * base)), 1.0)


def _strength(sizes: FloatArray, odds: FloatArray, turns: FloatArray) -> FloatArray:
    """An upper bound of the squared magnitude of the factors of some sizes, `(turn, row)`."""
    off = turns * sizes[:, np.newaxis]
    off -= np.rint(off)
    off *= off
    # cos²(πx) is at most (1 − 4x²)² up to half a turn.
    off *= -4.0
    off += 1.0
    off *= off
    swing = (4.0 * odds / (1.0 + odds) ** 2)[:, np.newaxis]
    off *= swing
    off += 1.0 - swing
    return np.asarray(np.multiply.reduce(off, axis=0))


def _magnitude(contour: Contour, turns: FloatArray) -> FloatArray:
    """|characteristic function| at one frequency per row."""
    half = np.sin(np.pi * turns * contour.sizes)
    lost = np.log1p(-4.0 * contour.odds / (1.0 + contour.odds) ** 2 * half**2)
    return np.asarray(np.exp(0.5 * lost.sum(axis=0)))


BLOCK = 1 << 16
"""Complex factors worked on at once, a megabyte: a few such arrays stay in the processor's cache."""

LEAST_NODES = 96
"""Nodes always allowed: several times what a normal decay to 1e-17 takes.

exp(−(θσ)²/2) is 1e-17 at θσ = 8.85, and nodes are at most 2π/8.6 of a standard deviation apart: some twelve.
"""

NEGLIGIBLE = 1e-17
"""A characteristic function this small, at several nodes in a row, has decayed: a tenth of what adding it to 1 would show."""

ROUNDING = 3e-15
"""Relative rounding of a product of one factor; that of k factors grows like the root of k.

A complex product is off by at most √5·1.1e-16, Brent, Percival & Zimmermann (2007), and so are the rotations that made its
factors; 1.2e-15 was the most seen, per root of k, up to a thousand factors.
"""


@dataclass(frozen=True, eq=False)
class _NodeSums:
    """Sums over the nodes, `(row,)`: of the tail, of the atom at the threshold, and how large the last nodes were."""

    tail: FloatArray
    atom: FloatArray
    nodes: int
    late: FloatArray
    last: FloatArray


def inverted_tails(sums: SubsetSums, work: int, *, patient: bool = False) -> Tail:
    """The tail of every row, with about `work` factors evaluated in all; every row has a size and a threshold above 0.

    A patient sum does all the work even after a decay, because the characteristic function comes back.
    """
    rows, width = sums.sizes.shape
    nodes = max(LEAST_NODES, work // (rows * width))
    step = _contour_rows_at_once(width)
    return Tail.joined([_invert_block(sums[i : i + step], nodes, patient=patient) for i in range(0, rows, step)])


def _contour_rows_at_once(width: int) -> int:
    return max(1, BLOCK // (4 * width))


def _invert_block(sums: SubsetSums, most: int, *, patient: bool) -> Tail:
    contour = saddlepoint_contour(np.ascontiguousarray(sums.sizes.T), sums.threshold, sums.whole)
    if not contour.height.any():
        return Tail(*(np.zeros(len(sums)) for _ in range(3)))
    # Where all frequencies of a lattice are affordable, none is left out.
    least = np.where(contour.limit <= most, contour.limit, most if patient else 0)
    summed = _sum_nodes(contour, most, least)
    scale = sums.chance * contour.height
    each = scale * contour.spacing / np.pi
    tail = each * summed.tail - sums.chance * contour.echo
    # Without a lattice the inversion gives the middle of the jump; the observed signs alone are 2^-k of it.
    atom = np.where(sums.whole, each * summed.atom, sums.single)
    at_most = np.where(sums.whole, tail, tail + 0.5 * atom)
    # The chance that two tilted draws are equal, floor², is that of a typical single sum. Inversion puts a jump half on either
    # side of the threshold: a few such ties are allowed for.
    jump = np.where(sums.whole, 0.0, 6.0 * contour.floor**2)
    error = scale * (_truncation_error(contour, summed) + jump + ROUNDING * np.sqrt(len(contour.sizes)))
    return Tail(at_most, at_most - atom, error)


def _truncation_error(contour: Contour, summed: _NodeSums) -> FloatArray:
    """The possible contribution of nodes beyond the last, relative to the contour's height.

    Beyond its first decay the characteristic function is as good as random, and the sum of its values over the node
    number grows like a random walk: the root of Σ 1/n² beyond n is 1/√n, times the size of the values. Where it has not
    decayed to that level, its values may all add up.
    """
    # Both are typical sizes and no bounds: eight and ten times are room for what is not typical.
    walk = 8.0 * np.maximum(summed.late, contour.floor) / np.sqrt(summed.nodes)
    coherent = 2.0 * np.maximum(summed.late - 4.0 * contour.floor, 0.0)
    decayed = _decayed(summed.last, contour)
    left = np.where(decayed, 10.0 * summed.last, (walk + coherent) / np.pi)
    missed = secondary_peaks(contour, summed.nodes * contour.spacing)
    return np.where(summed.nodes >= contour.limit, 0.0, left + missed)


def _decayed(last: FloatArray, contour: Contour) -> BoolArray:
    """Small values in a row prove a decay only where the values are small on average too."""
    return np.asarray((last < NEGLIGIBLE) & (contour.floor < NEGLIGIBLE))


def _sum_nodes(contour: Contour, most: int, least: FloatArray) -> _NodeSums:
    """Trapezoid sums over nodes 0, 1, … until all rows have decayed, reached their limit, or `most` nodes are used."""
    rows = contour.sizes.shape[-1]
    chunk = _chunk(contour, most, least)
    products = NodeProducts(contour, chunk)
    tail, atom = 0.5 * contour.weight(np.zeros((1, rows)))[0].real, np.full(rows, 0.5)
    squares: list[FloatArray] = []
    start = 1
    while True:
        nodes = np.arange(start, start + chunk, dtype=np.float64)[:, np.newaxis]
        values = np.where(nodes <= contour.limit, products.following(), 0.0)
        tail += (values * contour.weight(nodes * contour.spacing)).real.sum(axis=0)
        atom += values.real.sum(axis=0)
        magnitude = np.abs(values)
        later = magnitude[chunk // 2 :]
        squares.append(np.einsum("nr,nr->r", later, later) / len(later))
        last = magnitude[-4:].max(axis=0)
        start += chunk
        ended = (_decayed(last, contour) & (start > least)) | (start > contour.limit)
        if start > most or ended.all():
            late = np.sqrt(np.mean(squares[len(squares) // 2 :], axis=0))
            return _NodeSums(tail, atom, start - 1, late, last)


def _chunk(contour: Contour, most: int, least: FloatArray) -> int:
    """Nodes evaluated together: those of the first decay if that ends it, else as many as fill a block."""
    fitting = max(4, BLOCK // contour.sizes.size)
    if least.any() or (contour.floor > NEGLIGIBLE).any():
        return min(fitting, most)
    # exp(−(θσ)²/2) is 3e-18 at θσ = 9, below what counts as decayed, and four nodes in a row have to show it.
    needed = np.max(9.0 / (contour.spacing * contour.spread)) + 4.0
    return int(min(max(4.0, needed), fitting, most))
