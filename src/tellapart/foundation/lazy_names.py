"""Lazy imports: names listed under `if TYPE_CHECKING:` in a package are imported when first used."""

import ast
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def lazy_names(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose `__init__.py` imports its costly names for type checkers only.

    Callers write `from tellapart import planning` at the top of their file and `planning.find_root(…)` where they need it: only that
    call imports the module behind it. A name may not be that of its own module, which would hide it.
    """
    homes = {name: (module, original) for name, module, original in _type_checking_imports(package)}
    hidden = [name for name, (module, _) in homes.items() if module == f"{package}.{name}"]
    assert not hidden, f"named like their own modules: {hidden}"

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = homes[name]
        value = getattr(importlib.import_module(module), original)
        setattr(sys.modules[package], name, value)
        return value

    return load


def _type_checking_imports(package: str) -> Iterator[tuple[str, str, str]]:
    """Each name under `if TYPE_CHECKING:` in the package's own source: as it is called there, its module, its name in that."""
    spec = sys.modules[package].__spec__
    assert spec is not None, "a package that is being imported has a specification"
    assert spec.origin is not None, "packages of tellapart are files"
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for imported in node.body:
                if isinstance(imported, ast.ImportFrom) and (imported.module or "").startswith("tellapart."):
                    yield from ((n.asname or n.name, str(imported.module), n.name) for n in imported.names)
