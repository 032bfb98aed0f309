"""Would the tests notice a wrong line? Random single changes of source files, and those that no test notices.

    python -m tests.mutate src/tellapart/methods/effects tests/effects tests/laws/test_effects.py --count 20

The first path is the source to change, a file or a folder; the others are tests, which run until the first failure against a copy of
the package. Strings, annotations, imports and raised errors are left alone. Some changes alter nothing that can be seen (`<` for `<=`
where equality cannot happen): look at each survivor. Exit code 0 if at least 95 % were noticed, else 1.
"""

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
SECONDS = 600
"""Tests that run longer than this are taken to hang, which is noticed."""
ENOUGH = 0.95
UNTOUCHED = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise, ast.Assert, ast.AnnAssign)
UNTOUCHED_FIELDS = {"annotation", "returns", "decorator_list", "bases", "keywords"}
OTHER: dict[type[ast.AST], Any] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Lt, ast.Gt: ast.LtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
OPPOSITES = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "any": "all",
    "all": "any",
}


class Mutant(NamedTuple):
    """A file with one change: its line, what stood there and stands there now, and the whole text."""

    file: Path
    line: int
    words: str
    text: str


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may be changed."""
    yield tree
    for field, value in ast.iter_fields(tree):
        if field not in UNTOUCHED_FIELDS:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, UNTOUCHED):
                    yield from nodes(child)


def change(node: ast.AST) -> bool:
    """Change the node in place; whether there was anything to change."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        node.ops[0] = OTHER[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in OTHER:
        node.op = OTHER[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        node.operand = node.operand if isinstance(node.op, ast.UAdd) else ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value += 1
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITES:
        node.attr = OPPOSITES[node.attr]
    elif isinstance(node, ast.Name) and node.id in OPPOSITES:
        node.id = OPPOSITES[node.id]
    elif isinstance(node, ast.If | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    else:
        return False
    return True


def mutants(file: Path) -> Iterator[Mutant]:
    """Every change of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for place, node in enumerate(nodes(tree)):
        before = copy.deepcopy(node)
        other = copy.deepcopy(tree)
        changed = next(found for at, found in enumerate(nodes(other)) if at == place)
        if change(changed):
            words = f"{ast.unparse(before).splitlines()[0][:60]}  ->  {ast.unparse(changed).splitlines()[0][:60]}"
            text = ast.unparse(ast.fix_missing_locations(other))
            yield Mutant(file, getattr(node, "lineno", 0), words, text)


def noticed(mutant: Mutant, package: Path, tests: list[str]) -> bool:
    """Whether the tests fail with this change made in a copy of the package."""
    target = package / mutant.file.resolve().relative_to(ROOT / "src" / "tellapart")
    original = target.read_text(encoding="utf-8")
    target.write_text(mutant.text, encoding="utf-8")
    # The copy is put before the package that is installed, whichever way that is.
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    )
    options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not exhaustive"]
    try:
        command = [sys.executable, "-c", code, *options, *tests]
        return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=SECONDS, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        target.write_text(original, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    files = sorted(asked.source.rglob("*.py")) if asked.source.is_dir() else [asked.source]
    every = [mutant for file in files for mutant in mutants(file)]
    sample = random.Random(asked.seed).sample(every, min(asked.count, len(every)))  # noqa: S311  (a sample, not a secret)
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "tellapart"
        shutil.copytree(ROOT / "src" / "tellapart", package)
        unchanged = Mutant(files[0], 0, "", files[0].read_text(encoding="utf-8"))
        if noticed(unchanged, package, asked.tests):
            parser.error("the tests fail without any change")
        for mutant in sample:
            if not noticed(mutant, package, asked.tests):
                survivors += 1
                print(f"{mutant.file}:{mutant.line} survived:  {mutant.words}", flush=True)  # noqa: T201  (a command)
    print(f"{len(sample) - survivors} of {len(sample)} changes noticed")  # noqa: T201  (a command)
    return int(survivors > (1.0 - ENOUGH) * len(sample))


if __name__ == "__main__":
    sys.exit(main())
