"""Tallies that are kept: what is there is not computed again, and what is answered is the same to the bit."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import plan
from tellapart.compute import Runner, cache_key
from tellapart.compute.bundle import Identity, own_identity
from tellapart.compute.store import Store
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning import monte_carlo
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import study_name
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.pilot import Pilot

ROOT = Path(__file__).parents[2]
POPULATION = "beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)"
ASKED: dict[str, Any] = {"items": 20, "test": "paired_t", "replicates": 20_000}


def studies() -> list[Study]:
    """A grid that shares random numbers, another test on the same scores, other items, and scores that were read."""
    gaussian = Gaussian(sd=0.12, correlation=0.8, effect=0.03)
    scores = stream(2).normal(0.5, 0.2, (2, 40, 1, 1))
    return [
        Study(gaussian, PairedT(), 40),
        Study(gaussian.with_effect(0.01), PairedT(), 40),
        Study(gaussian, "sign", 40),
        Study(gaussian, PairedT(), 50),
        Study(Pilot.from_pair(Pair(scores[0], scores[1] + 0.05), 0.06), PairedT(), 30),
    ]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The blocks that are computed, by studies and number."""
    seen: list[tuple[str, int]] = []
    whole = monte_carlo.tally_block

    def counted(asked: Any, seed: int, block: int, size: int) -> Any:
        seen.extend((study_name(study, seed), block) for study in asked)
        return whole(asked, seed, block, size)

    monkeypatch.setattr(monte_carlo, "tally_block", counted)
    return seen


def simulated(path: Path | None, workers: Any = 1, **changes: Any) -> list[PowerResult]:
    budget = replace(Budget(replicates=9_000, seed=4), **changes)
    if path is None:
        return simulate_many(studies(), budget, Runner(workers))
    with Store(path) as store, Runner(workers, store=store) as runner:
        return simulate_many(studies(), budget, runner)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_nothing_is_computed_twice(tmp_path: Path, computed: list[Any], workers: int) -> None:
    alone = simulated(None)
    computed.clear()
    assert simulated(tmp_path / "a.db", workers) == alone
    assert computed
    computed.clear()
    assert simulated(tmp_path / "a.db", workers) == alone
    assert computed == []


def test_more_replicates_use_those_that_are_there(tmp_path: Path, computed: list[Any]) -> None:
    """And fewer too; a short last block alone is computed again."""
    more, fewer = simulated(None, replicates=20_000), simulated(None, replicates=5_000)
    computed.clear()
    simulated(tmp_path / "a.db")
    first = set(computed)
    computed.clear()
    assert simulated(tmp_path / "a.db", replicates=20_000) == more
    whole = {study: max(block for which, block in first if which == study) for study, _ in first}
    assert min(block - whole[study] for study, block in computed) == 0
    computed.clear()
    assert simulated(tmp_path / "a.db", replicates=5_000) == fewer
    assert len(computed) <= len(whole)


