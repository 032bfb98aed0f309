"""Which way is taken for which rows, what it is called, and that methods alone decide."""

import numpy as np
import pytest
from tests.distributions.sign_flip_law.subsets import asked, listed

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law import choice_of_method as methods
from tellapart.numerics.sign_flip_law import sign_flip_tails, whole_numbers
from tellapart.numerics.sign_flip_law.choice_of_method import (
    ENUMERATION,
    INVERSION,
    Ledger,
    counting_time,
    enumeration_time,
    grouping_time,
    settled,
)
from tellapart.numerics.sign_flip_law.enumeration import enumerated_tails
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail
from tellapart.numerics.sign_flip_law.whole_numbers import convolution_tail

RNG = np.random.default_rng(0)
SIGNS = RNG.choice([-1.0, 1.0], size=2_000)

WAYS: dict[str, tuple[FloatArray, str]] = {
    "one sign": (np.abs(RNG.normal(size=50)), "closed form"),
    "nothing": (np.zeros(9), "closed form"),
    "right or wrong": (SIGNS[:300], "exact binomial"),
    "ratings": (np.rint(RNG.normal(0.0, 2.0, size=200)), "exact convolution"),
    "a batch of ratings": (
        np.rint(RNG.normal(0.3, 2.0, size=(2_000, 100))),
        "exact convolution by a Fourier sum",
    ),
    "few sizes": (SIGNS[:60] * np.where(RNG.random(60) < 0.5, 1.0, np.pi), "exact convolution"),
    "few reals": (RNG.normal(size=20), ENUMERATION),
    "many reals": (RNG.normal(size=300), INVERSION),
}


@pytest.mark.parametrize("kind", WAYS)
def test_the_way_is_named(kind: str) -> None:
    """Each kind of row is answered by the way that suits it, which the answer names."""
    values, method = WAYS[kind]
    found = sign_flip_tails(values)
    assert method in found.method.split(", each")[0].split("; ")
    assert ("each tail within" in found.method) == (method == INVERSION)


def test_methods_are_named_in_order_and_once() -> None:
    """A batch of several kinds names every way it took."""
    rows = np.zeros((3, 60))
    rows[0, :20], rows[1], rows[2, :5] = RNG.normal(size=20), SIGNS[:60], 1.0
    assert sign_flip_tails(rows).method == f"closed form; exact binomial; {ENUMERATION}"


def test_a_giant_is_taken_or_left() -> None:
    """Sixty normals and one of a thousand: the tail is made of two halves, each inverted, and adds up."""
    small = np.random.default_rng(1).normal(size=60)
    values = np.append(small, [1e3, -1e3 + 0.5])
    found = sign_flip_tails(values)
    flips = np.random.default_rng(2).choice([-1.0, 1.0], size=(200_000, 62)) @ np.abs(values)
    assert float(found.upper) == pytest.approx(np.mean(flips >= values.sum()), abs=0.006)
    assert float(found.error) < 1e-8


def test_ways_agree_when_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no patience for exact ways forty reals are inverted, and agree with what enumeration says."""
    values = np.random.default_rng(3).normal(size=(6, 34))
    exact = sign_flip_tails(values)
    assert exact.method == ENUMERATION
    monkeypatch.setattr(methods, "PATIENCE", 1.0)
    inverted = sign_flip_tails(values)
    assert inverted.method.startswith(INVERSION)
    assert np.all(np.abs(exact.lower - inverted.lower) <= inverted.error + 1e-15)


@pytest.fixture
def enumerated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows all subsets were asked for, each time; none is worked out."""
    asked_for: list[int] = []

    def told(sums: SubsetSums) -> Tail:
        asked_for.append(len(sums))
        return Tail(*np.zeros((3, len(sums))))

    monkeypatch.setattr(methods, "enumerated_tails", told)
    return asked_for


def unsettled(rows: int, sizes: int) -> Ledger:
    values, none = np.sort(RNG.random((rows, sizes)), axis=1), np.zeros(rows)
    return Ledger(SubsetSums(values, values.sum(axis=1) / 2.0, none, none > 0.0, none))


@pytest.mark.parametrize(
    ("sizes", "rows", "taken"), [(40, 38, True), (40, 39, False), (23, 10_000, True), (24, 10_000, False)]
)
def test_how_far_patience_with_all_subsets_goes(sizes: int, rows: int, taken: bool, enumerated: list[int]) -> None:
    """Two seconds for all rows together: 40 sizes for a few of them, 23 for ten thousand."""
    methods._enumeration(unsettled(rows, sizes))
    assert enumerated == [rows] * taken


