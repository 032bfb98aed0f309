"""Plans that end when power is known well enough, or when the time is up."""

from pathlib import Path
from typing import Any

import pytest

from tellapart import plan
from tellapart.compute.worker_spec import parse_time_limit
from tellapart.foundation.errors import UsageError

POPULATION = "beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)"
ASKED: dict[str, Any] = {"items": 20, "test": "paired_t"}


def codes(answer: Any) -> list[str]:
    return [note.code for note in answer.notes]


@pytest.mark.parametrize("until", [0.01, 0.03])
def test_until_power_is_known(until: float, tmp_path: Path) -> None:
    """The same replicates on any number of threads, and from a store; the interval is as narrow as asked for."""
    answer = plan(POPULATION, **ASKED, until=until, executor=1)
    row = answer.rows[0]
    assert (row.power_high - row.power_low) / 2.0 <= until
    assert row.replicates is not None
    assert "until" in codes(answer)
    assert not answer.partial
    assert f"until={until}" in answer.signature
    assert "replicates=" not in answer.signature
    for others in (
        {"executor": 2},
        {"executor": 4},
        {"store": tmp_path / "a.db"},
        {"store": tmp_path / "a.db"},
    ):
        assert plan(POPULATION, **ASKED, until=until, **others) == answer
    once = plan(POPULATION, **ASKED, replicates=row.replicates)
    assert once.rows[0].power == row.power
    assert once.rows[0].power_high < row.power_high


def test_each_study_of_a_grid_ends_by_itself() -> None:
    """With the bits that it has alone, though it shares its random numbers."""
    effects = [0.001, 0.03, 0.08]
    populations = [POPULATION.replace("0.03", str(effect)) for effect in effects]
    together = plan(populations, items=[20, 40], test="paired_t", until=0.02, executor=2).rows
    alone = [
        plan(one, items=items, test="paired_t", until=0.02, executor=1).rows[0]
        for one in populations
        for items in (20, 40)
    ]
    assert list(together) == alone
    assert len({row.replicates for row in together}) > 2


def test_an_exact_power_needs_no_waiting() -> None:
    answer = plan("gaussian(sd=1, correlation=0.5, effect=0.2)", items=100, until=0.01)
    assert answer.rows[0].replicates is None
    assert "until" not in codes(answer)
    assert "until=" not in answer.signature


@pytest.mark.parametrize("asked", [{"items": 20, "replicates": 10}, {"power": 0.8}, {"items": 20, "power": 0.8}])
def test_until_where_it_has_no_meaning(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="until"):
        plan(POPULATION, **asked, until=0.01)


@pytest.mark.parametrize("until", [0.0, -0.1, 0.5, 1e-9, float("nan")])
def test_until_out_of_range(until: float) -> None:
    with pytest.raises(UsageError, match="until"):
        plan(POPULATION, **ASKED, until=until)


def test_an_answer_when_the_time_is_up() -> None:
    """From the first blocks in their order: what the same number of replicates comes to."""
    answer = plan(POPULATION, **ASKED, replicates=100_000_000, time_limit=0.05, executor=2)
    assert answer.partial
    assert answer.stopped == "time"
    note = next(note for note in answer.notes if note.code == "time_limit")
    assert note.values["replicates"] == answer.rows[0].replicates
    assert note.values["asked_replicates"] == 100_000_000
    same = plan(POPULATION, **ASKED, replicates=answer.rows[0].replicates)
    assert same.rows == answer.rows
    assert same.stopped is None


@pytest.mark.parametrize(
    "asked",
    [
        {"power": 0.8, "test": "paired_t"},
        {"items": [20, 40, 80], "test": ["paired_t", "permutation(resamples=99)"]},
        {"power": [0.8, 0.9], "test": "paired_t"},
    ],
)
def test_any_question_has_an_answer_then(asked: dict[str, Any]) -> None:
    """Even where the time is up before anything is simulated: one block of each study that is in the answer."""
    answer = plan(POPULATION, **asked, replicates=1_000_000, time_limit=1e-6)
    assert answer.stopped == "time"
    assert answer.rows
    assert all(row.replicates is not None and row.replicates >= 1 for row in answer.rows)


def test_time_enough(tmp_path: Path) -> None:
    whole = plan(POPULATION, **ASKED, replicates=2_000)
    assert plan(POPULATION, **ASKED, replicates=2_000, time_limit="1d") == whole
    with pytest.raises(UsageError, match="interrupted"):
        plan(POPULATION, **ASKED, replicates=10**8, time_limit=0.01, save=tmp_path / "plan.json")
    assert not (tmp_path / "plan.json").exists()


@pytest.mark.parametrize(
    "limit", ["0", "-1m", "soon", "", "1w", "1e9", "9999999d", True, 0, float("nan"), float("inf")]
)
def test_no_time(limit: Any) -> None:
    with pytest.raises(UsageError, match=r"time.limit"):
        plan(POPULATION, **ASKED, time_limit=limit)


def test_limits_in_words() -> None:
    assert [parse_time_limit(text) for text in ("90", "90s", "1.5m", "2h", "1d", 30, 0.5, " 10m ")] == [
        90,
        90,
        90,
        7200,
        86400,
        30,
        0.5,
        600,
    ]
