"""Copies of the source, changed one place at a time, and the tests that should notice."""

import compileall
import json
import multiprocessing
import os
import py_compile
import shutil
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

import hypothesis  # noqa: F401  (with what tests import, before the children start; the package itself must not be)
import pytest
import scipy.optimize
import scipy.stats  # noqa: F401
from tests.mutation import reach
from tests.mutation.changes import Mutant
from tests.mutation.marks import MODULE, MODULE_TEXT, marked
from tests.mutation.reach import Entered, read

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tellapart"
BUSIEST = 10.0
"""How many times as long as it may compute a program may take: one that is still there was not decided, for the machine may be that busy."""
OPTIONS = [
    "-x",
    "-q",
    "--no-header",
    "--tb=short",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-p",
    "tests.mutation.reach",
]
UNCOMPILED = shutil.ignore_patterns("__pycache__")
FORKS = multiprocessing.get_context("fork")
"""Children begin with all that is imported here: a second and more is saved per change."""

Verdict = Literal["noticed", "hung", "survived", "undecided", "unreached"]


@dataclass(frozen=True)
class Bench:
    """A copy of the package in a folder of its own, and one whose functions are marked: the working tree is never changed."""

    folder: Path

    @classmethod
    def of(cls, folder: Path) -> Self:
        _compiled(shutil.copytree(PACKAGE, folder / "changed" / "tellapart", ignore=UNCOMPILED))
        return cls(folder)

    def copied(self, folder: Path) -> Self:
        shutil.copytree(self.folder / "changed", folder / "changed")
        return replace(self, folder=folder)

    def _marked(self) -> None:
        """Made when the first tests are to be recorded: of most runs all records are kept."""
        if not (folder := self.folder / "marked").exists():
            _mark(shutil.copytree(PACKAGE, folder / "tellapart", ignore=UNCOMPILED))
            _compiled(folder / "tellapart")

    def record(self, test_file: str) -> list[Entered]:
        """Run tests on the unchanged source; they must pass."""
        self._marked()
        record = self.folder / "record.json"
        code = self._pytest("marked", [test_file], MUTATION_RECORD=str(record))
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise SystemExit(f"{test_file} fails before anything is changed:\n{self._said[-3000:]}")
        return read(json.loads(record.read_text(encoding="utf-8")))

    def judged(self, mutant: Mutant, tests: Sequence[Entered]) -> Verdict:
        """Whether one of these tests notices the change; they are asked in this order, until one does."""
        selection = self.folder / "selection.json"
        limits = {entered.test: reach.PATIENCE + reach.SLOWER * entered.seconds for entered in tests}
        selection.write_text(json.dumps(limits), encoding="utf-8")
        target = self.folder / "changed" / "tellapart" / mutant.file.relative_to(PACKAGE)
        target.write_text(mutant.text, encoding="utf-8")
        files = dict.fromkeys(entered.file for entered in tests)
        usual = reach.PATIENCE + sum(entered.seconds for entered in tests)
        try:
            code = self._pytest("changed", [*files], BUSIEST * usual, MUTATION_SELECT=str(selection))
        finally:
            shutil.copyfile(mutant.file, target)
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(f"no test ran:\n{self._said}")
        known: dict[int | None, Verdict] = {0: "survived", None: "undecided", -signal.SIGXCPU: "hung"}
        return known.get(code, "noticed")

    def _pytest(
        self, source: str, tests: Sequence[str], seconds: float | None = None, **variables: str
    ) -> int | None:
        """The exit code of pytest in a process of its own, with this copy before any other; none if it would not end."""
        variables |= {"PYTHONPATH": str(self.folder / source)}
        process = FORKS.Process(target=_run, args=(self.folder, tests, variables))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
            return None
        return process.exitcode

    @property
    def _said(self) -> str:
        return (self.folder / "said.txt").read_text(encoding="utf-8")


def _compiled(copy: Path) -> None:
    """Judged by content later: two changes of one file within a second, equally long, have equal time stamps and sizes."""
    compileall.compile_dir(copy, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)


def _mark(copy: Path) -> None:
    for file in copy.rglob("*.py"):
        name = str(file.relative_to(copy))
        file.write_text(marked(file.read_text(encoding="utf-8"), name), encoding="utf-8")
    (copy / f"{MODULE}.py").write_text(MODULE_TEXT, encoding="utf-8")


def _run(folder: Path, tests: Sequence[str], variables: dict[str, str]) -> None:
    """In the child: nothing is written to the working tree, and what it starts itself sees the same copy."""
    os.environ |= variables | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
    }
    sys.path.insert(0, variables["PYTHONPATH"])
    sys.dont_write_bytecode = True
    said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(said, stream)
    os.chdir(ROOT)
    code = pytest.main([*OPTIONS, *tests])
    sys.stdout.flush()
    os._exit(code)
