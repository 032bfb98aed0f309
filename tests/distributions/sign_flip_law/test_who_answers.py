"""Who answers for which rows: by how long an exact way takes, how many rows there are, and how good a first answer is."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law import choice_of_method as methods
from tellapart.numerics.sign_flip_law import whole_numbers
from tellapart.numerics.sign_flip_law.choice_of_method import Ledger
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail
from tellapart.numerics.sign_flip_law.whole_numbers import convolution_tail


def rows_of(rows: int, *, sizes: int = 60, whole: bool = False) -> SubsetSums:
    """So many rows of sizes that all differ; row i has the threshold i + 1, by which it is known again among others."""
    each = np.arange(1.0, sizes + 1.0) if whole else np.sqrt(np.arange(2.0, sizes + 2.0))
    none = np.zeros(rows)
    return SubsetSums(np.tile(each, (rows, 1)), np.arange(1.0, rows + 1.0), none, np.full(rows, whole), none.copy())


def places(sums: SubsetSums) -> list[int]:
    return [int(threshold) - 1 for threshold in sums.threshold.tolist()]


@dataclass
class Asked:
    """Stands in for a way: it tells tails of these sizes and errors, and remembers for which rows it was asked, and how."""

    at_most: Sequence[float]
    error: Sequence[float]
    rows: list[list[int]] = field(default_factory=list)
    works: list[tuple[int, bool]] = field(default_factory=list)

    def __call__(self, sums: SubsetSums, work: int = 0, *, patient: bool = False) -> Tail:
        self.rows.append(places(sums))
        self.works.append((work, patient))
        at_most, error = (np.array([told[i] for i in places(sums)]) for told in (self.at_most, self.error))
        return Tail(at_most, 0.5 * at_most, error)


def costing(times: Sequence[float]) -> object:
    """What a row takes, by its place."""
    return lambda sums: np.array([times[i] for i in places(sums)])


class TestQuickInversion:
    """Whole numbers of many sizes."""

    @pytest.mark.parametrize("at_most", [0.5, 1e-5])
    def test_it_is_kept_where_nine_digits_are_known(self, at_most: float, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of the tail, or of a thousandth where the tail is larger."""
        limit = 1e-9 * min(at_most, 1e-3)
        told = Asked([at_most] * 8, [0.0, 0.6 * limit, 0.9 * limit, 1.2 * limit] * 2)
        monkeypatch.setattr(methods, "inverted_tails", told)
        monkeypatch.setattr(methods, "counting_time", costing([1e9] * 8))
        monkeypatch.setattr(whole_numbers, "fourier_time", lambda _: np.inf)
        ledger = Ledger(rows_of(8, whole=True))
        methods._quick_inversion(ledger)
        assert ledger.open.tolist() == [False, False, False, True] * 2
        assert told.works == [(0, False)]

    @pytest.mark.parametrize(("long", "tried"), [(4, 0), (5, 5), (6, 6)])
    def test_only_rows_that_take_long_are_inverted(
        self, long: int, tried: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """From three tenths of a millisecond on, if there are more than four of them."""
        told = Asked([0.5] * 10, [0.0] * 10)
        monkeypatch.setattr(methods, "inverted_tails", told)
        monkeypatch.setattr(methods, "counting_time", costing([3.2e5] * long + [2.9e5] * (10 - long)))
        monkeypatch.setattr(whole_numbers, "fourier_time", lambda _: np.inf)
        methods._quick_inversion(Ledger(rows_of(10, whole=True)))
        assert told.rows == [list(range(tried))] * (tried > 0)

    @pytest.mark.parametrize(("each", "tried"), [(2.9e5, False), (3.2e5, True)])
    def test_a_fourier_sum_may_be_quicker(self, each: float, tried: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """It takes what it takes for all rows, of which each has its part."""
        told = Asked([0.5] * 10, [0.0] * 10)
        monkeypatch.setattr(methods, "inverted_tails", told)
        monkeypatch.setattr(methods, "counting_time", costing([1e9] * 10))
        monkeypatch.setattr(whole_numbers, "fourier_time", lambda sums: each * len(sums))
        methods._quick_inversion(Ledger(rows_of(10, whole=True)))
        assert bool(told.rows) == tried


@pytest.mark.parametrize(
    ("counting", "fourier", "taken"),
    [(0.9e7, 1.0, False), (1.6e7, 1.0, True), (1.6e7, 3.1e7, True), (1.6e7, 3.3e7, False)],
)
def test_a_fourier_sum_is_for_what_takes_longer(
    counting: float, fourier: float, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer to count, all rows together, than the patience with one, and than the sum itself."""
    told = Asked([0.5] * 2, [0.0] * 2)
    monkeypatch.setattr(whole_numbers, "fourier_tails", told)
    monkeypatch.setattr(methods, "counting_time", costing([counting] * 2))
    monkeypatch.setattr(whole_numbers, "fourier_time", lambda _: fourier)
    methods._fourier(Ledger(rows_of(2, whole=True)))
    assert bool(told.rows) == taken


class TestCounting:
    """One row after the other."""

    @staticmethod
    def counted(
        sums: SubsetSums, times: Sequence[float], enumeration: float, monkeypatch: pytest.MonkeyPatch
    ) -> list[int]:
        told = Asked([0.5] * len(sums), [0.0] * len(sums))
        monkeypatch.setattr(whole_numbers, "convolution_tail", told)
        monkeypatch.setattr(methods, "counting_time", costing(times))
        monkeypatch.setattr(methods, "grouping_time", costing([np.inf] * len(sums)))
        monkeypatch.setattr(methods, "enumeration_time", costing([enumeration] * len(sums)))
        ledger = Ledger(sums)
        methods._counting(ledger)
        assert [row for rows in told.rows for row in rows] == np.flatnonzero(~ledger.open).tolist()
        return np.flatnonzero(~ledger.open).tolist()

    @pytest.mark.parametrize(("rows", "counted"), [(4, [0, 1, 2]), (5, [0])])
    def test_few_whole_rows_are_counted_however_quick_a_list_is(
        self, rows: int, counted: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Up to four, if that is not for long; of more those that take less than a list of all subsets."""
        times = [1e6, 2.1e6, 2.9e7, 3.1e7, 2.5e6][:rows]
        assert self.counted(rows_of(rows, whole=True), times, 2e6, monkeypatch) == counted

    @pytest.mark.parametrize(
        ("each", "sizes", "all_of_them"), [(1.9e7, 30, True), (2.1e7, 30, False), (2.1e7, 25, True)]
    )
    def test_patience_ends_with_rows_of_many_sums(
        self, each: float, sizes: int, all_of_them: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A hundred rows of more than two seconds: only those of which half of the sizes have less than 2¹³ sums."""
        counted = self.counted(rows_of(100, sizes=sizes, whole=True), [each] * 100, np.inf, monkeypatch)
        assert counted == list(range(100)) * all_of_them

    @pytest.mark.parametrize(("sizes", "lumpy"), [(24, True), (25, True), (26, False), (27, False)])
    def test_which_rows_are_lumpy(self, sizes: int, lumpy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """Half of k sizes that differ have 2^(k/2) sums."""
        counted = self.counted(rows_of(100, sizes=sizes, whole=True), [2.5e7] * 100, np.inf, monkeypatch)
        assert counted == list(range(100)) * lumpy


class TestRoughInversion:
    """Many rows without a lattice."""

    @pytest.mark.parametrize(("rows", "time", "tried"), [(49, 2e5, 0), (50, 2e5, 50), (50, 0.9e5, 0), (50, 1.1e5, 50)])
    def test_many_rows_that_take_some_time(
        self, rows: int, time: float, tried: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """From fifty on, if listing the subsets of each takes more than a tenth of a millisecond."""
        told = Asked([0.5] * rows, [0.0] * rows)
        monkeypatch.setattr(methods, "inverted_tails", told)
        monkeypatch.setattr(methods, "enumeration_time", costing([time] * rows))
        methods._rough_inversion(Ledger(rows_of(rows)))
        assert told.rows == [list(range(tried))] * (tried > 0)
        assert told.works == [(0, False)] * (tried > 0)

    @pytest.mark.parametrize(("at_most", "limit"), [(0.5, 5e-3), (1e-4, 1e-6), (2e-7, 1e-8)])
    def test_near_enough_is_a_hundredth(self, at_most: float, limit: float, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of the tail, or of a millionth where it is smaller than that."""
        told = Asked([at_most] * 60, [0.6 * limit, 0.9 * limit, 1.2 * limit] * 20)
        monkeypatch.setattr(methods, "inverted_tails", told)
        ledger = Ledger(rows_of(60))
        methods._rough_inversion(ledger)
        assert ledger.open.tolist() == [False, False, True] * 20


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_giants_are_taken_or_left(rows: int) -> None:
    """Whole numbers of which one dwarfs the others: the same tails as those that are counted, row by row."""
    small = np.random.default_rng(rows).integers(1, 4, (rows, 200)).astype(np.float64)
    giants = np.array([260.0, 275.0, 290.0])[:rows]
    assert (giants**2 > 64.0 * np.sum(small**2, axis=1)).tolist() == [True, True, True][:rows]
    sizes = np.sort(np.column_stack([small, giants]), axis=1)
    threshold = np.floor(0.45 * sizes.sum(axis=1))
    none = np.zeros(rows)
    sums = SubsetSums(sizes, threshold, none + 1.0, np.ones(rows, dtype=np.bool_), none)
    ledger = Ledger(sums)
    methods._dominant_differences(ledger)
    assert not ledger.open.any()
    for row in range(rows):
        exact = convolution_tail(sums[row : row + 1])
        assert ledger.tail.at_most[row] == pytest.approx(float(exact.at_most[0]), rel=1e-9, abs=0.0)
        assert ledger.tail.below[row] == pytest.approx(float(exact.below[0]), rel=1e-9, abs=0.0)
        assert ledger.tail.error[row] <= 1e-9 * ledger.tail.at_most[row]


@pytest.mark.parametrize(("times", "split"), [(60.0, 0), (63.0, 0), (65.0, 1), (66.0, 1)])
def test_what_a_giant_is(times: float, split: int) -> None:
    """The square of a giant is more than 64 times those of all others together; it is not counted among these."""
    small = np.ones(400)
    giant = np.sqrt(times * 400.0)
    sizes, none = np.append(small, giant)[np.newaxis], np.zeros(1)
    ledger = Ledger(SubsetSums(sizes, np.array([220.0]), none, none > 0.0, none))
    methods._dominant_differences(ledger)
    assert np.count_nonzero(~ledger.open) == split


class TestInversion:
    """What no exact way has answered."""

    @pytest.mark.parametrize(
        ("rows", "left", "work"),
        [
            (4, 4, 1 << 21),
            (5, 5, 32 << 21),
            (49, 3, 1 << 21),
            (49, 7, 32 << 21),
            (50, 5, 32 * (1 << 21) // 10),
            (64, 2, 1 << 21),
        ],
    )
    def test_work_is_shared(self, rows: int, left: int, work: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """What a row may take, or what a batch may; of fifty and more each has its part of that, answered or not."""
        told = Asked([0.5] * rows, [0.0] * rows)
        monkeypatch.setattr(methods, "inverted_tails", told)
        ledger = Ledger(rows_of(rows))
        ledger.open[left:] = False
        methods._inversion(ledger)
        assert told.works == [(work, False)]
        assert told.rows == [list(range(left))]

    @pytest.mark.parametrize(("rows", "again"), [(4, [2, 3]), (5, [])])
    def test_a_few_rough_answers_are_tried_again(
        self, rows: int, again: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Those that are off by more than a millionth of the tail, where it is worth while."""
        tried: list[int] = []
        monkeypatch.setattr(methods, "inverted_tails", Asked([0.01] * 5, [0.6e-8, 0.9e-8, 1.2e-8, 1e-3, 1e-3]))
        monkeypatch.setattr(methods, "_try_harder", lambda _, row: tried.append(row))
        methods._inversion(Ledger(rows_of(rows)))
        assert tried == again


class TestTryingHarder:
    """A row whose inversion is rough."""

    @staticmethod
    def tried(
        sums: SubsetSums,
        before: Tail,
        grouped: Tail | None,
        monkeypatch: pytest.MonkeyPatch,
    ) -> tuple[bool, list[tuple[int, bool]], FloatArray]:
        """Whether grouping was asked, what work inversion was asked for, and the tail of the middle of three rows."""
        asked: list[list[int]] = []

        def grouping(single: SubsetSums) -> Tail | None:
            asked.append(places(single))
            return grouped

        again = Asked([0.25] * 3, [1e-12] * 3)
        monkeypatch.setattr(methods, "grouped_tail", grouping)
        monkeypatch.setattr(methods, "inverted_tails", again)
        ledger = Ledger(sums)
        ledger.settle(np.array([1]), before, "before")
        methods._try_harder(ledger, 1)
        assert [row for rows in [*asked, *again.rows] for row in rows] == [1] * (len(asked) + len(again.rows))
        return bool(asked), again.works, ledger.tail.at_most[1]

    @pytest.mark.parametrize(
        ("sizes", "bits", "listed"),
        [(60, 35.9, True), (60, 36.1, False), (38, 36.1, False), (37, 36.1, True), (30, 29.9, True)],
    )
    def test_sums_in_reach_are_grouped(
        self, sizes: int, bits: float, listed: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Fewer than 2³⁶ sums are below the threshold, or half of the sizes have fewer than 2¹⁹; else with more nodes."""
        before = Tail(*(np.array([value]) for value in (2.0 ** (bits - sizes), 0.0, 1e-3)))
        exact = Tail(*(np.array([value]) for value in (0.125, 0.1, 0.0)))
        grouped, works, found = self.tried(rows_of(3, sizes=sizes), before, exact, monkeypatch)
        assert (grouped, float(found)) == ((True, 0.125) if listed else (False, 0.25))
        assert works == [(16 << 21, True)] * (not listed)

    def test_too_many_sums_for_a_double(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A single choice of twelve hundred coins has no chance that a double holds: they are not grouped."""
        before = Tail(*(np.array([value]) for value in (1e-300, 0.0, 1e-3)))
        assert self.tried(rows_of(3, sizes=1200), before, None, monkeypatch)[:2] == (
            False,
            [(16 << 21, True)],
        )

    @pytest.mark.parametrize(("error", "again"), [(0.6e-8, False), (0.9e-8, False), (1.2e-8, True)])
    def test_what_is_still_rough_has_more_nodes(
        self, error: float, again: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """More than a millionth of the tail after all."""
        before = Tail(*(np.array([value]) for value in (0.02, 0.0, 1e-3)))
        grouped = Tail(*(np.array([value]) for value in (0.01, 0.0, error)))
        found = self.tried(rows_of(3, sizes=30), before, grouped, monkeypatch)
        assert found[1] == [(16 << 21, True)] * again


def test_tails_are_held_within_what_is_possible() -> None:
    """At least the chance of the observed signs, at most that of the forced coins; below it at least nothing."""
    sums = rows_of(4, sizes=3)
    sums = SubsetSums(sums.sizes, sums.threshold, np.ones(4), sums.whole, sums.tolerance)
    told = Tail(np.array([-0.1, 0.3, 0.7, 0.05]), np.array([-0.2, 0.4, 0.6, 0.01]), np.full(4, 1e-9))
    found = methods._bounded(told, sums)
    assert found.at_most.tolist() == [1.0 / 16.0, 0.3, 0.5, 1.0 / 16.0]
    assert found.below.tolist() == [0.0, 0.3, 0.5, 0.01]
    assert found.error.tolist() == [1e-9] * 4


@pytest.mark.parametrize("whole", [True, False])
def test_sizes_that_all_fit_need_no_counting(whole: bool) -> None:
    """Below what they are compared with altogether, as large, or not: of three coins one choice in eight takes all."""
    sizes, threshold = np.tile([1.0, 2.0, 4.0], (3, 1)), np.array([9.0, 7.0, 6.0])
    sums = SubsetSums(sizes, threshold, np.ones(3), np.full(3, whole), np.full(3, 1e-12))
    ledger = Ledger(sums)
    methods._closed_form(ledger)
    assert ledger.open.tolist() == [False, False, True]
    assert ledger.tail.at_most[:2].tolist() == [0.5, 0.5]
    assert ledger.tail.below[:2].tolist() == [0.5, 0.5 * 7.0 / 8.0]
    assert ledger.tail.error[:2].tolist() == [0.0, 0.0]
