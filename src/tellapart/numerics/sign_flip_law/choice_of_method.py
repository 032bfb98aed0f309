"""Choice of the algorithm for each sign-flip tail, in order of preference.

Which way is taken depends on the work only; all ways agree within the errors they report.
"""

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.sign_flip_law import whole_numbers
from tellapart.numerics.sign_flip_law.enumeration import enumerated_tails, grouped_tail
from tellapart.numerics.sign_flip_law.inversion import inverted_tails
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail

# How long each way to a tail takes, about, in nanoseconds: what the choice between them depends on.
# The numbers were fitted to timings and are right within a factor of ten on other machines. They decide
# which way is taken and so how long an answer takes; every way is exact or says how far off it is. They are
# written here and not measured at run time, because the same scores must give the same bits everywhere.

PATIENCE = 1e9
"""Nanoseconds, about, that one exact way may take for all rows together before a faster one is looked for."""

ROW_PATIENCE = 3e7
"""Nanoseconds, about, that counting one row exactly may take: inversion is as good as exact for long rows."""


def counting_time(sums: SubsetSums) -> FloatArray:
    """The cost of the faster exact count of each row."""
    return np.minimum(_convolution_time(sums), grouping_time(sums))


def _convolution_time(sums: SubsetSums) -> FloatArray:
    """One vector addition per size, as long as the threshold: 3 µs for the call, 0.6 ns per number."""
    time = sums.count * (3e3 + 0.6 * sums.threshold)
    # A longer vector of counts would take 80 megabytes and more.
    return np.where(sums.whole & (sums.threshold < 1e7), time, np.inf)


def grouping_time(sums: SubsetSums) -> FloatArray:
    """80 µs for the calls; then each sum of a half is looked up in a table, or searched for in three times as long."""
    return np.asarray(8e4 + np.where(sums.whole, 50.0, 150.0) * sums.listed)


def enumeration_time(sums: SubsetSums) -> FloatArray:
    """All 2^(k/2) sums of a half are sorted; beyond forty sizes they would take tens of megabytes per row."""
    return np.where(sums.count <= 40, 50.0 * np.exp2(0.5 * np.minimum(sums.count, 40)), np.inf)


# Which rows of a batch have their tail, and by which methods.

INVERSION = "inversion of the characteristic function along the saddlepoint contour"


class Ledger:
    """The tails found so far, NaN in rows that are still `open`, and the methods that found them, in order."""

    def __init__(self, sums: SubsetSums) -> None:
        self.sums = sums
        self.tail = Tail(*(np.full(len(sums), np.nan) for _ in range(3)))
        self.open = np.ones(len(sums), dtype=np.bool_)
        self.methods: dict[str, None] = {}

    @property
    def described(self) -> str:
        """The methods in words; an inversion says how far off it may be."""
        methods = "; ".join(self.methods)
        return f"{methods}, each tail within {self.tail.error.max():.1g}" if INVERSION in self.methods else methods

    def which(self, wanted: BoolArray) -> IntArray:
        """The wanted rows that are still open."""
        return (self.open & wanted).nonzero()[0]

    def settle(self, rows: IntArray, tail: Tail | None, *methods: str) -> None:
        if len(rows) and tail is not None:
            self.tail.at_most[rows], self.tail.below[rows] = tail.at_most, tail.below
            self.tail.error[rows] = tail.error
            self.open[rows] = False
            self.methods.update(dict.fromkeys(methods))

    def resettle(self, row: int, tail: Tail | None, method: str) -> None:
        """Replace an answer of the inversion by a better one; its method is no longer named, unless it is the better one's too."""
        if tail is not None and tail.error[0] < self.tail.error[row]:
            self.methods.pop(INVERSION, None)
            self.settle(np.array([row]), tail, method)


LUMPY = 2.0**13
"""Sums of a half of the sizes below which a law has so few steps (the square of this, at most) that it is not smooth.

A characteristic function decays because many sums crowd together; that of a few does not, and inverting it is no good.
"""

WORK = 1 << 21
"""Factors of the characteristic function that a single row may take, a tenth of a second or so; a batch shares 32 times as many."""

FEW = 4
"""Rows whose answer is worth a second, more thorough try."""

ROUGH = 1e-6
"""Relative error that calls for the second try."""

LONG = 3e5
"""Nanoseconds that the exact count of a row takes from which on a batch is inverted first: three times what that takes."""

