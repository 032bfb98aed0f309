"""The range of p-values always holds that of the true table: all tables of small evaluations, and known extremes."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from tellapart.claims.accuracies import ReportedOverlap
from tellapart.claims.reported import Reported
from tellapart.claims.table_pvalues import (
    SCANNED,
    pvalue_range,
    pvalues,
    pvalues_at,
    share_with_pvalue,
    smallest_gap,
    table_pvalues,
)
from tellapart.claims.tables import Margins, OverlapLimits, RightAnswers, tables
from tellapart.methods.significance.mcnemar import McNemar, Variant
from tellapart.populations.evidence import Band

VARIANTS: tuple[Variant, ...] = ("mid_p", "exact", "asymptotic", "corrected")
Table = tuple[int, int, int]
"""Right answers of A, of B, and discordant items."""


def every_table(items: int) -> list[Table]:
    """All tables of so many items, as enumerated by cell."""
    cells = itertools.product(range(items + 1), repeat=3)
    return sorted({(both + loss, both + win, win + loss) for both, win, loss in cells if both + win + loss <= items})


def pvalue_of(test: McNemar, items: int, table: Table) -> float:
    a, b, discordant = table
    return float(pvalues(test, items, np.array([b - a]), np.array([discordant]))[0])


def printed(count: int, items: int, decimals: int, *, half_up: bool) -> Reported:
    """An accuracy as a paper prints it, halves rounded up or to even."""
    exact = Fraction(count, items) * 10**decimals
    rounded = math.floor(exact + Fraction(1, 2)) if half_up else round(exact)
    text = f"{Fraction(rounded, 10**decimals).__float__():.{decimals}f}"
    return Reported.read("a", text)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("items", [1, 2, 5, 8, 11])
def test_every_table_is_within_the_range(variant: Variant, items: int) -> None:
    """With the margins known exactly, the range holds the p-value of every table, and its ends are reached."""
    test = McNemar(variant=variant)
    by_margins: dict[tuple[int, int], list[float]] = {}
    for table in every_table(items):
        by_margins.setdefault(table[:2], []).append(pvalue_of(test, items, table))
    for (a, b), values in by_margins.items():
        margins = Margins(items, RightAnswers(a, a, a), RightAnswers(b, b, b))
        assert pvalue_range(test, tables(margins)) == (min(values), max(values))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("items", "decimals"), [(7, 1), (9, 1), (12, 1), (6, 2), (11, 0)])
@pytest.mark.parametrize("half_up", [True, False])
def test_every_table_is_within_the_rounded_range(variant: Variant, items: int, decimals: int, half_up: bool) -> None:
    """Whatever table was behind two printed accuracies, the range over their rounding holds its p-value, and no wider."""
    test = McNemar(variant=variant)
    margins: dict[tuple[str, str], Margins] = {}
    found: dict[tuple[str, str], list[float]] = {}
    for table in every_table(items):
        a, b = (printed(x, items, decimals, half_up=half_up) for x in table[:2])
        key = a.text, b.text
        margins.setdefault(key, Margins(items, RightAnswers.of(a, items), RightAnswers.of(b, items)))
        assert margins[key].a.low <= table[0] <= margins[key].a.high
        found.setdefault(key, []).append(pvalue_of(test, items, table))
    for key, values in found.items():
        low, high = pvalue_range(test, tables(margins[key]))
        assert low <= min(values) <= max(values) <= high


@pytest.mark.parametrize("items", [7, 10])
def test_the_rounded_range_is_reached(items: int) -> None:
    """The ends of the range are p-values of tables that the printed numbers allow."""
    test, everything = McNemar(), every_table(items)
    for low_a, low_b in itertools.product(range(items - 1), repeat=2):
        a, b = RightAnswers(low_a, low_a + 2, low_a + 1), RightAnswers(low_b, min(low_b + 1, items), low_b)
        fitting = [t for t in everything if a.low <= t[0] <= a.high and b.low <= t[1] <= b.high]
        values = [pvalue_of(test, items, t) for t in fitting]
        assert pvalue_range(test, tables(Margins(items, a, b))) == (min(values), max(values))


@pytest.mark.parametrize("items", [8, 11])
def test_a_known_discordance_narrows_the_range(items: int) -> None:
    """Tables whose discordance is the reported one, as rounded, stay within the narrower range."""
    test = McNemar()
    for table in every_table(items):
        share = round(table[2] / items, 1)
        known = ReportedOverlap("discordance", share, share, share - 0.05, share + 0.05)
        a, b = (RightAnswers(x, x, x) for x in table[:2])
        margins = Margins(items, a, b)
        low, high = pvalue_range(test, tables(known.limit_margins(margins)[1]))
        assert low <= pvalue_of(test, items, table) <= high
        wide = pvalue_range(test, tables(margins))
        assert wide[0] <= low <= high <= wide[1]


@pytest.mark.parametrize(("items", "slack"), [(8, 0), (11, 0), (9, 1)])
def test_a_known_correlation_narrows_the_range(items: int, slack: int) -> None:
    """Tables whose correlation is within the reported range stay within the narrower range, rounded margins or not."""
    test = McNemar()
    for table in every_table(items):
        a, b = table[0] / items, table[1] / items
        spread = math.sqrt(a * (1 - a) * b * (1 - b))
        if spread == 0.0:
            continue
        correlation = (0.5 * (a + b - table[2] / items) - a * b) / spread
        limits = OverlapLimits("correlation", max(correlation - 0.05, -1.0), min(correlation + 0.05, 1.0))
        first, second = (RightAnswers(max(x - slack, 0), min(x + slack, items), x) for x in table[:2])
        low, high = pvalue_range(test, tables(Margins(items, first, second, limits)))
        assert low <= pvalue_of(test, items, table) * (1 + 1e-12)
        assert high >= pvalue_of(test, items, table) * (1 - 1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_pvalues_rise_with_the_discordant_items(variant: Variant) -> None:
    """At a fixed gap more discordant items never lower the p-value: what the range rests on."""
    test = McNemar(variant=variant)
    for gap in (0, 1, 2, 3, 7, 20, 61, 200):
        discordant = np.arange(gap, 3000, 2)
        found = pvalues(test, 3000, np.full_like(discordant, gap), discordant)
        assert (np.diff(found) >= -1e-13 * found[1:]).all()


@pytest.mark.parametrize(
    ("a", "b", "items", "expected"),
    [
        ("0.70", "0.72", 1000, {"asymptotic": 7.7442e-6, "exact": 1.9073e-6, "mid_p": 9.5367e-7}),
        ("0.85", "0.87", 3000, {"asymptotic": 0.03843, "exact": 0.04172, "mid_p": 0.03849}),
    ],
)
def test_known_extremes(a: str, b: str, items: int, expected: dict[Variant, float]) -> None:
    """The smallest p of 0.70 against 0.72 and the largest of 0.85 against 0.87, by three tests."""
    first, second = (RightAnswers.of(Reported.read("a", x), items) for x in (a, b))
    margins = Margins(items, first, second).at_nearest
    for variant, value in expected.items():
        low, high = pvalue_range(McNemar(variant=variant), tables(margins))
        assert (low if a == "0.70" else high) == pytest.approx(value, rel=2e-4, abs=0.0)


def test_many_tables_are_bounded_by_the_outermost() -> None:
    """Where tables are too many to look at, the outermost give the range that looking at all of them would."""
    test, items = McNemar(), 400
    margins = Margins(items, RightAnswers(200, 240, 220), RightAnswers(250, 290, 270))
    found = tables(margins)
    assert int(((found.most - found.fewest) // 2 + 1).sum()) > SCANNED
    values = [
        pvalues(test, items, np.full(1 + (most - fewest) // 2, gap), np.arange(fewest, most + 1, 2))
        for gap, fewest, most in zip(found.gaps, found.fewest, found.most, strict=True)
    ]
    low, high = pvalue_range(test, found)
    assert (low, high) == pytest.approx(
        (min(v.min() for v in values), max(v.max() for v in values)), rel=1e-13, abs=0.0
    )


def test_impossible_accuracies_have_no_counts() -> None:
    """No whole number out of 100 rounds to 0.714; out of 7, 5 does."""
    assert not RightAnswers.of(Reported.read("a", "0.714"), 100).possible
    assert RightAnswers.of(Reported.read("a", "0.714"), 7) == RightAnswers(5, 5, 5)
    assert RightAnswers(5, 5, 5).possible


def test_pvalue_at_a_share() -> None:
    """The p-value at a discordance is that of the nearest table, and the discordance is found back from it."""
    margins = Margins(1000, RightAnswers(700, 700, 700), RightAnswers(720, 720, 720))
    test = McNemar()
    at = pvalues_at(test, (margins, 0.1946))[0]
    assert at == pytest.approx(pvalue_of(test, 1000, (700, 720, 194)), rel=1e-12, abs=0.0)
    assert at == pytest.approx(0.152, abs=5e-4)
    assert share_with_pvalue(test, margins, at) == 0.194
    assert pvalues_at(test, (margins, 0.0))[0] == pvalue_of(test, 1000, (700, 720, 20))
    assert pvalues_at(test, (margins, 1.0))[0] == pvalue_of(test, 1000, (700, 720, 580))


@pytest.mark.parametrize(("items", "share"), [(100, 0.204), (1000, 0.1003), (37, 0.505), (1000, 0.0)])
def test_the_smallest_significant_gap(items: int, share: float) -> None:
    """It is significant with the nearest discordant items to the share, and no smaller one is."""
    test, alpha = McNemar(), 0.05

    def pvalue(gap: int) -> float:
        discordant = min(range(gap, items + 1, 2), key=lambda d: abs(d - share * items))
        return pvalue_of(test, items, (0, gap, discordant))

    smallest = smallest_gap(test, items, share, alpha)
    assert smallest is not None
    gap = round(smallest * items)
    assert pvalue(gap) <= alpha
    assert all(pvalue(g) > alpha for g in range(1, gap))


def test_no_gap_of_so_few_items_is_significant() -> None:
    """Three items that all fall to one system have a mid-p of 1/8, four of 1/16."""
    assert smallest_gap(McNemar(), 4, 1.0, 0.05) is None
    assert smallest_gap(McNemar(), 3, 1.0, 0.05) is None
    assert smallest_gap(McNemar(), 3, 1.0, 0.125) == 1.0


def test_an_overlap_between_two_numbers_of_items() -> None:
    """A gap of two takes an even number of discordant items: a discordance of five in 100 lies between four and six."""
    margins = Margins(100, RightAnswers(70, 70, 70), RightAnswers(72, 72, 72))
    between = tables(Margins(100, margins.a, margins.b, OverlapLimits("discordance", 0.05, 0.05)))
    assert between.widened
    assert (between.fewest.tolist(), between.most.tolist()) == ([4], [6])
    on = tables(Margins(100, margins.a, margins.b, OverlapLimits("discordance", 0.06, 0.06)))
    assert not on.widened
    assert (on.fewest.tolist(), on.most.tolist()) == ([6], [6])


def test_pvalues_are_nested() -> None:
    """Expected within reported within rounded; without a table at the nearest counts, those that print so stand for them."""
    test = McNemar()
    margins = Margins(1000, RightAnswers(695, 705, 700), RightAnswers(715, 725, 720))
    found = table_pvalues(test, margins, None, Band(0.1946, 0.17, 0.21))
    assert found.low_rounded < found.low < found.expected < found.high < found.high_rounded
    assert (found.low, found.high) == pvalue_range(test, tables(margins.at_nearest))
    odd = Margins(1000, RightAnswers(499, 501, 500), RightAnswers(502, 502, 502))
    only = ReportedOverlap("discordance", 0.001, 0.001, 0.001, 0.001)
    lone = table_pvalues(test, odd, only, Band(0.001, 0.001, 0.001))
    assert (lone.low, lone.high) == (lone.low_rounded, lone.high_rounded)
