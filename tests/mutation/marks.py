"""Source whose functions say that they were entered: which tests come where, at a fraction of what a profiler takes.

A profiler is asked at every call of Python and of C; a mark is one call per function of the package.
"""

import ast

from tests.mutation.changes import Scope

MODULE = "_entered"
"""The name of the module of the marked package that holds what was entered, by whichever thread."""
MODULE_TEXT = "names: set[str] = set()\nentered = names.add\n"


def marked(text: str, file: str) -> str:
    """The same program; each function first tells "file::function"."""
    tree = ast.parse(text)
    for name, function in _functions(tree, Scope()):
        _insert(function, f"__entered__({f'{file}::{name}'!r})")
    _insert(tree, f"from tellapart.{MODULE} import entered as __entered__")
    return ast.unparse(ast.fix_missing_locations(tree))


def _functions(parent: ast.AST, scope: Scope) -> list[tuple[str, ast.FunctionDef]]:
    found = []
    for node in ast.iter_child_nodes(parent):
        here = scope.within(node)
        if isinstance(node, ast.FunctionDef):
            found.append((here.function, node))
        found += _functions(node, here)
    return found


def _insert(where: ast.Module | ast.FunctionDef, line: str) -> None:
    """As the first statement, behind the docstring and what Python wants before all others."""
    place = int(ast.get_docstring(where, clean=False) is not None)
    while place < len(where.body) and _is_future(where.body[place]):
        place += 1
    where.body[place:place] = ast.parse(line).body


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