FINE = 1e-9
"""Relative error up to which a first inversion at few nodes is kept; as good as the Fourier sum that it stands in for."""

MANY = 50
"""Rows from which on they are simulated ones, of which it is counted how many reject: no single tail is read by anybody."""

BRIEF = 1e5
"""Nanoseconds that enumerating a simulated row takes from which on it is inverted first, at few nodes: twice what that takes."""

NEAR_ENOUGH = 1e-2
"""Relative error of the tail of a simulated row that moves no count.

The true one is a tenth of it, up or down, and a level that moved by a thousandth would move power by two in ten thousand.
"""

FAR_OUT = 1e-6
"""A tail below which a simulated row is beyond all levels that are planned for, those of a thousand pairs together included."""

ENUMERATION = "exact enumeration, meeting in the middle"


def settled(sums: SubsetSums) -> Ledger:
    """The tail of every row."""
    ledger = Ledger(sums)
    for way in (
        _closed_form,
        _equal_sizes,
        _quick_inversion,
        _fourier,
        _counting,
        _rough_inversion,
        _enumeration,
        _dominant_differences,
        _inversion,
    ):
        if ledger.open.any():
            way(ledger)
    return ledger


def _closed_form(ledger: Ledger) -> None:
    """Nothing can be taken, or everything: all differences have one sign, or one outweighs all others."""
    sums = ledger.sums
    # Whole numbers are compared as floats: a quarter is far from any other whole number.
    slack = np.where(sums.whole, 0.25, sums.tolerance)
    rows = ledger.which(sums.total <= sums.threshold + slack)
    chance, everything = sums.chance[rows], np.exp2(-sums.count[rows].astype(np.float64))
    reached = sums.total[rows] >= (sums.threshold - slack)[rows]
    below = chance * np.where(reached, 1.0 - everything, 1.0)
    ledger.settle(rows, Tail(chance, below, np.zeros(len(rows))), "closed form")


def _equal_sizes(ledger: Ledger) -> None:
    """One size only, as right-or-wrong scores have: a binomial count."""
    rows = ledger.which(ledger.sums.whole)
    rows = rows[whole_numbers.same_sized(ledger.sums[rows])] if len(rows) else rows
    if len(rows):
        ledger.settle(rows, whole_numbers.binomial_tails(ledger.sums[rows]), "exact binomial")


def _quick_inversion(ledger: Ledger) -> None:
    """Whole numbers of many sizes, for many rows: a few nodes give all digits where the law is smooth, and say where not."""
    sums = ledger.sums
    rows = ledger.which(sums.whole)
    if len(rows) <= FEW:
        return
    exact = np.minimum(counting_time(sums[rows]), whole_numbers.fourier_time(sums[rows]) / len(rows))
    rows = rows[exact > LONG]
    if len(rows) <= FEW:
        return
    tail = _bounded(inverted_tails(sums[rows], work=0), sums[rows])
    fine = tail.error <= FINE * np.minimum(tail.at_most, 1e-3)
    ledger.settle(rows[fine], tail[fine], INVERSION)


def _fourier(ledger: Ledger) -> None:
    """Whole numbers, for many rows: one Fourier sum."""
    sums = ledger.sums
    rows = ledger.which(sums.whole)
    if not len(rows) or not ROW_PATIENCE < counting_time(sums[rows]).sum() > whole_numbers.fourier_time(sums[rows]):
        return
    tail = whole_numbers.fourier_tails(sums[rows])
    # A Fourier sum has an absolute error of 1e-13: below 1e-4 it would show in the ninth digit, and such tails are left to
    # ways with a relative error.
    good = tail.at_most > 1e-4 * sums.chance[rows]
    ledger.settle(rows[good], tail[good], "exact convolution by a Fourier sum")


def _counting(ledger: Ledger) -> None:
    """Whole numbers, or few different ones: one exact count after the other.

    Rows of few sums must be counted, since no other way is good at them; others only if that is not for long.
    """
    sums = ledger.sums
    if not len(ledger.which(sums.whole | sums.tied)):
        return
    grouping, times = grouping_time(sums), counting_time(sums)
    few = sums.whole & (len(sums) <= FEW)
    rows = ledger.which((few | (times < enumeration_time(sums))) & (times < ROW_PATIENCE))
    if times[rows].sum() > 2.0 * PATIENCE:
        rows = rows[sums.listed[rows] < LUMPY]
    # Simulated rows of few levels repeat each other.
    known: dict[bytes, Tail | None] = {}
    for row in rows.tolist():
        single = sums[row : row + 1]
        key = np.concatenate([single.sizes[0], single.threshold, single.halvings]).tobytes()
        if key not in known:
            known[key] = (grouped_tail if grouping[row] == times[row] else whole_numbers.convolution_tail)(single)
        ledger.settle(np.array([row]), known[key], "exact convolution")


