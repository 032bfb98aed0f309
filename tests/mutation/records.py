"""What tests enter, kept in `build/mutation`: it is found out anew only where a test, or source that it enters, has changed."""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.mutation.reach import Entered, read, written
from tests.mutation.trial import PACKAGE, ROOT

KEPT = ROOT / "build" / "mutation"


def files_of_tests(paths: Iterable[str]) -> list[str]:
    """Files of tests, those of folders included, as they are named from the root."""
    return [str(file.relative_to(ROOT)) for path in paths for file in _files(ROOT / path)]


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("test_*.py")) if path.is_dir() else [path]


def recorded(test_file: str, record: Callable[[str], list[Entered]]) -> list[Entered]:
    """What each test of a file enters: as kept if that still holds, else by running it."""
    kept = KEPT / f"{_key(test_file)}.json"
    if kept.exists():
        said = json.loads(kept.read_text(encoding="utf-8"))
        if all(_hash_of(PACKAGE / name) == known for name, known in said["sources"].items()):
            return read(said["entered"])
    entered = record(test_file)
    sources = sorted({name.partition("::")[0] for entry in entered for name in entry.functions})
    hashes = {name: _hash_of(PACKAGE / name) for name in sources}
    KEPT.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"sources": hashes, "entered": written(entered)})
    kept.write_text(text, encoding="utf-8")
    return entered


def _key(test_file: str) -> str:
    """Of a file, what tests share, and which source there is: a new plug-in is entered by tests that did not change."""
    shared = [file for file in sorted((ROOT / "tests").rglob("*.py")) if _is_shared(file)]
    sources = sorted(str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*.py"))
    parts = [test_file, *(_hash_of(file) for file in (ROOT / test_file, *shared)), *sources]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _is_shared(file: Path) -> bool:
    return not file.name.startswith("test_") and file.parent != Path(__file__).parent


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""
