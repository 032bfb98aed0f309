"""Plug-ins are found by where they lie: a new file in the folder of its kind is all that a new one takes."""

import importlib
import pkgutil
from collections.abc import Collection, Iterable


def import_files(package: str, path: Iterable[str], later: Collection[str] = ()) -> None:
    """Import every file of a package, in the order of their names, so that what is defined there registers itself.

    Files that register nothing and need much may be left for `later`, when they are asked for.
    """
    for file in pkgutil.iter_modules(path):
        if file.name not in later:
            importlib.import_module(f"{package}.{file.name}")