def _rough_inversion(ledger: Ledger) -> None:
    """Many rows without a lattice, as simulations have them: few nodes, kept where the error is too small to matter."""
    sums = ledger.sums
    rows = ledger.which(~sums.whole & (enumeration_time(sums) > BRIEF))
    if len(rows) < MANY:
        return
    tail = _bounded(inverted_tails(sums[rows], work=0), sums[rows])
    near = tail.error <= NEAR_ENOUGH * np.maximum(tail.at_most, FAR_OUT)
    ledger.settle(rows[near], tail[near], INVERSION)


def _enumeration(ledger: Ledger) -> None:
    """All subsets, as far as the patience goes: 40 sizes for a few rows, 23 for ten thousand."""
    times = enumeration_time(ledger.sums)
    # What a first inversion left over of many rows is not worth more than each of all would be.
    sharing = len(ledger.sums) if len(ledger.sums) >= MANY else np.count_nonzero(ledger.open)
    rows = ledger.which(times * sharing < 2.0 * PATIENCE)
    if len(rows):
        ledger.settle(rows, enumerated_tails(ledger.sums[rows]), ENUMERATION)


def _dominant_differences(ledger: Ledger) -> None:
    """A size that dwarfs the others together is taken or left first: what remains is well-behaved."""
    sums = ledger.sums
    squares = np.einsum("ri,ri->r", sums.sizes[:, :-1], sums.sizes[:, :-1])
    # Sixteen standard deviations of the sum of the others: the law is two humps apart, and each alone is like a normal.
    rows = ledger.which(sums.sizes[:, -1] ** 2 > 64.0 * squares)
    if len(rows):
        halves = settled(sums[rows].split())
        either = (x.reshape(2, -1).sum(axis=0) for x in (halves.tail.at_most, halves.tail.below, halves.tail.error))
        ledger.settle(rows, Tail(*either), *halves.methods)


def _inversion(ledger: Ledger) -> None:
    """The remaining rows: inversion of the characteristic function, with a second try for a few rows whose error is large."""
    rows = np.flatnonzero(ledger.open)
    sums = ledger.sums[rows]
    work = WORK if len(rows) <= FEW else 32 * WORK
    if len(ledger.sums) >= MANY:  # those that few nodes were not enough for have their part of what all rows share
        work = 32 * WORK * len(rows) // len(ledger.sums)
    ledger.settle(rows, _bounded(inverted_tails(sums, work), sums), INVERSION)
    rough = ledger.tail.error[rows] > ROUGH * ledger.tail.at_most[rows]
    if len(rows) <= FEW:
        for row in rows[rough].tolist():
            _try_harder(ledger, row)


def _try_harder(ledger: Ledger, row: int) -> None:
    """By grouping, which drops sums beyond the threshold early, if few enough are below it; else with 16 times the nodes."""
    sums, tail = ledger.sums[row : row + 1], ledger.tail
    # P(W ≤ r)·2ᵏ is how many sums are in reach: below 2³⁶ each half lists some 2¹⁸ of them.
    bits = np.log2(tail.at_most[row] / sums.single[0]) if sums.single[0] > 0.0 else np.inf
    if bits < 36.0 or sums.listed[0] < 2.0**19:
        ledger.resettle(row, grouped_tail(sums), ENUMERATION)
    if tail.error[row] > ROUGH * tail.at_most[row]:
        ledger.resettle(row, _bounded(inverted_tails(sums, 16 * WORK, patient=True), sums), INVERSION)


def _bounded(tail: Tail, sums: SubsetSums) -> Tail:
    """No tail is smaller than the observed signs themselves, nor larger than the chance of the forced ones."""
    at_most = np.minimum(np.maximum(tail.at_most, sums.single), sums.chance)
    return Tail(at_most, np.minimum(np.maximum(tail.below, 0.0), at_most), tail.error)
