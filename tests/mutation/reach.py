"""A pytest plugin: which functions of the source each test enters and how long it takes, and runs of just the tests that matter.

`MUTATION_RECORD=FILE` writes the record, of source that is marked; `MUTATION_SELECT=FILE` runs the tests listed there in that order
and no others.
"""

import importlib
import json
import math
import os
import resource
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.mutation.marks import MODULE


@dataclass(frozen=True)
class Entered:
    """What one test did: the seconds it computed, and "file::function" of everything it entered."""

    test: str
    seconds: float
    functions: tuple[str, ...]

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]


def written(entered: Iterable[Entered]) -> list[dict[str, Any]]:
    return [asdict(one) for one in entered]


def read(entries: Iterable[dict[str, Any]]) -> list[Entered]:
    return [Entered(**entry | {"functions": tuple(entry["functions"])}) for entry in entries]


PATIENCE, SLOWER = 20.0, 10.0
"""A test that computes for this many seconds, and this many times as long as usual, hangs: the change was noticed then too."""


class Recorder:
    def __init__(self, record: Path) -> None:
        self.names: set[str] = importlib.import_module(f"tellapart.{MODULE}").names
        self.record = record
        self.entered: list[Entered] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.names.clear()
        begin = _computed()
        try:
            return (yield)
        finally:
            # A copy: a thread that a test left behind may still enter functions.
            names = tuple(sorted(self.names.copy()))
            self.entered.append(Entered(item.nodeid, _computed() - begin, names))

    def pytest_sessionfinish(self) -> None:
        self.record.write_text(json.dumps(written(self.entered)), encoding="utf-8")


def _computed() -> float:
    """Seconds of processor time so far, of processes that it waited for too: other than a clock, it does not run while others compute."""
    return sum(os.times()[:4])


class Selector:
    """Runs the tests of a selection, in its order, and ends the process in one that computes for longer than is said there."""

    def __init__(self, selection: Path) -> None:
        self.limits: dict[str, float] = json.loads(selection.read_text(encoding="utf-8"))
        _compute_at_most(PATIENCE)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = {item.nodeid: item for item in items if item.nodeid in self.limits}
        items[:] = [chosen[test] for test in self.limits if test in chosen]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        _compute_at_most(self.limits[item.nodeid])
        return (yield)


def _compute_at_most(seconds: float) -> None:
    """From now on: the system ends a process that does not keep to it."""
    used, hard = time.process_time(), resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used + seconds), hard))


def pytest_configure(config: pytest.Config) -> None:
    for variable, plugin in (("MUTATION_RECORD", Recorder), ("MUTATION_SELECT", Selector)):
        if path := os.environ.get(variable):
            config.pluginmanager.register(plugin(Path(path)))
