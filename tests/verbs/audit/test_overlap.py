"""A reported overlap: p-values stay in order, and hold every table that prints as the claim does."""

from collections.abc import Iterator
from typing import Any

import pytest
from scipy import stats

from tellapart import Claim, audit
from tellapart.answers.audit import AuditedClaim
from tellapart.answers.parts import codes
from tellapart.foundation.errors import UsageError

Printed = dict[str, str]


def one(**printed: Any) -> AuditedClaim:
    return audit(Claim(**printed)).claims[0]


def pvalues(claim: AuditedClaim) -> tuple[float, ...]:
    """From the lowest to the highest, as they should be."""
    found = (claim.p_low_rounded, claim.p_low, claim.p_expected, claim.p_high, claim.p_high_rounded)
    return tuple(p for p in found if p is not None)


def tables(items: int) -> Iterator[tuple[int, int, int]]:
    """Right answers of A and of B, and discordant items, of every table."""
    for a in range(items + 1):
        for b in range(items + 1):
            for discordant in range(abs(b - a), min(a + b, 2 * items - a - b) + 1, 2):
                yield a, b, discordant


def mid_p(gap: int, discordant: int) -> float:
    losses = (discordant - abs(gap)) // 2
    tail = 2.0 * stats.binom.cdf(losses, discordant, 0.5) - stats.binom.pmf(losses, discordant, 0.5)
    return min(float(tail), 1.0)


@pytest.mark.parametrize(
    "printed",
    [
        {"a": "0.1", "b": "0.8", "items": "16", "discordance": "0.625"},
        {"a": "0.4", "b": "1.0", "items": "25", "discordance": "0.56"},
        {"a": "1.0", "b": "0.9", "items": "25", "discordance": "0.16"},
        {"a": "0.67", "b": "0.30", "items": "30", "discordance": "0.4"},
        {"a": "0.3", "b": "0.5", "items": "15", "correlation": "0.094"},
        {"correct_a": "500", "correct_b": "502", "items": "1000", "discordance": "0.003"},
    ],
    ids=str,
)
def test_counts_that_do_not_go_with_the_overlap(printed: Printed) -> None:
    """Where the nearest counts leave no table with the overlap, the tables that print so still keep the p-values in order."""
    found = pvalues(one(**printed, unit=None if "correct_a" in printed else "fraction"))
    assert len(found) == 5
    assert found == tuple(sorted(found))


@pytest.mark.parametrize(("items", "decimals"), [(9, 1), (12, 2), (14, 1)])
def test_every_table_that_prints_so_is_held(items: int, decimals: int) -> None:
    """Accuracies and discordance of every table, printed: its p-value lies in the range, and the range is in order."""
    for a, b, discordant in tables(items):
        texts = [f"{x / items:.{decimals}f}" for x in (a, b, discordant)]
        claim = one(a=texts[0], b=texts[1], discordance=texts[2], items=items, unit="fraction")
        found, p = pvalues(claim), mid_p(b - a, discordant)
        assert found == tuple(sorted(found)), texts
        assert found[0] * (1 - 1e-12) <= p <= found[-1] * (1 + 1e-12), texts


def test_only_tables_with_the_reported_overlap_count() -> None:
    """A discordance of 60 in 1,000 takes an even gap: odd ones, which rounding would allow, are left out."""
    found = one(a="0.70", b="0.72", items=1000, discordance="0.060")
    gaps = range(10, 31, 2)
    assert found.p_low_rounded == pytest.approx(min(mid_p(gap, 60) for gap in gaps), rel=1e-9, abs=0.0)
    assert found.p_high_rounded == pytest.approx(max(mid_p(gap, 60) for gap in gaps), rel=1e-9, abs=0.0)


