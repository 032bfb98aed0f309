"""The size of the source tree: files, lines, imports, small files and private names that several files define.

    python -m tests.architecture.measure

Plug-ins are short by design: their folders are left out where files below 40 lines are counted.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tellapart

SOURCE = Path(tellapart.__file__).parent
PLUG_INS = (
    "methods/significance",
    "methods/intervals",
    "methods/effects",
    "methods/reliability",
    "metrics",
    "boards/corrections",
    "populations",
    "readers/formats",
)
SMALL = 40


@cache
def modules() -> tuple[Path, ...]:
    return tuple(sorted(SOURCE.rglob("*.py")))


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def name_of(path: Path) -> str:
    """The path below the package, as failures show it."""
    return str(path.relative_to(SOURCE))


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def imports_in_functions(tree: ast.AST) -> int:
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return len({node for function in functions for node in imports(function)})


def private_names(tree: ast.AST) -> set[str]:
    """Functions, methods and classes whose names start with one underscore."""
    definitions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return {node.name for node in definitions if node.name.startswith("_") and node.name[1] != "_"}


def figures() -> dict[str, float]:
    """Every figure that `test_size.py` holds a limit for."""
    lines = sum(text_of(path).count("\n") for path in modules())
    import_lines = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1 for path in modules() for node in imports(tree_of(path))
    )
    homes = defaultdict(set)
    for path in modules():
        for name in private_names(tree_of(path)):
            homes[name].add(path)
    rooms = {path.relative_to(SOURCE).parts[0] for path in modules() if path.parent != SOURCE}
    small = [path for path in modules() if text_of(path).count("\n") < SMALL]
    return {
        "rooms": len(rooms),
        "files": len(modules()),
        "lines": lines,
        "import lines in percent": round(100.0 * import_lines / lines, 1),
        "imports inside functions": sum(imports_in_functions(tree_of(path)) for path in modules()),
        "files below 40 lines, plug-ins aside": sum(not name_of(path).startswith(PLUG_INS) for path in small),
        "private names in several files": sum(len(paths) > 1 for paths in homes.values()),
    }


if __name__ == "__main__":
    for title, figure in figures().items():
        print(f"{figure:8g}  {title}")  # noqa: T201  (a command)
