"""An interval instead of an sd: what it implies, and whether it is one of this difference."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Claim, audit
from tellapart.errors import UsageError
from tellapart.results.audit import AuditedClaim


def one(**printed: Any) -> AuditedClaim:
    return audit(Claim(**{"a": "0.847", "b": "0.865", "items": 200, **printed})).claims[0]


@pytest.mark.parametrize("level", [None, "0.9", "99", "99%"])
def test_student_s_interval_comes_back(level: str | None) -> None:
    """The p-value of scores whose Student interval was printed with many digits, whatever its level."""
    rng = np.random.default_rng(3)
    share = (
        0.95 if level is None else float(level.strip("%")) / (100.0 if float(level.strip("%")) > 1 else 1.0)
    )
    differences = rng.normal(0.02, 0.15, 200)
    test = stats.ttest_1samp(differences, 0.0)
    low, high = test.confidence_interval(share)
    found = one(
        a="0.5",
        b=f"{0.5 + differences.mean():.12f}",
        ci=f"{low:.12f}:{high:.12f}",
        ci_level=level,
        decimals=12,
    )
    assert found.p_expected == pytest.approx(float(test.pvalue), rel=1e-6, abs=0.0)
    note = next(note for note in found.notes if note.code == "interval_implies")
    assert note.values["sd"] == pytest.approx(float(differences.std(ddof=1)), rel=1e-6, abs=0.0)
    assert not any(note.code == "interval_elsewhere" for note in found.notes)


@pytest.mark.parametrize(
    "text",
    [
        "-0.002:0.038",
        "[-0.002, 0.038]",
        "(-0.002; 0.038)",
        "-0.002 to 0.038",
        "−0.002–0.038",
        "± 0.020",
        "+/-0.020",
        "±0.02",
    ],
)
def test_as_papers_print_it(text: str) -> None:
    """Brackets, commas, dashes, plus and minus: the same width, the same p-value."""
    assert one(ci=text).p_expected == one(ci="-0.002:0.038").p_expected


def test_a_hyphen_between_numbers() -> None:
    """0.002-0.038 is a range, not a number and a negative one."""
    assert one(ci="0.002-0.038").p_expected == one(ci="0.002:0.038").p_expected


def test_what_it_implies_beside_spreads() -> None:
    """The correlation that turns the two sds into that of the difference; without sds the overlap of right and wrong."""
    found = one(ci="-0.002:0.038", sd="0.12")
    note = next(note for note in found.notes if note.code == "interval_implies")
    half = 0.02 / float(stats.t.ppf(0.975, 199)) * math.sqrt(200)
    assert note.values["correlation"] == pytest.approx(1.0 - half**2 / (2 * 0.12**2))
    assert note.values["discordance"] is None
    alone = next(note for note in one(ci="-0.002:0.038").notes if note.code == "interval_implies")
    assert alone.values["discordance"] == pytest.approx(half**2 * 199 / 200 + 0.018**2)
    impossible = one(ci="-0.20:0.24", sd="0.12")
    assert (impossible.verdict, impossible.impossible and impossible.impossible.code) == (
        "impossible",
        "no_correlation_gives_this_spread",
    )


def test_intervals_of_each_mean() -> None:
    """They stand for the standard errors of the means."""
    factor = float(stats.t.ppf(0.975, 199))
    by_se = one(se_a="0.01", se_b="0.02", correlation="0.5")
    by_ci = one(ci_a=f"±{0.01 * factor:.15f}", ci_b=f"±{0.02 * factor:.15f}", correlation="0.5")
    assert by_ci.p_expected == pytest.approx(by_se.p_expected, rel=1e-9, abs=0.0)


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ({"ci": "0.02"}, "low:high"),
        ({"ci": "0.04:0.01"}, "the lower end first"),
        ({"ci": "0.01:0.01"}, "the lower end first"),
        ({"ci": "± 0"}, "low:high"),
        ({"ci": "1:2:3"}, "low:high"),
        ({"ci": "a:b"}, "low:high"),
        ({"ci": "1%:3%"}, "percent sign"),
        ({"ci": "-0.002:0.038", "ci_level": "0"}, "ci_level"),
        ({"ci": "-0.002:0.038", "ci_level": "950"}, "ci_level"),
        ({"ci": "-0.002:0.038", "se_difference": "0.05"}, "cannot both be"),
        ({"ci_a": "±0.01"}, "both systems"),
    ],
    ids=str,
)
def test_intervals_that_cannot_be(printed: dict[str, Any], message: str) -> None:
    """What is no interval, or contradicts what is said besides, is refused."""
    with pytest.raises(UsageError, match=message):
        one(**printed)
