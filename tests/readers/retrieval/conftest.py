"""Small runs and judgements, written where a test wants them."""

from collections.abc import Callable
from pathlib import Path

import pytest

QRELS = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d1 0\nq2 0 d4 1\nq3 0 d5 1\n"
OLD = "q1 Q0 d3 1 5.0 R\nq1 Q0 d1 2 4.0 R\nq2 Q0 d4 1 3.0 R\nq3 Q0 d5 1 1.0 R\n"
NEW = "q1 Q0 d1 1 5.0 R\nq1 Q0 d2 2 4.0 R\nq2 Q0 d1 1 3.0 R\nq3 Q0 d5 1 1.0 R\n"

Write = Callable[..., dict[str, str]]


@pytest.fixture
def files(tmp_path: Path) -> Write:
    """Two runs and their judgements, any of them with other content; the path of each."""

    def write(**contents: str | bytes) -> dict[str, str]:
        paths = {}
        for name, content in {"old": OLD, "new": NEW, "qrels": QRELS, **contents}.items():
            path = tmp_path / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            paths[name] = str(path)
        return paths

    return write
