"""How thorough a run of the suite is: `make test-all` sets TELLAPART_EXHAUSTIVE, `make test` does not.

Tests that repeat what cheaper ones show carry the marker `exhaustive`, which `make test` deselects; loops over seeds and drawn
cases take a share of them.
"""

import os

import pytest

EXHAUSTIVE = bool(os.environ.get("TELLAPART_EXHAUSTIVE"))
exhaustive = pytest.mark.exhaustive


def of_all(some: int, every: int) -> int:
    """How many cases are tried: some, or every one in an exhaustive run."""
    return every if EXHAUSTIVE else some
