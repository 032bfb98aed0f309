"""A printed number agrees with ours, differs by rounding, or differs: what each of these means."""

import pytest
from scipy import stats

from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import Ours, judge, predicted


def row(printed: str, means: tuple[float, float] | None = None, why: str = "") -> PublishedRow:
    return PublishedRow({"quantity": "power", "items": "50"}, printed, means, why)


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.134", 0.1342, "agrees"),
        ("0.134", 0.1345, "agrees"),
        ("≈0.134", 0.1347, "differs by rounding"),
        ("0.134", 0.1351, "differs"),
        ("1.23", 1.2383, "differs by rounding"),
        ("0.02", 0.0283, "differs"),
        ("+0.005", 0.005, "agrees"),
        ("65920", 131862.0, "differs"),
        ("8.45e-5", 8.451e-5, "agrees"),
    ],
)
def test_computed_numbers(printed: str, ours: float, verdict: str) -> None:
    """To the printed digits it agrees; less than one in the last digit (and 5 %) is rounding; the rest differs."""
    assert judge(row(printed), Ours(ours), None).verdict == verdict


def test_words_mean_a_range() -> None:
    """Words and ranges are judged by the numbers that make them true."""
    assert judge(row("above 0.85", (0.85, 1.0)), Ours(0.976), None).verdict == "agrees"
    cell = judge(row("0.45–0.55", (0.45, 0.55)), Ours(0.576), None)
    assert (cell.verdict, cell.published, cell.failed) == ("differs", "0.45–0.55", True)


def test_simulated_numbers_may_scatter() -> None:
    """A share of 1,000 replicates agrees within their error; the same number computed would not."""
    ours = Ours(0.742, share=True)
    assert judge(row("0.763"), ours, 1000).verdict == "agrees"
    assert judge(row("0.763"), Ours(0.742), 1000).verdict == "differs"
    assert judge(row("0.863"), ours, 1000).verdict == "differs"


@pytest.mark.parametrize("share", [0.0, 0.0004, 0.05, 0.5, 0.98, 1.0])
def test_the_band_is_that_of_their_replicates(share: float) -> None:
    """Where ours is exact, the 99.9 % band is binomial; where it is simulated, beta-binomial with half a hit more."""
    low, high = (float(stats.binom.ppf(tail, 1000, share)) for tail in (0.0005, 0.9995))
    assert predicted(Ours(share), 1000) == pytest.approx((max(low, 0) / 1000, high / 1000))
    law = stats.betabinom(1000, 8000 * share + 0.5, 8000 * (1 - share) + 0.5)
    assert predicted(Ours(share, replicates=8000), 1000) == pytest.approx(law.ppf([0.0005, 0.9995]) / 1000)


def test_a_known_reason_is_told_only_where_it_is_needed() -> None:
    """A cell that agrees has no reason; one that differs fails unless it has one; one without ours is only shown."""
    assert judge(row("0.5", why="wrong"), Ours(0.5), None).why == ""
    known = judge(row("0.5", why="wrong"), Ours(0.9), None)
    assert (known.verdict, known.why, known.failed) == ("differs", "wrong", False)
    assert judge(row("0.5"), Ours(0.9), None).failed
    shown = judge(row("0.5", why="not published"), None, None)
    assert (shown.verdict, shown.ours, shown.why) == ("as published", None, "not published")
