"""The null law of a sum of differences when every sign is a fair coin: exact wherever it can be, never by chance.

Which way is taken depends on the work only; all ways agree within the errors they report.
"""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import SNAP_DIGITS, BoolArray, FloatArray, IntArray
from tellapart.distributions.characteristic import characteristic_tails
from tellapart.distributions.convolution import (
    binomial_tails,
    convolution_tail,
    fourier_tails,
    fourier_time,
    same_sized,
)
from tellapart.distributions.enumeration import enumerated_tails, grouped_tail
from tellapart.distributions.subset_sums import SubsetSums, Tail

PATIENCE = 1e9
"""Nanoseconds, about, that one exact way may take for all rows together before a faster one is looked for."""

ROW_PATIENCE = 3e7
"""Nanoseconds, about, that counting one row exactly may take: inversion is as good as exact for long rows."""

LUMPY = 2.0**13
"""A law made of fewer sums (squared) is no smooth one: inverting its characteristic function is no good."""

WORK = 1 << 21
"""Factors of the characteristic function that a single row may take; a batch shares 32 times as many."""

FEW = 4
"""Rows whose answer is worth a second, more thorough try."""

ROUGH = 1e-6
"""Relative error that calls for the second try."""

INVERSION = "inversion of the characteristic function along the saddlepoint contour"
ENUMERATION = "exact enumeration, meeting in the middle"


@dataclass(frozen=True, eq=False)
class FlipTails:
    """P(S ≤ s) and P(S ≥ s) of the observed sum s, how far each may be off, and the sign of s, each `(*batch,)`."""

    lower: FloatArray
    upper: FloatArray
    error: FloatArray
    sign: FloatArray
    method: str


def sign_flip_tails(values: FloatArray, scale: float | None = None) -> FlipTails:
    """Tails of the sum of `(*batch, item)` among all its sign flips, ties counted. Fisher (1935).

    Exact if, under the null, every value is as likely as its negative. Values are known to fourteen digits of `scale`
    (else of the largest one): sums that differ by no more are ties. Zeros take no part.
    """
    rows = values.reshape(-1, values.shape[-1])
    size = np.abs(rows).max(axis=-1, initial=0.0) if scale is None else np.full(len(rows), scale)
    sums, sign = SubsetSums.of(rows, 10.0 ** (1 - SNAP_DIGITS) * size)
    ledger = _settled(sums)
    near, far = ledger.tail.at_most, 1.0 - ledger.tail.below
    lower, upper = np.where(sign > 0.0, far, near), np.where(sign < 0.0, far, near)
    batch = values.shape[:-1]
    return FlipTails(
        lower.reshape(batch),
        upper.reshape(batch),
        ledger.tail.error.reshape(batch),
        sign.reshape(batch),
        ledger.described,
    )


class _Ledger:
    """Which rows have their answer, and by which methods."""

    def __init__(self, sums: SubsetSums) -> None:
        self.sums = sums
        self.tail = Tail(*(np.full(len(sums), np.nan) for _ in range(3)))
        self.open = np.ones(len(sums), dtype=np.bool_)
        self.methods: dict[str, None] = {}

    @property
    def described(self) -> str:
        methods = "; ".join(self.methods)
        return (
            f"{methods}, each tail within {self.tail.error.max():.1g}"
            if INVERSION in self.methods
            else methods
        )

    def which(self, wanted: BoolArray) -> IntArray:
        return (self.open & wanted).nonzero()[0]

    def settle(self, rows: IntArray, tail: Tail | None, *methods: str) -> None:
        if len(rows) and tail is not None:
            self.tail.at_most[rows], self.tail.below[rows] = tail.at_most, tail.below
            self.tail.error[rows] = tail.error
            self.open[rows] = False
            self.methods.update(dict.fromkeys(methods))

    def resettle(self, row: int, tail: Tail | None, method: str) -> None:
        """Replace an answer of the inversion by a better one."""
        if tail is not None and tail.error[0] < self.tail.error[row]:
            self.methods.pop(INVERSION, None)
            self.settle(np.array([row]), tail, method)


def _settled(sums: SubsetSums) -> _Ledger:
    ledger = _Ledger(sums)
    for way in (_closed_form, _equal_sizes, _fourier, _counting, _enumeration, _giants, _inversion):
        if ledger.open.any():
            way(ledger)
    return ledger


def _closed_form(ledger: _Ledger) -> None:
    """Nothing can be taken, or everything: all differences have one sign, or one outweighs all others."""
    sums = ledger.sums
    slack = np.where(sums.whole, 0.25, sums.tolerance)
    rows = ledger.which((sums.count == 0) | (sums.total <= sums.reach + slack))
    chance, everything = sums.chance[rows], np.exp2(-sums.count[rows].astype(np.float64))
    reached = sums.total[rows] >= (sums.reach - slack)[rows]
    below = chance * np.where(reached, 1.0 - everything, 1.0)
    ledger.settle(rows, Tail(chance, below, np.zeros(len(rows))), "closed form")


