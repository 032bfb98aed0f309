"""ARCHITECTURE.md shows the house as it is: every room stands in its table, and every file that it names is there."""

import re
from pathlib import Path

import tellapart

SOURCE = Path(tellapart.__file__).parent
TEXT = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")


def rooms() -> set[str]:
    """Folders and files of the package."""
    return {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()} - {
        "__init__",
        "__main__",
        "__pycache__",
    }


def test_every_room_stands_in_the_table() -> None:
    table = TEXT.partition("## Rooms")[2].partition("\nArrows")[0]
    assert rooms() - set(re.findall(r"`(\w+)/?`", table)) == set()


def test_every_file_that_is_named_is_there() -> None:
    named = re.findall(r"`(\w+(?:/\w+)*\.py)`", TEXT)
    assert named
    assert [name for name in named if not (SOURCE / name).exists()] == []