def test_an_overlap_that_no_whole_number_has() -> None:
    """Two accuracies apart by two of 100 items differ on an even number; between two of them both count, and it is said."""
    found = one(correct_a=70, correct_b=72, items=100, discordance="0.05")
    assert (found.p_low, found.p_high) == pytest.approx((mid_p(2, 4), mid_p(2, 6)), rel=1e-9, abs=0.0)
    assert "overlap_between_whole_numbers" in codes(found.notes)
    assert "overlap_between_whole_numbers" not in codes(one(correct_a=70, correct_b=72, items=100).notes)


def test_effects_that_the_reported_overlap_does_not_allow() -> None:
    """With the overlap reported, a plausible effect may be one that cannot be, and then has no power."""
    found = one(a="0.70", b="0.72", items=1000, discordance="0.020:0.030", effect="0.05")
    assert codes(found.notes) == ("plausible_effect_impossible", "certain_without_rounding")
    assert (found.supposed.basis, found.plausible_basis) == ("reported", "given")
    assert (found.plausible_effect, found.power) == (0.05, None)
    lost = one(a="0.70", b="0.72", items=50, correlation="0.95")
    assert (lost.supposed.basis, lost.detectable) == ("reported", None)


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ({"correct_a": "70%", "correct_b": "72%"}, "percent sign"),
        ({"a": "0.7%", "b": "0.8%", "unit": "fraction"}, "percent sign"),
        ({"correct_a": "700", "correct_b": "720", "a": "0.75"}, "does not round to a = 0.75"),
        ({"correct_a": "700", "correct_b": "720", "b": "71.0"}, "does not round to b = 71.0"),
        ({"a": "0.70", "b": "0.72", "effect": "0.5"}, "leaves at most 0.3"),
        ({"a": "0.70", "b": "0.72", "decimals": "1000000"}, "decimals is"),
    ],
    ids=str,
)
def test_numbers_that_contradict_each_other(printed: Printed, message: str) -> None:
    """A percent sign on a count, an accuracy beside other counts, an effect beyond perfection: refused, not ignored."""
    with pytest.raises(UsageError, match=message):
        one(**printed, items=1000)


def test_counts_beside_their_accuracies() -> None:
    """Counts with the accuracies they round to, in any unit, are taken as exact."""
    alone = one(correct_a=701, correct_b=722, items=1000)
    for a, b in (("0.70", "0.72"), ("70.1", "72.2"), ("701", "722")):
        both = one(correct_a=701, correct_b=722, a=a, b=b, items=1000)
        assert pvalues(both) == pvalues(alone)


def test_evidence_beyond_its_range_is_told() -> None:
    """Gains are as little known outside the accuracies they were seen at as overlaps are."""
    (note,) = one(a="30.0", b="35.0", items=500).notes
    seen = {"evidence": "typical_gain", "accuracy": 0.3, "low": 0.61, "high": 0.99}
    assert (note.code, note.values) == ("evidence_out_of_range", seen)
    assert one(a="70.0", b="72.0", items=500).notes == ()


@pytest.mark.parametrize(
    ("printed", "hinted"),
    [
        ({"a": "0.847", "b": "0.865", "items": 1000}, True),
        ({"a": "84.7", "b": "86.5", "items": 1000}, False),
        ({"a": "84.7%", "b": "86.5%", "items": 1000}, False),
        ({"a": "0.847", "b": "0.865", "items": 1000, "unit": "fraction"}, False),
        ({"a": "0.847", "b": "0.865", "items": 1000, "discordance": "0.1"}, False),
        ({"a": "0.847", "b": "0.865", "items": 1000, "runs": 4}, False),
        ({"a": "0.847", "b": "0.865", "items": 1000, "sd": "0.2"}, False),
        ({"correct_a": 847, "correct_b": 865, "items": 1000}, False),
        ({"a": "0.847", "b": "0.865", "items": 200}, False),
    ],
)
def test_fractions_may_be_means_of_anything(printed: dict[str, Any], hinted: bool) -> None:
    """Where nothing says that they are shares of right answers, a note leads to the sd; what cannot be counts says so already."""
    assert ("taken_as_accuracies" in codes(one(**printed).notes)) is hinted