@pytest.mark.parametrize(("rows", "taken"), [(49, True), (50, False), (51, False)])
def test_what_a_first_inversion_left_over_is_worth_no_more_than_the_others(
    rows: int, taken: bool, enumerated: list[int]
) -> None:
    """Ten rows of forty sizes are enumerated, unless they are left of fifty or more, which would all have had that claim."""
    ledger = unsettled(rows, 40)
    ledger.open[10:] = False
    methods._enumeration(ledger)
    assert enumerated == [10] * taken


def test_a_rough_answer_is_tried_again() -> None:
    """A few rows whose inversion is rough are grouped if few sums count, and then exact."""
    rng = np.random.default_rng(4)
    values = np.append(rng.uniform(1.0, 1.2, size=50), -rng.uniform(1.0, 1.2, size=4))
    found = sign_flip_tails(values)
    assert ENUMERATION in found.method
    assert float(found.error) <= 1e-13 * float(found.upper)


def test_small_tails_of_a_batch_keep_their_digits() -> None:
    """A Fourier sum is good to 1e-13 only: rows with tails below 1e-4 are counted one by one."""
    rng = np.random.default_rng(5)
    rows = np.rint(rng.normal(0.2, 2.0, size=(3_000, 90)))
    rows[0] = np.rint(rng.normal(2.5, 2.0, size=90))
    together, alone = sign_flip_tails(rows), sign_flip_tails(rows[0])
    assert "Fourier" in together.method
    assert float(alone.upper) < 1e-12
    assert float(together.upper[0]) == pytest.approx(float(alone.upper), rel=1e-9, abs=0.0)


def test_equal_rows_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated ratings repeat each other: the same row is not convolved again."""
    calls = []

    def counting(sums: SubsetSums) -> Tail:
        calls.append(1)
        return convolution_tail(sums)

    monkeypatch.setattr(whole_numbers, "convolution_tail", counting)
    monkeypatch.setattr(methods, "grouping_time", lambda sums: np.full(len(sums), np.inf))
    monkeypatch.setattr(methods, "grouping_time", lambda sums: np.full(len(sums), np.inf))
    sign_flip_tails(np.tile(np.rint(np.random.default_rng(6).normal(0.0, 3.0, size=50)), (4, 1)))
    assert len(calls) == 1


def test_every_row_of_a_small_batch_is_right() -> None:
    """Whatever way the rows took, their tails are those of all subsets."""
    rng = np.random.default_rng(7)
    rows = np.concatenate([rng.normal(size=(8, 10)), np.rint(rng.normal(0.0, 2.0, size=(8, 10)))])
    sums = asked(rows)
    ledger = settled(sums)
    assert not ledger.open.any()
    for i in range(len(sums)):
        assert (ledger.tail.at_most[i], ledger.tail.below[i]) == pytest.approx(listed(sums, i), rel=1e-12, abs=0.0)


def test_costs_grow_with_what_is_counted() -> None:
    """Larger thresholds, more different sizes and more items take longer; beyond their limits, for ever."""
    near, far = asked(np.array([1.0, -1.0, 2.0, -3.0])), asked(np.array([1.0, -999.0, 1000.0, -301.0]))
    assert float(counting_time(near)[0]) <= float(counting_time(far)[0])
    real = asked(np.random.default_rng(8).normal(size=(1, 41)))
    assert enumeration_time(real).tolist() == ([np.inf] if int(real.count[0]) > 40 else enumeration_time(real).tolist())
    assert float(enumeration_time(asked(RNG.normal(size=30)))[0]) < float(
        enumeration_time(asked(RNG.normal(size=40)))[0]
    )
    tied, apart = asked(SIGNS[:20] * np.pi), asked(RNG.normal(size=20))
    assert float(grouping_time(tied)[0]) < float(grouping_time(apart)[0])
    assert np.isinf(methods._convolution_time(apart)[0])
    assert np.isinf(methods._convolution_time(asked(np.array([1.0, -3e7, 2e7, 2e7 + 1.0])))[0])


class TestLedger:
    """Which rows have their answer."""

    def test_rows_are_settled_once(self) -> None:
        ledger = Ledger(asked(np.ones((3, 2)) * np.array([1.0, -1.0])))
        ledger.settle(np.array([1]), Tail(*(np.array([x]) for x in (0.5, 0.25, 0.0))), "by hand")
        assert ledger.open.tolist() == [True, False, True]
        assert ledger.which(np.array([True, True, False])).tolist() == [0]
        assert (ledger.tail.at_most[1], ledger.tail.below[1], ledger.tail.error[1]) == (0.5, 0.25, 0.0)
        assert ledger.described == "by hand"

    def test_no_answer_settles_nothing(self) -> None:
        ledger = Ledger(asked(np.array([1.0, -1.0])))
        ledger.settle(np.array([0]), None, "in vain")
        ledger.settle(np.array([], dtype=np.int64), Tail(*(np.zeros(0) for _ in range(3))), "for nobody")
        assert ledger.open.all()
        assert ledger.described == ""

    def test_a_better_answer_replaces_an_inversion(self) -> None:
        ledger = Ledger(asked(np.array([1.0, -1.0])))
        ledger.settle(np.array([0]), Tail(*(np.array([x]) for x in (0.7, 0.2, 0.1))), INVERSION)
        assert ledger.described.endswith("each tail within 0.1")
        ledger.resettle(0, Tail(*(np.array([x]) for x in (0.9, 0.9, 0.2))), "a worse one")
        ledger.resettle(0, Tail(*(np.array([x]) for x in (0.8, 0.8, 0.1))), "one as good")
        ledger.resettle(0, None, "none")
        assert float(ledger.tail.at_most[0]) == 0.7
        ledger.resettle(0, Tail(*(np.array([x]) for x in (0.75, 0.25, 0.0))), ENUMERATION)
        assert (float(ledger.tail.at_most[0]), ledger.described) == (0.75, ENUMERATION)


def test_patience_is_for_all_rows_together() -> None:
    """Thirty-odd reals are enumerated in a few rows, and inverted in thousands."""
    few, many = (np.random.default_rng(9).normal(size=(rows, 36)) for rows in (3, 3_000))
    assert sign_flip_tails(few).method == ENUMERATION
    together = sign_flip_tails(many)
    assert together.method.startswith(INVERSION)
    exact = enumerated_tails(asked(many[:1]))
    found = min(float(together.lower[0]), float(together.upper[0]))
    assert found == pytest.approx(float(exact.at_most[0]), abs=float(together.error[0]))


def test_a_fourier_sum_is_kept_from_a_ten_thousandth_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error is absolute: smaller tails, which others find to more digits, are left to them."""
    sizes = np.arange(1.0, 41.0)
    # Sums of 40 ranks vary by 74 about 410: 3.4 to 4.1 standard deviations below are tails of 3e-4 to 3e-5.
    chosen = np.arange(108.0, 160.0, 2.0)
    rows = np.stack([_signed(sizes, taken) for taken in chosen])
    sums = asked(rows)
    monkeypatch.setattr(methods, "counting_time", lambda some: np.full(len(some), 1e12))
    monkeypatch.setattr(whole_numbers, "fourier_time", lambda _: 1.0)
    ledger = Ledger(sums)
    methods._fourier(ledger)
    exact = np.array([settled(sums[row : row + 1]).tail.at_most[0] for row in range(len(sums))])
    above = exact > 1e-4
    assert (~ledger.open).tolist() == above.tolist()
    # Close to it on both sides.
    assert 0.8e-4 < exact[~above].max() < 1e-4 < exact[above].min() < 1.2e-4


