"""What a store has of some work is taken from it; what it lacks is computed and kept; all comes in the order of the calls."""

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart.compute import BlockKey, CachePolicy, Call, Runner, Work
from tellapart.compute.cache_key import content_and_modules, study_name
from tellapart.compute.store import Store
from tellapart.foundation.seeds import stream

CALLS = [("a", 0, 3), ("a", 1, 3), ("b", 0, 3), ("a", 2, 1)]


def _filed(call: Call) -> BlockKey:
    study, block, size = call
    return BlockKey(study, 7, block, size)


def _work(seen: list[Call], calls: list[tuple[str, int, int]] = CALLS, **more: Any) -> Work[str]:
    def made(*call: Any) -> str:
        seen.append(call)
        return "".join(map(str, call))

    return Work(made, calls, count=len(calls), cache=CachePolicy(_filed, **more))


@pytest.mark.parametrize("workers", [1, 3])
def test_only_what_is_missing_is_computed(workers: int, tmp_path: Path) -> None:
    seen: list[Call] = []
    with Store(tmp_path / "s.db") as store, Runner(workers, store=store) as runner:
        assert list(runner.in_order(_work(seen, CALLS[1:3]))) == ["a13", "b03"]
        assert sorted(seen) == sorted(CALLS[1:3])
        seen.clear()
        assert list(runner.in_order(_work(seen))) == ["a03", "a13", "b03", "a21"]
        assert sorted(seen) == [("a", 0, 3), ("a", 2, 1)]
        seen.clear()
        assert list(runner.in_order(_work(seen, [("a", 2, 3)]))) == ["a23"]
    assert seen == [("a", 2, 3)], "a short last block is computed again"
    with Store(tmp_path / "s.db") as store:
        rows = {row.name: (row.wanted, row.replicates) for row in store.listed()}
    assert rows == {"a": (7, 9), "b": (7, 3)}


def test_results_are_written_and_read_as_the_filing_says(tmp_path: Path) -> None:
    seen: list[Call] = []
    turned: dict[str, Any] = {
        "written": lambda found: found[::-1],
        "read": lambda written: written[::-1] + "!",
    }
    with Store(tmp_path / "s.db") as store, Runner(1, store=store) as runner:
        assert list(runner.in_order(_work(seen, **turned))) == ["a03", "a13", "b03", "a21"]
        assert list(runner.in_order(_work(seen, **turned))) == ["a03!", "a13!", "b03!", "a21!"]
        assert store.blocks("b", 7) == {(0, 3): "30b"}
    assert len(seen) == len(CALLS)


def test_whoever_listens_hears_of_what_is_computed(tmp_path: Path) -> None:
    """And of nothing that was there before."""
    told: list[Call] = []
    work = replace(_work([]), on_result=lambda call, _: told.append(call))
    with Store(tmp_path / "s.db") as store, Runner(1, store=store) as runner:
        for _ in range(2):
            assert len(list(runner.in_order(work))) == len(CALLS)
    assert told == CALLS


def test_without_a_store_nothing_is_looked_for() -> None:
    seen: list[Call] = []
    with Runner(1) as runner:
        assert len(list(runner.in_order(_work(seen)))) == len(CALLS)
    assert seen == CALLS


def test_what_is_stopped_keeps_what_was_finished(tmp_path: Path) -> None:
    """The rest is dropped, and computed when it is asked for again."""
    seen: list[Call] = []
    with Store(tmp_path / "s.db") as store, Runner(1, store=store) as runner:
        results = runner.in_order(_work(seen))
        next(results)
        next(results)
        results.close()
        assert seen == CALLS[:2]
        assert len(list(runner.in_order(_work(seen)))) == len(CALLS)
    assert seen == CALLS


@dataclass(frozen=True)
class Named:
    """As a plug-in's, this module is none of ours."""

    number: int = 0


def test_names_say_what_blocks_are_about() -> None:
    values = stream(1).normal(size=50)
    other = values.copy()
    other[17] = np.nextafter(other[17], 9.0)
    subjects = [
        (values, stream(2)),
        (other, stream(2)),
        (values, stream(3)),
        (values.astype(np.float32), stream(2)),
    ]
    assert len({content_and_modules(one)[0] for one in subjects}) == 4
    assert content_and_modules((values.copy(), stream(2)))[0] == content_and_modules(subjects[0])[0]
    content, modules = content_and_modules((values, Named()))
    assert __name__ in modules
    mine, ours = (json.loads(study_name("resamples", m, data=content)) for m in (modules, ()))
    assert mine["plugins"] is not None
    assert ours["plugins"] is None


def test_another_process_gives_the_same_name() -> None:
    """Else nothing would ever be found again."""
    said = (
        "from tests.workers.test_filed import *;"
        "print(content_and_modules((stream(1).normal(size=50), stream(2), Named(), {'b', 'a'} and 'ab'))[0])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", said],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
            env={**__import__("os").environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in (1, 2)
    }
    assert len(found) == 1
