"""Log files in a folder and its subfolders, sorted by name; pipes and links out of the folder are skipped."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from tellapart.readers.naming import stem
from tellapart.readers.storage.files import File
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import explain_io_errors


@dataclass
class Skipped:
    """Names of skipped files, by kind and reason."""

    found: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, what: str, why: str, name: str) -> None:
        self.found.setdefault((what, why), []).append(name)


LINK = "links", "out of the folder"
SAME = "links", "to what is in the folder anyway"
PIPE = "pipes and devices", "which may never end"
DEEP = "folders", "too deep in each other"
NO_FORMAT = "files", "not logs of a known program; name a table of scores itself"
NO_ITEMS = "files", "without items"


def files_in(folder: str, limits: Limits, skipped: Skipped) -> Iterator[File]:
    """Every file that may be read."""
    root = os.path.realpath(folder)
    seen = 0
    waiting = [(folder, 1)]
    while waiting:
        place, depth = waiting.pop()
        inner: list[tuple[str, int]] = []
        with explain_io_errors(place), os.scandir(place) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        for entry in entries:
            seen += 1
            if seen > limits.entries:
                raise limits.refusal(folder, f"a folder of more than {limits.entries:,} files", "entries")
            kind = _kind(entry, root)
            if isinstance(kind, tuple):
                skipped.add(*kind, entry.path)
            elif kind == "folder":
                if depth >= limits.depth:
                    skipped.add(*DEEP, entry.path)
                else:
                    inner.append((entry.path, depth + 1))
            else:
                yield File(entry.path, stem(entry.name), limits=limits)
        waiting.extend(reversed(inner))


def _kind(entry: "os.DirEntry[str]", root: str) -> str | tuple[str, str]:
    """A folder, a file, or why it is neither."""
    try:
        if entry.is_symlink():
            # A link to a folder may lead back to one that holds it; what lies in the folder is met where it lies.
            return SAME if os.path.realpath(entry.path).startswith(root + os.sep) else LINK
        if entry.is_dir():
            return "folder"
        return "file" if stat.S_ISREG(entry.stat().st_mode) else PIPE
    except OSError:
        return LINK
