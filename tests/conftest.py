"""Where reference numbers and, if present, the real data are."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parent / "reference"
SHARED = Path(__file__).parents[2] / "shared" / "data"
ORACLE = SHARED.parent / "oracle"

Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Rows]:
    """Rows of a frozen reference table, by file name; tests/reference/README.md names the program behind each."""

    def rows(name: str) -> Rows:
        with (REFERENCE / name).open(newline="") as file:
            return list(csv.DictReader(file))

    return rows


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real per-item scores, beside the checkout and never in it."""
    if not SHARED.is_dir():
        pytest.skip("the real data are not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of reference numbers whose data are real, beside the checkout and never in it."""
    if not ORACLE.is_dir():
        pytest.skip("the reference numbers on real data are not beside this checkout")
    return ORACLE