def _signed(sizes: FloatArray, taken: float) -> FloatArray:
    """These sizes with so much of their sum below zero, the largest first."""
    signs = np.ones(len(sizes))
    for place in range(len(sizes) - 1, -1, -1):
        if sizes[place] <= taken:
            signs[place], taken = -1.0, taken - sizes[place]
    return sizes * signs


@pytest.mark.parametrize(("rows", "tried"), [(4, False), (5, True)])
def test_few_rows_are_not_inverted_in_haste(rows: int, tried: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to four are worth their exact way, however long that takes."""
    values = np.rint(np.random.default_rng(6).normal(0.0, 900.0, size=(rows, 200)))
    monkeypatch.setattr(methods, "counting_time", lambda some: np.full(len(some), 1e9))
    monkeypatch.setattr(whole_numbers, "fourier_time", lambda some: 1e9 * len(some))
    ledger = Ledger(asked(values))
    methods._quick_inversion(ledger)
    assert bool((~ledger.open).all()) == tried
    assert bool((~ledger.open).any()) == tried


def test_sizes_without_a_giant_are_not_split() -> None:
    """Nothing but a size that dwarfs the others is taken or left by itself."""
    ledger = Ledger(asked(np.random.default_rng(7).normal(size=(3, 60))))
    methods._dominant_differences(ledger)
    assert ledger.open.all()


@pytest.mark.parametrize(("rows", "work"), [(4, methods.WORK), (5, 32 * methods.WORK)])
def test_a_few_rows_share_less_work_than_a_batch(rows: int, work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a single row may take, or what all rows of a batch may take together."""
    asked_for: list[int] = []

    def inverted(sums: SubsetSums, work: int) -> Tail:
        asked_for.append(work)
        return Tail(*(np.full(len(sums), value) for value in (0.3, 0.3, 0.0)))

    monkeypatch.setattr(methods, "inverted_tails", inverted)
    methods._inversion(Ledger(asked(np.random.default_rng(8).normal(size=(rows, 60)))))
    assert asked_for == [work]
