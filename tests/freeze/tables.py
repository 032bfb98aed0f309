"""Tables that the frozen commands read: those of the repository, an example of every format, and drawn ones."""

import random
import shutil
from pathlib import Path

from tests.freeze.drawn_tables import drawn

from tellapart.readers import FORMATS

ROOT = Path(__file__).parents[2]


def lay_out(folder: Path) -> None:
    """Write every table to a folder; commands run there, so that answers name the same files on every machine."""
    for source in (ROOT / "examples", ROOT / "tests" / "golden" / "data"):
        for path in source.glob("*.csv"):
            # Both places have a ratings.csv.
            shutil.copy(path, folder / (f"golden_{path.name}" if (folder / path.name).exists() else path.name))
    for name in FORMATS:
        (folder / example_file(name)).write_bytes(FORMATS[name]().example())
    for name, lines in drawn(random.Random(5)).items():  # noqa: S311  (no secret)
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def example_file(format_name: str) -> str:
    return f"example_{format_name}"
