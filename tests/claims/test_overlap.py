"""The overlap as a claim reports it: read with its rounding, as a discordance or a correlation."""

import pytest

from tellapart.claims.accuracies import AccuracyPair, ReportedOverlap, accuracies, reported_overlap
from tellapart.claims.claim import Claim
from tellapart.claims.tables import Margins, OverlapLimits, RightAnswers
from tellapart.foundation.errors import UsageError
from tellapart.populations.evidence.evidence import discordance_at


def pair_of(claim: Claim) -> AccuracyPair:
    return accuracies(claim, None)


def read(a: str = "0.70", b: str = "0.72", **overlap: str) -> ReportedOverlap | None:
    claim = Claim(a=a, b=b, items=1000, **overlap)  # type: ignore[arg-type]  # by name
    return reported_overlap(claim, pair_of(claim))


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [
        ({"discordance": "0.10"}, ("discordance", 0.10, 0.10, 0.095, 0.105)),
        ({"discordance": "0.1:0.25"}, ("discordance", 0.1, 0.25, 0.05, 0.255)),
        ({"discordance": "10%"}, ("discordance", 0.10, 0.10, 0.095, 0.105)),
        ({"discordance": "10"}, ("discordance", 0.10, 0.10, 0.095, 0.105)),
        ({"discordance": "0.0"}, ("discordance", 0.0, 0.0, 0.0, 0.05)),
        ({"discordance": "100%"}, ("discordance", 1.0, 1.0, 0.995, 1.0)),
        ({"agreement": "0.90"}, ("discordance", 0.10, 0.10, 0.095, 0.105)),
        ({"agreement": "0.75:0.9"}, ("discordance", 0.1, 0.25, 0.05, 0.255)),
        ({"correlation": "0.50"}, ("correlation", 0.5, 0.5, 0.495, 0.505)),
        ({"correlation": "-1:1.0"}, ("correlation", -1.0, 1.0, -1.0, 1.0)),
    ],
    ids=str,
)
def test_reading(overlap: dict[str, str], expected: tuple[str, float, float, float, float]) -> None:
    """A number or a range, and what rounding makes of it, within what can be."""
    known = read(**overlap)
    assert known is not None
    assert known.kind == expected[0]
    numbers = (known.low, known.high, known.low_rounded, known.high_rounded)
    assert numbers == pytest.approx(expected[1:], abs=1e-12)


@pytest.mark.parametrize(
    ("overlap", "message"),
    [
        ({"discordance": "0.1", "correlation": "0.5"}, "give one of discordance, correlation"),
        ({"discordance": "-0.1"}, "it should be a share of the items"),
        ({"discordance": "101"}, "it should be a share of the items"),
        ({"discordance": "0.3:0.1"}, "the lower end first"),
        ({"correlation": "0.1:0.2:0.3"}, "the lower end first"),
        ({"correlation": "1.5"}, "correlation is 1.5; it should lie between -1 and 1"),
        ({"correlation": "-1.5:0"}, "correlation is -1.5:0; it should lie between -1 and 1"),
        ({"correlation": "50%"}, "it should lie between -1 and 1"),
        ({"a": "70.0", "b": "72.0", "discordance": "0.1"}, "write 0.1 % or 10 %"),
    ],
    ids=str,
)
def test_overlaps_that_cannot_be(overlap: dict[str, str], message: str) -> None:
    """What was found, and what was wanted."""
    with pytest.raises(UsageError) as refused:
        read(**overlap)
    assert message in str(refused.value)


def test_no_overlap_was_reported() -> None:
    """Then nothing is known."""
    assert read() is None


def test_no_items_that_differ_beside_percentages() -> None:
    """Nothing is nothing in any unit."""
    known = read(a="70.0", b="70.0", discordance="0.0")
    assert known is not None
    assert (known.low, known.high) == (0.0, 0.0)


def test_discordance_at_two_accuracies() -> None:
    """Its middle and ends, moved into what the accuracies leave possible; a higher correlation is a lower discordance."""
    share = ReportedOverlap("discordance", 0.1, 0.3, 0.1, 0.3).discordance(0.7, 0.72)
    assert (share.expected, share.low, share.high) == (0.2, 0.1, 0.3)
    moved = ReportedOverlap("discordance", 0.0, 0.9, 0.0, 0.9).discordance(0.7, 0.72)
    assert (moved.low, moved.high) == pytest.approx((0.02, 0.58))
    related = ReportedOverlap("correlation", 0.2, 0.6, 0.2, 0.6).discordance(0.7, 0.72)
    assert (related.low, related.expected, related.high) == pytest.approx(
        [discordance_at(0.7, 0.72, r) for r in (0.6, 0.4, 0.2)]
    )


def test_margins_with_the_overlap() -> None:
    """As reported at the nearest counts, and with all that rounding allows."""
    margins = Margins(100, RightAnswers(69, 71, 70), RightAnswers(71, 73, 72))
    reported, rounded = ReportedOverlap("discordance", 0.1, 0.2, 0.05, 0.25).limit_margins(margins)
    assert reported == Margins(
        100, RightAnswers(70, 70, 70), RightAnswers(72, 72, 72), OverlapLimits("discordance", 0.1, 0.2)
    )
    assert rounded == Margins(100, margins.a, margins.b, OverlapLimits("discordance", 0.05, 0.25))
