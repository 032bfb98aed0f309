"""Copies of the source, changed one place at a time, and the tests that should notice."""

import compileall
import json
import multiprocessing
import os
import py_compile
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import hypothesis  # noqa: F401  (with what tests import, before the children start; the package itself must not be)
import pytest
import scipy.optimize
import scipy.stats  # noqa: F401
from tests.mutation.changes import Change, Mutant
from tests.mutation.reach import Entered, read

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tellapart"
PATIENCE, SLOWER = 30.0, 5.0
"""A changed program that takes this many seconds, and this many times its usual time, hangs: that was noticed too."""
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
FORKS = multiprocessing.get_context("fork")
"""Children begin with all that is imported here: a second and more is saved per change."""


@dataclass(frozen=True)
class Bench:
    """A copy of the package in a folder of its own: the working tree is never changed."""

    folder: Path

    def __post_init__(self) -> None:
        copy = self.folder / "src" / "tellapart"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        # Judged by content: two changes of one file within a second, equally long, have equal time stamps and sizes.
        checked = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(copy, quiet=1, invalidation_mode=checked)

    def record(self, tests: Sequence[str]) -> list[Entered]:
        """Run tests on the unchanged source; they must pass."""
        record = self.folder / "record.json"
        if self._pytest(tests, None, MUTATION_RECORD=str(record)) != 0:
            raise SystemExit(f"the tests fail before anything is changed:\n{self._said[-3000:]}")
        return read(record)

    def survives(self, mutant: Mutant, reaching: Sequence[Entered]) -> bool:
        """Whether none of these tests notices the change; quick tests are asked first."""
        selection = self.folder / "selection.json"
        ordered = sorted(reaching, key=lambda entered: entered.seconds)
        selection.write_text(json.dumps([entered.test for entered in ordered]), encoding="utf-8")
        target = self.folder / "src" / "tellapart" / mutant.file.relative_to(PACKAGE)
        target.write_text(mutant.text, encoding="utf-8")
        files = dict.fromkeys(entered.file for entered in ordered)
        patience = PATIENCE + SLOWER * sum(entered.seconds for entered in ordered)
        try:
            code = self._pytest([*files], patience, MUTATION_SELECT=str(selection))
        finally:
            shutil.copyfile(mutant.file, target)
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(f"no test ran:\n{self._said}")
        return code == 0

    def _pytest(self, tests: Sequence[str], seconds: float | None, **variables: str) -> int:
        """The exit code of pytest in a process of its own, with this copy before any other."""
        process = FORKS.Process(target=_run, args=(self.folder, tests, variables))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
        assert process.exitcode is not None
        return process.exitcode

    @property
    def _said(self) -> str:
        return (self.folder / "said.txt").read_text(encoding="utf-8")


def _run(folder: Path, tests: Sequence[str], variables: dict[str, str]) -> None:
    """In the child: nothing is written to the working tree, and what it starts itself sees the same copy."""
    os.environ |= variables | {
        "PYTHONPATH": str(folder / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
    }
    sys.path.insert(0, str(folder / "src"))
    sys.dont_write_bytecode = True
    said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(said, stream)
    os.chdir(ROOT)
    code = pytest.main([*OPTIONS, *tests])
    sys.stdout.flush()
    os._exit(code)


def reaching(change: Change | Mutant, entered: Sequence[Entered]) -> list[Entered]:
    """The tests that enter the changed function; for what is computed at import, all tests beside one that enters its file."""
    file = f"{change.file.relative_to(PACKAGE)}::"
    if function := change.function:
        return [e for e in entered if file + function in e.functions]
    beside = {e.file for e in entered if any(name.startswith(file) for name in e.functions)}
    # A base whose methods are all abstract has no function that a test could enter: any test may notice.
    return [e for e in entered if e.file in beside or not beside]
