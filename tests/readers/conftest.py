"""Files to read, the refusals they meet, and when two tables of scores are the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError
from tellapart.readers import FORMATS, read

# Tests that plant a format put a copy in place of what is registered: it has to hold all formats by then.
list(FORMATS)

LONG = "system,item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., str]:
    """Write a file and give its path."""

    def write(content: str | bytes, name: str = "scores.csv") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.fixture
def long() -> Scores:
    """What `LONG` says, built by hand."""
    return Scores.from_arrays({"old": [0.1, 0.4], "new": [0.3, 0.5]}, items=["q1", "q2"])


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The message with which a source is refused as bad data, as the command line shows it."""

    def refuse(source: Any, **options: Any) -> str:
        with pytest.raises(DataError) as caught:
            read(source, **options)
        return caught.value.message_for("command line")

    return refuse


@pytest.fixture
def same() -> Callable[[Scores, Scores], bool]:
    """Whether two tables hold the same scores of the same systems on the same items."""

    def compare(one: Scores, other: Scores) -> bool:
        assert one.systems == other.systems
        assert one.items == other.items
        assert one.measure == other.measure
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(np.asarray(one.clusters), np.asarray(other.clusters))
        return True

    return compare
