"""A file without a system column is one system, named after the file."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

# Letters only: what follows the point of llama-3.1 is no suffix.
_SUFFIX = re.compile(r"\.[A-Za-z]{1,8}$")


def name_systems(paths: Sequence[str]) -> list[str]:
    """A name for each path: its stem, with as much of the folders as it takes to tell them apart.

    >>> name_systems(["runs/old.csv", "runs/new.jsonl.gz", "more/old.csv"])
    ['runs/old', 'new', 'more/old']
    """
    names = [stem(path) for path in paths]
    depth = 1
    while repeated := {name for name, times in Counter(names).items() if times > 1}:
        alike = [i for i, name in enumerate(names) if name in repeated]
        deeper = {i: _with_folders(paths[i], depth) for i in alike}
        # No folder is left that could tell them apart: the whole path has to.
        if all(deeper[i] == names[i] for i in alike):
            return [paths[i] if i in deeper else name for i, name in enumerate(names)]
        names = [deeper.get(i, name) for i, name in enumerate(names)]
        depth += 1
    return names


def stem(path: str) -> str:
    """The name without .gz and without its suffix; what follows the point in `llama-3.1` is none."""
    if path == "-":
        return "stdin"
    name = re.sub(r"\.gz$", "", Path(path).name, flags=re.IGNORECASE)
    return _SUFFIX.sub("", name) or name


def _with_folders(path: str, depth: int) -> str:
    folders = Path(path).absolute().parent.parts[1:]
    return "/".join([*folders[max(0, len(folders) - depth) :], stem(path)])
