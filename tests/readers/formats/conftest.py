"""Files as a test needs them."""

from collections.abc import Callable
from pathlib import Path

import pytest

Put = Callable[[str, bytes | str], str]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file of this name and content, and says where it is."""

    def write(name: str, content: bytes | str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write
