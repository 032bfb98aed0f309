"""Past results: what a row says, in percent or as fractions, and rows that contradict themselves."""

import pytest

from tellapart.claims.past_results import PrintedResult, Scales, past_result
from tellapart.foundation.errors import ReadError

FRACTIONS = Scales(1, 1)
PERCENT = Scales(100, 100)


@pytest.mark.parametrize(
    ("row", "scales", "expected"),
    [
        (PrintedResult(baseline="0.70", new="0.72"), FRACTIONS, (0.7, 0.72, None)),
        (PrintedResult(baseline="70", gap="-2"), PERCENT, (0.7, 0.68, None)),
        (PrintedResult(baseline="70", new="72", gap="2", discordance="10"), PERCENT, (0.7, 0.72, 0.9)),
        (PrintedResult(baseline="70", new="72", agreement="0.9", discordance="10%"), Scales(100, 1), (0.7, 0.72, 0.9)),
        (PrintedResult(baseline="0.5%", new="1.5"), PERCENT, (0.005, 0.015, None)),
        (PrintedResult(baseline="0", new="1", agreement="0"), FRACTIONS, (0.0, 1.0, 0.0)),
    ],
    ids=str,
)  # fmt: skip
def test_rows(row: PrintedResult, scales: Scales, expected: tuple[float, float, float | None]) -> None:
    """Two accuracies and, where it is known, how often the systems agreed."""
    found = past_result(row, scales)
    assert (found.baseline, found.new) == pytest.approx(expected[:2])
    assert found.agreement == (None if expected[2] is None else pytest.approx(expected[2]))


@pytest.mark.parametrize(
    ("row", "scales", "message"),
    [
        (PrintedResult(new="0.72"), FRACTIONS, "baseline (or accuracy_a) is missing"),
        (PrintedResult(baseline="0.72"), FRACTIONS, "give new (or accuracy_b), or gap"),
        (PrintedResult(baseline="0.7", new="0.72", gap="0.03"), FRACTIONS, "new is 0.72, but baseline + gap is 0.73"),
        (PrintedResult(baseline="0.7", gap="0.4"), FRACTIONS, "outside 0 to 1"),
        (PrintedResult(baseline="0.7", gap="-0.8"), FRACTIONS, "outside 0 to 1"),
        (PrintedResult(baseline="0.7", new="72"), PERCENT, "baseline is '0.7'; it should be a percentage like the rest"),
        (PrintedResult(baseline="-0.7", new="0.72"), FRACTIONS, "it should be a fraction like the rest"),
        (PrintedResult(baseline="0.7", new="0.72", agreement="0.99"), FRACTIONS, "leave it between 0.42 and 0.98"),
        (PrintedResult(baseline="0.7", new="0.72", agreement="0.41"), FRACTIONS, "agreement 0.41 cannot be"),
    ],
    ids=str,
)  # fmt: skip
def test_rows_that_cannot_be(row: PrintedResult, scales: Scales, message: str) -> None:
    """What was found, and what was wanted."""
    with pytest.raises(ReadError) as refused:
        past_result(row, scales)
    assert message in str(refused.value)


def test_rounding_is_forgiven() -> None:
    """Half a point between two numbers that say the same, and beyond what is possible."""
    found = past_result(PrintedResult(baseline="0.70", new="0.72", gap="0.016", agreement="0.984"), FRACTIONS)
    assert (found.new, found.agreement) == (0.72, 0.984)


def test_scales_are_told_from_all_rows() -> None:
    """One number above 1 makes a column percentages; cells that hold no number tell nothing."""
    rows = [PrintedResult(baseline="0.9", new="x", agreement="0.9"), PrintedResult(baseline="70", new="0.5")]
    assert Scales.of("past.csv", rows) == Scales(100, 1)
    assert Scales.of("past.csv", rows[:1]) == Scales(1, 1)
    assert Scales.of("past.csv", [PrintedResult(baseline="1", new="0.5", agreement="1")]) == Scales(1, 1)


def test_gaps_that_may_be_points_or_fractions() -> None:
    """Beside percentages, gaps that are all below a tenth of a point are refused; one that is not settles it."""
    small = [PrintedResult(baseline="70", gap="0.02"), PrintedResult(baseline="80", gap="0")]
    with pytest.raises(ReadError, match=r"past\.csv: all gaps are below 0\.1 beside accuracies in percent"):
        Scales.of("past.csv", small)
    for settled in ("0.1", "-0.1", "0.02%"):
        rows = [*small, PrintedResult(baseline="70", gap=settled)]
        assert Scales.of("past.csv", rows).accuracy == 100
    fractions = [PrintedResult(baseline="0.70", gap="0.02")]
    assert Scales.of("past.csv", fractions).accuracy == 1
