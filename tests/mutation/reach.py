"""A pytest plugin: which functions of the source each test enters and how long it takes, and runs of just the tests that matter.

`MUTATION_RECORD=FILE` writes the record, `MUTATION_SELECT=FILE` runs the tests listed there in that order and no others.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FrameType

import pytest


@dataclass(frozen=True)
class Entered:
    """What one test did: its seconds, and "file::function" of everything it entered."""

    test: str
    seconds: float
    functions: tuple[str, ...]

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]


def read(record: Path) -> list[Entered]:
    return [Entered(**entry) for entry in json.loads(record.read_text(encoding="utf-8"))]


class Recorder:
    def __init__(self, record: Path) -> None:
        import tellapart  # noqa: PLC0415  (the copy that is tested, which the process that starts the tests must not hold)

        self.source = str(Path(tellapart.__file__).parent) + os.sep
        self.record = record
        self.entered: list[Entered] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        codes: set[CodeType] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                codes.add(frame.f_code)

        begin = time.perf_counter()
        # Threads that a test starts enter functions too: simulations run in them.
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            # A copy: a thread that a test left behind may still enter functions.
            names = tuple(sorted(self._names(codes.copy())))
            self.entered.append(Entered(item.nodeid, time.perf_counter() - begin, names))

    def _names(self, codes: set[CodeType]) -> Iterator[str]:
        for code in codes:
            if code.co_filename.startswith(self.source):
                yield f"{code.co_filename.removeprefix(self.source)}::{code.co_qualname}"

    def pytest_sessionfinish(self) -> None:
        self.record.write_text(json.dumps([asdict(entry) for entry in self.entered]), encoding="utf-8")


class Selector:
    def __init__(self, selection: Path) -> None:
        tests: list[str] = json.loads(selection.read_text(encoding="utf-8"))
        self.place = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.place]
        items[:] = sorted(chosen, key=lambda item: self.place[item.nodeid])


def pytest_configure(config: pytest.Config) -> None:
    for variable, plugin in (("MUTATION_RECORD", Recorder), ("MUTATION_SELECT", Selector)):
        if path := os.environ.get(variable):
            config.pluginmanager.register(plugin(Path(path)))
