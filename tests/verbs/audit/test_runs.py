"""Accuracies that are means over several runs of every item: counts of items × runs, judged item by item."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Claim, audit
from tellapart.answers.audit import AuditedClaim
from tellapart.answers.parts import codes
from tellapart.foundation.errors import UsageError


def one(**printed: Any) -> AuditedClaim:
    return audit(Claim(**printed)).claims[0]


def paired_t(right_a: np.ndarray, right_b: np.ndarray) -> float:
    """The p-value of two systems' right runs per item; without spread any difference is beyond chance."""
    gaps = right_b - right_a
    if np.ptp(gaps) == 0:
        return 1.0 if gaps[0] == 0 else 0.0
    return float(stats.ttest_1samp(gaps, 0.0).pvalue)


def test_a_mean_over_runs_is_possible() -> None:
    """67.0 is no count of 164 items; over ten runs it is one of 1,640 answers, and the advice says so."""
    alone = one(a="67.0", b="70.1", items=164)
    assert (alone.verdict, alone.p_low) == ("impossible", None)
    assert alone.impossible is not None
    assert alone.impossible.values == {"accuracy": "67.0", "answers": 164, "enough_runs": 5}
    for runs in (5, 10):
        found = one(a="67.0", b="70.1", items=164, runs=runs)
        assert (found.verdict, found.runs, found.test) == ("undecidable", runs, "paired_t")
        assert "means_over_runs" in codes(found.notes)
    assert one(a="67.0", b="70.1", items=164, runs=2).verdict == "impossible"


@pytest.mark.parametrize(("items", "runs"), [(3, 2), (4, 2), (3, 3)])
def test_every_split_of_the_runs_is_held(items: int, runs: int) -> None:
    """Every way to be right in so many runs of so many items: its p-value lies in the range of its printed accuracies."""
    scores = np.array(list(itertools.product(range(runs + 1), repeat=items)))
    ranges: dict[tuple[float, float], AuditedClaim] = {}
    seen: dict[tuple[float, float], list[float]] = {}
    for a, b in itertools.product(scores, scores):
        key = (round(float(a.mean()) / runs, 4), round(float(b.mean()) / runs, 4))
        if key not in ranges:
            printed = {"a": f"{key[0]:.4f}", "b": f"{key[1]:.4f}"}
            ranges[key] = one(**printed, items=items, runs=runs, unit="fraction")
        seen.setdefault(key, []).append(paired_t(a, b))
    for key, pvalues in seen.items():
        found = ranges[key]
        assert found.p_low_rounded is not None
        assert found.p_high_rounded is not None
        assert found.p_low_rounded <= max(min(pvalues), 1e-300) * (1 + 1e-9)
        assert max(pvalues) <= found.p_high_rounded * (1 + 1e-9)


def test_the_range_is_no_wider_than_its_outermost_splits() -> None:
    """60 items in 4 runs: all items alike, and right answers that meet on no item, come within one part in a hundred."""
    found = one(correct_a=60, correct_b=101, items=60, runs=4)
    alike = np.repeat([0, 1], [19, 41])
    apart_a, apart_b = np.zeros(60, dtype=int), np.zeros(60, dtype=int)
    apart_a[:15], apart_b[15:40], apart_b[40] = 4, 4, 1
    assert (apart_a.sum(), apart_b.sum()) == (60, 101)
    assert found.p_low == pytest.approx(paired_t(np.zeros(60, dtype=int), alike), rel=0.01, abs=0.0)
    assert found.p_high == pytest.approx(paired_t(apart_a, apart_b), rel=0.01, abs=0.0)


def test_overlap_of_single_runs_bounds_p() -> None:
    """Simulated runs: the share of runs that differ bounds the squares of the items' differences, and with them p."""
    rng = np.random.default_rng(5)
    skill = rng.uniform(size=(60, 1))
    a, b = (rng.uniform(size=(60, 8)) < np.clip(skill + shift, 0, 1) for shift in (0.0, 0.1))
    discordance = float((a != b).mean())
    p = paired_t(a.sum(axis=1), b.sum(axis=1))
    found = one(correct_a=int(a.sum()), correct_b=int(b.sum()), items=60, runs=8, discordance=f"{discordance:.6f}")
    assert found.p_low is not None
    assert found.p_expected is not None
    most = one(correct_a=int(a.sum()), correct_b=int(b.sum()), items=60, runs=8).p_high
    assert most is not None
    assert found.p_low <= p <= found.p_expected <= most


def test_one_run_is_none() -> None:
    """A single run is what accuracies are anyway."""
    plain, single = one(a="0.714", b="0.706", items=1000), one(a="0.714", b="0.706", items=1000, runs=1)
    assert plain == single


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ({"runs": 0}, "runs is"),
        ({"runs": "2.5"}, "runs is"),
        ({"runs": 10_000, "items": 5000}, "more than can be counted"),
        ({"runs": 5, "correlation": "0.5"}, "correlation"),
        ({"runs": 5, "sd": "0.3"}, "runs is for accuracies"),
    ],
    ids=str,
)
def test_runs_that_cannot_be(printed: dict[str, Any], message: str) -> None:
    """Refused with the way out."""
    with pytest.raises(UsageError, match=message):
        one(**{"a": "0.70", "b": "0.72", "items": 100, **printed})


def test_among_many_systems_runs_are_judged_as_they_are_alone() -> None:
    """The smallest difference that survives is where the paired t test of the items' means meets the shared level."""
    many = {"items": 400, "runs": 5, "discordance": "0.25"}
    found = one(correct_a=1400, correct_b=1440, systems=11, **many)
    assert found.among_many is not None
    assert found.among_many.smallest is not None
    survivor = round(found.among_many.smallest * 2000)
    at = [one(correct_a=1400, correct_b=1400 + gap, **many).p_expected for gap in (survivor, survivor - 1)]
    assert (at[0] or 1.0) <= 0.005 < (at[1] or 0.0)
    text = next(note.text for note in found.notes if note.code == "among_many")
    assert "survives is at most" in text
    assert text.endswith("or less")
