"""Plug-ins are found by where they lie: a new file in the folder of its kind is all that a new one takes."""

import importlib
import pkgutil
from collections.abc import Collection, Iterable, Sequence


def import_files(package: str, path: Iterable[str], later: Collection[str] = ()) -> None:
    """Import every file of a package, in the order of their names, so that what is defined there registers itself.

    Files that register nothing and need much may be left for `later`, when they are asked for.
    """
    for file in pkgutil.iter_modules(path):
        if file.name not in later:
            importlib.import_module(f"{package}.{file.name}")


class PackageFolder:
    """The files of a package, imported one by one or all at once."""

    def __init__(
        self, package: str, path: Iterable[str], later: Collection[str] = (), first: Sequence[str] = ()
    ) -> None:
        self._package = package
        names = [file.name for file in pkgutil.iter_modules(path) if file.name not in later]
        self._names = [*first, *(name for name in names if name not in first)]

    def import_one(self, name: str) -> None:
        """The file of this name, if there is one."""
        if name in self._names:
            importlib.import_module(f"{self._package}.{name}")

    def import_all(self) -> dict[str, int]:
        """All files, the first ones and then in the order of their names, and the place of each module in it."""
        for name in self._names:
            importlib.import_module(f"{self._package}.{name}")
        return {f"{self._package}.{name}": place for place, name in enumerate(self._names)}
