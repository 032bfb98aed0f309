"""Functions that only tests call live in the tests: whatever the package defines, something of the package uses."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import tellapart

SOURCE = Path(tellapart.__file__).parent

CALLED_BY_OTHERS = {
    *("list_commands", "get_command", "format_commands", "format_help_text", "format_options"),  # click
    *(
        "_tellapart",
        "pytest_terminal_summary",
        "assert_not_worse",
        "assert_quiet",
        "assert_shown",
    ),  # pytest, and those who test with it
    *(
        "_repr_html_",
        "_repr_mimebundle_",
        "to_frame",
        "to_markdown",
        "to_latex",
        "to_html",
    ),  # notebooks, and those who write them
    "lazy_names",  # packages whose names are costly to import
    *("readable", "reducer_override", "capture_signals", "dask_setup"),  # io, pickle, uvicorn, Dask
}
REGISTERS = re.compile(r"[A-Z_]+(\.add)?(\(|$)|recomputes\(")
"""Decorators by which a plug-in, a note's sentence or a table becomes known."""


def unused(sources: Iterable[str], templates: str = "") -> Iterator[str]:
    """What is defined in these sources, and named nowhere else in them nor in templates; hooks of registries aside."""
    trees = [ast.parse(source) for source in sources]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    used |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    used |= set(re.findall(r"\w+", templates))
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("__"):
            registered = any(REGISTERS.match(ast.unparse(one)) for one in node.decorator_list)
            if node.name not in used and not registered:
                yield node.name


def test_nothing_is_there_for_tests_alone() -> None:
    sources = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    templates = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.j2"))
    assert set(unused(sources, templates)) - CALLED_BY_OTHERS == set()


def test_what_is_unused_is_seen() -> None:
    """Negative control: a function that nothing calls is found, one that is called, registered or in a template is not."""
    source = "def alone(): ...\ndef called(): ...\n@TESTS.add('x')\nclass Plugged: ...\ndef shown(): ...\ncalled()"
    assert list(unused([source], "{{ figure.shown }}")) == ["alone"]
