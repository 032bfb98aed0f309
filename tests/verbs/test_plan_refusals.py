"""`plan` and its arguments: nonsense is refused by name, and numbers of any make come out as builtin ones."""

import json
import math
from typing import Any

import numpy as np
import pytest

from tellapart import plan, power
from tellapart.answers.parts import codes
from tellapart.data.pair import Pair
from tellapart.foundation.errors import UsageError
from tellapart.populations.pilot import Pilot

EFFECT = "gaussian(sd=0.1, correlation=0.5, effect=0.05)"
SLOW = "beta(mean=0.6, sd=0.15, correlation=0.7, effect={})"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"power": "0.8"}, "power is '0.8'; it should be a number"),
        ({"items": 10, "alpha": "0.05"}, "alpha is '0.05'; it should be a number"),
        ({"items": 10, "alpha": None}, "alpha is None"),
        ({"items": 10, "alpha": [0.05, 0.01]}, "alpha is .0.05, 0.01."),
        (
            {"items": 10, "alpha": 1e-300},
            r"alpha is 1e-300; it should lie between 0 and 1 \(1e-100 at least\)",
        ),
        ({"items": 10, "comparisons": 2.5}, "comparisons is 2.5; it should be a whole number"),
        ({"items": 10, "comparisons": "3"}, "comparisons is '3'"),
        ({"items": 10, "systems": 2.5}, "systems is 2.5; it should be a whole number"),
        ({"items": 10, "systems": 1}, "systems is 1; it should be 2 or more"),
        ({"items": 10**400}, "items has 401 digits"),
        ({"items": 10, "progress": 3}, "progress is 3; it should be a function"),
        ({"power": 0.8, "assurance": "x"}, "assurance is 'x'; it should be a number"),
        ({"power": 0.8, "assurance": 80}, "assurance is 80; it should lie between 0 and 1; 80 % is 0.8"),
        ({"power": 0.8, "assurance": 0.8}, "asks for the items of gaussian"),
        ({"items": 10, "power": 0.8}, "given: items, effect, power; leave out the one to solve for"),
        (
            {"items": 10, "test": "mcnemar"},
            r"mcnemar\(variant=mid_p\) on 10 items of gaussian.*right-or-wrong",
        ),
    ],
)
def test_nonsense_is_refused_by_name(asked: dict[str, Any], said: str) -> None:
    """What was found, and what was wanted; never a TypeError."""
    with pytest.raises(UsageError, match=said):
        plan(EFFECT, **asked)


@pytest.mark.parametrize(
    ("population", "said"),
    [
        ("clustered(population=gaussian(sd=0.1, correlation=0.5), size=1000000000, icc=0.5)", "1 and 10,000"),
        ("runs(item_sd=0.1, run_sd=1, runs=1000000000)", "1 and 10,000"),
        ("beta(mean=0.5, sd=1e-9, correlation=0.5)", "sd=1e-09 should be at least 1e-05; use gaussian"),
    ],
)
def test_populations_that_cannot_be_simulated(population: str, said: str) -> None:
    """Refused when they are built, before any memory is asked for or any quantile is rounded away."""
    with pytest.raises(UsageError, match=said):
        plan(population, items=100, power=0.8)


def test_a_study_is_wanted() -> None:
    """`power` takes a study and says so."""
    with pytest.raises(UsageError, match="3 is not a study"):
        power(3)  # type: ignore[arg-type]


def test_numpy_numbers_become_builtin_ones() -> None:
    """Whatever numbers are given, the answer is strict JSON."""
    answer = plan(EFFECT, items=np.array([10, 20]), alpha=np.float64(0.05), replicates=50)
    assert [type(row.items) for row in answer.rows] == [int, int]
    assert "NaN" not in json.dumps(answer.to_dict(), allow_nan=False)
    numbers: dict[str, Any] = {"power": np.float32(0.8), "comparisons": np.int64(3)}
    json.dumps(plan(EFFECT, **numbers, test="paired_t").to_dict(), allow_nan=False)


def test_equivalence_is_never_more_than_certain() -> None:
    """Power is at most 1, to the last bit."""
    row = plan(
        "gaussian(sd=0.1, correlation=0.5, effect=0)",
        items=50,
        alpha=0.1,
        test="equivalence(test=paired_t, margin=0.2)",
    ).rows[0]
    assert row.power <= 1.0


def _pilot(differences: list[float], effect: float | None = None) -> Pilot:
    b = np.array(differences)[:, None, None]
    return Pilot.from_pair(Pair(np.zeros_like(b), b), effect)


def test_pilots_that_cannot_have_half_the_effect() -> None:
    """Nothing is said of a smaller effect where the scores cannot have it; the plan stands."""
    answer = plan(_pilot([0.2, 0.3] * 20, 0.25), power=0.8, test="paired_t", replicates=500)
    assert answer.rows[0].effect == 0.25
    assert answer.smaller is None


def test_equal_systems_in_a_pilot_are_no_promising_effect() -> None:
    """An effect of 0 is never taken for the pilot's own, nor rounding for a correlation below 1."""
    a = 0.1 * np.arange(40.0)[:, None, None]
    answer = plan(Pilot.from_pair(Pair(a, a), 0.0), items=50, replicates=100)
    assert not {"pilots_own_effect", "pilot_correlation"} & set(codes(answer.notes))


def test_an_interrupt_with_the_last_block_starts_no_further_row() -> None:
    """Ctrl-C when a simulation has just been completed: later rows of the grid are left out, and counted."""
    completed: list[int] = []

    def press(done: int, total: int) -> None:
        if done == total:
            completed.append(done)
        if len(completed) == 2 and done == total:
            raise KeyboardInterrupt

    answer = plan(
        [SLOW.format(e) for e in (0.05, 0.04, 0.03)],
        power=0.8,
        test="paired_t",
        replicates=1_000,
        executor=1,
        progress=press,
    )
    assert len(answer.rows) == 1
    assert len(completed) == 2
    assert (answer.notes[0].values["answered"], answer.notes[0].values["asked"]) == (1, 3)
    assert math.isfinite(answer.rows[0].power)