def _equal_sizes(ledger: _Ledger) -> None:
    rows = ledger.which(ledger.sums.whole)
    rows = rows[same_sized(ledger.sums[rows])] if len(rows) else rows
    if len(rows):
        ledger.settle(rows, binomial_tails(ledger.sums[rows]), "exact binomial")


def _fourier(ledger: _Ledger) -> None:
    """Whole numbers, for many rows: one Fourier sum."""
    sums = ledger.sums
    rows = ledger.which(sums.whole)
    if not len(rows) or not ROW_PATIENCE < _counting_time(sums[rows]).sum() > fourier_time(sums[rows]):
        return
    tail = fourier_tails(sums[rows])
    # A Fourier sum has an absolute error: small tails are left to ways with a relative one.
    good = tail.at_most > 1e-4 * sums.chance[rows]
    ledger.settle(rows[good], tail[good], "exact convolution by a Fourier sum")


def _counting(ledger: _Ledger) -> None:
    """Whole numbers, or few different ones: one exact count after the other.

    Rows of few sums must be counted, since no other way is good at them; others only if that is not for long.
    """
    sums = ledger.sums
    if not len(ledger.which(sums.whole | sums.tied)):
        return
    grouping, times = _grouping_time(sums), _counting_time(sums)
    few = sums.whole & (len(sums) <= FEW)
    rows = ledger.which((few | (times < _enumeration_time(sums))) & (times < ROW_PATIENCE))
    if times[rows].sum() > 2.0 * PATIENCE:
        rows = rows[sums.listed[rows] < LUMPY]
    known: dict[bytes, Tail | None] = {}
    for row in rows.tolist():
        single = sums[row : row + 1]
        key = np.concatenate([single.sizes[0], single.reach, single.halvings]).tobytes()
        if key not in known:
            known[key] = (grouped_tail if grouping[row] == times[row] else convolution_tail)(single)
        ledger.settle(np.array([row]), known[key], "exact convolution")


def _counting_time(sums: SubsetSums) -> FloatArray:
    return np.minimum(_convolution_time(sums), _grouping_time(sums))


def _convolution_time(sums: SubsetSums) -> FloatArray:
    time = sums.count * (3e3 + 0.6 * sums.reach)
    return np.where(sums.whole & (sums.reach < 1e7), time, np.inf)


def _grouping_time(sums: SubsetSums) -> FloatArray:
    return np.asarray(8e4 + np.where(sums.whole, 50.0, 150.0) * sums.listed)


def _enumeration_time(sums: SubsetSums) -> FloatArray:
    return np.where(sums.count <= 40, 50.0 * np.exp2(0.5 * np.minimum(sums.count, 40)), np.inf)


def _enumeration(ledger: _Ledger) -> None:
    """All subsets, as far as the patience goes: 40 sizes for a few rows, 23 for ten thousand."""
    times = _enumeration_time(ledger.sums)
    rows = ledger.which(times * max(1, int(ledger.open.sum())) < 2.0 * PATIENCE)
    if len(rows):
        ledger.settle(rows, enumerated_tails(ledger.sums[rows]), ENUMERATION)


def _giants(ledger: _Ledger) -> None:
    """A size that dwarfs the others together is taken or left first: what remains is well-behaved."""
    sums = ledger.sums
    squares = np.einsum("ri,ri->r", sums.sizes[:, :-1], sums.sizes[:, :-1])
    rows = ledger.which(sums.sizes[:, -1] ** 2 > 64.0 * squares)
    if len(rows):
        halves = _settled(sums[rows].split())
        either = (
            x.reshape(2, -1).sum(axis=0) for x in (halves.tail.at_most, halves.tail.below, halves.tail.error)
        )
        ledger.settle(rows, Tail(*either), *halves.methods)


def _inversion(ledger: _Ledger) -> None:
    rows = np.flatnonzero(ledger.open)
    sums = ledger.sums[rows]
    work = WORK if len(rows) <= FEW else 32 * WORK
    ledger.settle(rows, _bounded(characteristic_tails(sums, work), sums), INVERSION)
    rough = ledger.tail.error[rows] > ROUGH * ledger.tail.at_most[rows]
    if len(rows) <= FEW:
        for row in rows[rough].tolist():
            _try_harder(ledger, row)


def _try_harder(ledger: _Ledger, row: int) -> None:
    """Fewer sums are in reach than it seems, or there are more nodes to sum."""
    sums, tail = ledger.sums[row : row + 1], ledger.tail
    in_reach = np.log2(tail.at_most[row] / sums.single[0]) if sums.single[0] > 0.0 else np.inf
    if in_reach < 36.0 or sums.listed[0] < 2.0**19:
        ledger.resettle(row, grouped_tail(sums), ENUMERATION)
    if tail.error[row] > ROUGH * tail.at_most[row]:
        ledger.resettle(row, _bounded(characteristic_tails(sums, 16 * WORK, patient=True), sums), INVERSION)


def _bounded(tail: Tail, sums: SubsetSums) -> Tail:
    """No tail is smaller than the observed signs themselves, nor larger than the chance of the forced ones."""
    at_most = np.minimum(np.maximum(tail.at_most, sums.single), sums.chance)
    return Tail(at_most, np.minimum(np.maximum(tail.below, 0.0), at_most), tail.error)