def test_what_was_enough_is_told_to_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of studies that went on until they were known, so many replicates; of others, and of those that were not known, nothing."""
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(Store, "enough", lambda _, name, wanted: told.append((name, wanted)))
    asked = studies()
    found = simulated(tmp_path / "a.db", until=0.012)
    known = [one.high - one.low <= 0.024 for one in found]
    assert {*known} == {True, False}
    assert told == [
        (study_name(study, 4), one.replicates) for study, one, enough in zip(asked, found, known, strict=True) if enough
    ]
    told.clear()
    simulated(tmp_path / "b.db")
    assert told == []


def test_a_grid_that_grows(tmp_path: Path, computed: list[Any]) -> None:
    """Studies that were alone in the store share their blocks with new ones, or do not: no bit depends on it."""
    budget, asked = Budget(replicates=9_000, seed=4), studies()
    alone = simulated(None)
    with Store(tmp_path / "a.db") as store:
        simulate_many(asked[:2], replace(budget, replicates=4_000), Runner(1, store=store))
        simulate_many(asked[2:3], budget, Runner(1, store=store))
        computed.clear()
        assert simulate_many(asked, budget, Runner(2, store=store)) == alone
    assert not [block for which, block in computed if which == study_name(asked[2], 4)]


def test_an_interrupt_keeps_what_is_done(tmp_path: Path, computed: list[Any]) -> None:
    def interrupt(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with Store(tmp_path / "a.db") as store, pytest.raises(KeyboardInterrupt):
        simulate_many(studies(), Budget(replicates=9_000, seed=4), Runner(1, interrupt, store=store))
    first, alone = len(computed), simulated(None)
    computed.clear()
    assert simulated(tmp_path / "a.db") == alone
    assert 0 < len(computed) < first + 5


def _others() -> Iterator[tuple[str, Any]]:
    mine = own_identity()
    yield "numpy", replace(mine, numpy="1.0")
    yield "tellapart", replace(mine, tellapart="0.0.1")
    yield "python", replace(mine, python="3.0")
    yield "arithmetic", replace(mine, arithmetic="0" * 16)


@pytest.mark.parametrize(("what", "other"), list(_others()), ids=lambda one: one if isinstance(one, str) else "")
def test_what_other_versions_kept_is_not_used(
    tmp_path: Path, computed: list[Any], monkeypatch: pytest.MonkeyPatch, what: str, other: Identity
) -> None:
    """Nor thrown away: both stand side by side."""
    alone = simulated(tmp_path / "a.db")
    computed.clear()
    monkeypatch.setattr(cache_key, "own_identity", lambda: other)
    assert simulated(tmp_path / "a.db") == alone
    assert computed, what
    monkeypatch.undo()
    with Store(tmp_path / "a.db") as store:
        assert len(store.listed()) == 2 * len(studies())


def test_names_tell_apart_all_that_changes_a_bit() -> None:
    gaussian = Gaussian(sd=0.12, correlation=0.8, effect=0.03)
    scores = stream(2).normal(0.5, 0.2, (2, 40, 1, 1))
    pilots = [Pilot.from_pair(Pair(scores[0], scores[1] + shift), 0.06) for shift in (0.05, np.nextafter(0.05, 1))]
    asked = [
        *studies(),
        Study(replace(gaussian, effect=float(np.nextafter(0.03, 1))), PairedT(), 40),
        Study(gaussian, PairedT(alternative="less"), 40),
        Study(gaussian, PairedT(), 40, alpha=0.01),
        *(Study(pilot, PairedT(), 30) for pilot in pilots),
    ]
    names = {study_name(study, seed) for study in asked for seed in (0, 1)}
    assert len(names) == 2 * len(set(asked))
    told = json.loads(study_name(asked[0], 0))
    assert told["versions"]["python"] == platform.python_version()
    assert told["plugins"] is None


def test_a_plugin_that_was_changed_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own text is part of the name."""
    text = (
        "from dataclasses import dataclass\n"
        "from tellapart.methods.significance.paired_t import PairedT\n"
        "@dataclass(frozen=True)\n"
        "class Mine(PairedT):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    names = set()
    for number in range(2):
        (tmp_path / f"mine{number}.py").write_text(text + f"# {number}\n")
        module = __import__(f"mine{number}")
        names.add(study_name(Study(Gaussian(sd=1, correlation=0.5, effect=0.1), module.Mine(), 40), 0))
    assert len(names) == 2


def test_a_plan_with_a_store_is_the_plan_without(tmp_path: Path) -> None:
    """Once and again, for a search that simulates place by place too."""
    for asked in (ASKED, {"power": 0.8, "test": "paired_t", "replicates": 1_000}):
        whole = plan(POPULATION, **asked)
        for _ in range(2):
            assert plan(POPULATION, **asked, store=tmp_path / "a.db") == whole


def test_a_store_that_takes_no_more_is_noted_and_the_answer_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = plan(POPULATION, **ASKED)
    touched = Store._touch

    def closed(self: Store, name: str, wanted: int) -> None:
        touched(self, name, wanted)
        self._file.execute("PRAGMA query_only=1")

    monkeypatch.setattr(Store, "_touch", closed)
    answer = plan(POPULATION, **ASKED, store=tmp_path / "a.db")
    notes = [note for note in answer.notes if note.code == "not_stored"]
    assert [note.values["failure"] for note in notes] == ["attempt to write a readonly database"]
    assert not answer.partial
    assert answer.rows == whole.rows
    monkeypatch.undo()
    assert plan(POPULATION, **ASKED, store=tmp_path / "a.db") == whole


def test_mixed_workers_and_a_store(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leave one of them out"):
        plan(POPULATION, **ASKED, store=tmp_path / "a.db", mixed=True)
    assert not (tmp_path / "a.db").exists()


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,score\n")
    with pytest.raises(ReadError, match="not a database"):
        plan(POPULATION, **ASKED, store=tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "item,score\n"


def test_two_commands_on_one_store(tmp_path: Path) -> None:
    """Both end, with the same answer, and the file holds it once."""
    flags = [
        "--mean",
        "0.65",
        "--sd",
        "0.12",
        "--correlation",
        "0.8",
        "--effect",
        "0.03",
        "--test",
        "paired_t",
    ]
    line = [
        sys.executable,
        "-m",
        "tellapart",
        "plan",
        "beta",
        *flags,
        "--items",
        "20",
        "--replicates",
        "200000",
    ]
    line += ["--store", str(tmp_path / "a.db"), "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    both = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) for _ in range(2)]
    told = [one.communicate() for one in both]
    assert [one.returncode for one in both] == [0, 0], told
    assert told[0][0] == told[1][0]
    assert (
        json.loads(told[0][0])["rows"][0]["power"]
        == plan(POPULATION, **(ASKED | {"replicates": 200_000})).rows[0].power
    )
    with Store(tmp_path / "a.db") as store:
        (study,) = store.listed()
    assert study.replicates == 200_000


def test_a_clock_that_is_set_back_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits and commits go by a clock that nobody sets; the other one only says when a study was last asked for."""
    whole = plan(POPULATION, **ASKED)
    told = iter(range(10**9, 0, -100_000))
    monkeypatch.setattr("time.time", lambda: float(next(told)))
    for _ in range(2):
        answer = plan(POPULATION, **ASKED, store=tmp_path / "a.db", time_limit="10m")
        assert (answer.rows, answer.partial) == (whole.rows, False)
