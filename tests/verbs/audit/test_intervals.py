"""An interval instead of an sd: what it implies, and whether it is one of this difference."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Claim, audit
from tellapart.answers.audit import AuditedClaim
from tellapart.foundation.errors import UsageError


def one(**printed: Any) -> AuditedClaim:
    return audit(Claim(**{"a": "0.847", "b": "0.865", "items": 200, **printed})).claims[0]


@pytest.mark.parametrize("level", [None, "0.9", "99", "99%"])
def test_student_s_interval_comes_back(level: str | None) -> None:
    """The p-value of scores whose Student interval was printed with many digits, whatever its level."""
    rng = np.random.default_rng(3)
    share = 0.95 if level is None else float(level.strip("%")) / (100.0 if float(level.strip("%")) > 1 else 1.0)
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
        ({"ci": "-0.002:0.038", "se_difference": "0.05"}, "contradict each other"),
        ({"ci_a": "±0.01"}, "both systems"),
    ],
    ids=str,
)
def test_intervals_that_cannot_be(printed: dict[str, Any], message: str) -> None:
    """What is no interval, or contradicts what is said besides, is refused."""
    with pytest.raises(UsageError, match=message):
        one(**printed)


@pytest.mark.parametrize(
    ("ci", "reading"),
    [
        ("-0.9:0.9", "half a width"),
        ("0.005:0.035", "in fractions"),
        ("3:5", None),
        ("-3.5:-0.5", "of A - B"),
    ],
)
def test_intervals_of_another_difference_claim_nothing(ci: str, reading: str | None) -> None:
    """A difference outside its own interval: no p-value, nothing detectable, and no part of any count but the impossible ones."""
    answer = audit(Claim(a="71.0", b="73.0", items=2000, ci=ci, systems=5, effect="1"))
    found, told = answer.claims[0], answer.summary
    assert found.impossible is not None
    assert (found.verdict, found.impossible.code) == ("impossible", "interval_without_its_number")
    assert found.impossible.values["reading"] == reading
    nothing = (found.p_low, found.p_expected, found.p_high, found.p_low_rounded, found.p_high_rounded)
    assert {*nothing, found.detectable, found.ratio, found.size, found.power, found.among_many} == {None}
    assert (told.impossible, told.certain, told.significant, told.powered) == (1, 0, 0, 0)
    assert told.below + told.borderline + told.above == 0
    assert found.notes == ()


@pytest.mark.parametrize(
    ("printed", "role"),
    [
        ({"ci_a": "0.69:0.73", "ci_b": "71:75"}, "ci_a"),
        ({"ci_a": "69:73", "ci_b": "0.71:0.75"}, "ci_b"),
    ],
)
def test_means_outside_their_own_intervals(printed: dict[str, Any], role: str) -> None:
    """Fractions beside percentages would have made a standard error a hundredth of what it was."""
    found = audit(Claim(a="71", b="73", items=2000, **printed)).claims[0]
    assert found.impossible is not None
    assert (found.impossible.values["role"], found.impossible.values["reading"]) == (role, "in fractions")


@pytest.mark.parametrize(
    ("ci", "verdict", "excludes"),
    [
        ("0.8:3.6", "certain", True),
        ("0.3:4.1", "likely", True),
        ("0.1:4.5", "undecidable", True),
        ("1.9:9.0", "undecidable", True),
        ("-1.5:3.4", "undecidable", False),
        ("-3.0:5.0", "not significant", False),
    ],
)
def test_intervals_that_are_not_symmetric(ci: str, verdict: str, excludes: bool) -> None:
    """Certain, or not significant, is what both arms show; likely what the arm towards 0 and the width do."""
    found = audit(Claim(a="71.0", b="73.0", items=2000, ci=ci)).claims[0]
    note = next(note for note in found.notes if note.code == "interval_elsewhere")
    assert (found.verdict, note.values["excludes_zero"]) == (verdict, excludes)


@pytest.mark.parametrize(
    ("printed", "most"),
    [
        ({"a": "71", "b": "73", "items": 2000, "ci": "0.5:3.5"}, 0.012),
        ({"a": ".6", "b": ".7", "items": 400, "ci": "0.02:0.18"}, 0.022),
    ],
)
def test_where_the_interval_lies_settles_what_the_means_leave(printed: dict[str, Any], most: float) -> None:
    """An interval that excludes 0 after rounding, whatever the means could be by themselves."""
    found = one(**printed)
    assert found.verdict == "certain"
    assert found.p_high_rounded is not None
    assert found.p_high_rounded < most


def test_a_standard_error_beside_an_interval_speaks_first() -> None:
    """The interval then says only where the difference can lie."""
    found = one(a=".6", b=".7", items=400, ci="0.02:0.18", se_difference="0.041")
    quantile = stats.t.sf(0.095 / 0.0415, 399)
    assert found.p_high_rounded == pytest.approx(2.0 * float(quantile))
