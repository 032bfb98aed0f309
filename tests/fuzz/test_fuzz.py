"""Two thousand cases of the fuzzer; `make fuzz` runs as many more as there is time for."""

from pathlib import Path

import pytest
from tests.fuzz.__main__ import broken

SEED, CASES, PIECE = 0, 2_000, 250


@pytest.mark.parametrize("first", range(0, CASES, PIECE))
def test_no_promise_is_broken(first: int, tmp_path: Path) -> None:
    """Readers, options, names, formats, verbs and the Python API, and copies of one table."""
    assert broken(SEED, range(first, first + PIECE), tmp_path) == {}
