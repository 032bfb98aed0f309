"""Inversion of the characteristic function of sign flips at a few dozen nodes, with an honest error.

Exact in the limit of many nodes. With many differences it decays at once and some twenty nodes leave an error near
1e-15; with few, or nearly on a lattice, it never quite does, and the error says what was left out.

The error is a sum of four: what the nodes beyond the last may add (`_left_out`), what `revivals` beyond them may hide, the
part of a jump that smooth inversion cannot place, and rounding. It is no proof but a bound with room: over six thousand
rows of eight kinds, real and nearly on a lattice, with far too few nodes, the true error was at most half of it.
"""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.distributions.sign_flip_law.contour import Contour, saddlepoint_contour
from tellapart.distributions.sign_flip_law.node_products import NodeProducts
from tellapart.distributions.sign_flip_law.revivals import revival
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums, Tail

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
    step = _rows_at_once(width)
    return Tail.joined([_block(sums[i : i + step], nodes, patient=patient) for i in range(0, rows, step)])


def _rows_at_once(width: int) -> int:
    return max(1, BLOCK // (4 * width))


def _block(sums: SubsetSums, most: int, *, patient: bool) -> Tail:
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
    error = scale * (_left_out(contour, summed) + jump + ROUNDING * np.sqrt(len(contour.sizes)))
    return Tail(at_most, at_most - atom, error)


def _left_out(contour: Contour, summed: _NodeSums) -> FloatArray:
    """What the nodes beyond the last can add, relative to the contour's height.

    Beyond its first decay the characteristic function is as good as random, and the sum of its values over the node
    number grows like a random walk: the root of Σ 1/n² beyond n is 1/√n, times the size of the values. Where it has not
    decayed to that level, its values may all add up.
    """
    # Both are typical sizes and no bounds: eight and ten times are room for what is not typical.
    walk = 8.0 * np.maximum(summed.late, contour.floor) / np.sqrt(summed.nodes)
    coherent = 2.0 * np.maximum(summed.late - 4.0 * contour.floor, 0.0)
    decayed = _decayed(summed.last, contour)
    left = np.where(decayed, 10.0 * summed.last, (walk + coherent) / np.pi)
    missed = revival(contour, summed.nodes * contour.spacing)
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
