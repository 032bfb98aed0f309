"""Plug-ins are found by where they lie: a new file in the folder of its kind is all that a new one takes."""

import importlib
import pkgutil
from collections.abc import Iterable


def import_files(package: str, path: Iterable[str]) -> None:
    """Import every file of a package, in the order of their names, so that what is defined there registers itself."""
    for file in pkgutil.iter_modules(path):
        importlib.import_module(f"{package}.{file.name}")
