"""The arrows: who may import whom. A room is what it must not know."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.architecture.measure import SOURCE, modules, name_of, text_of, tree_of

MAY_IMPORT = {
    "foundation": set[str](),
    "data": {"foundation"},
    "metrics": {"foundation", "data"},
    "numerics": {"foundation", "data"},
    "methods": {"foundation", "data", "numerics"},
    "boards": {"foundation", "data", "numerics"},
    "populations": {"foundation", "data", "metrics", "numerics"},
    "claims": {"foundation", "data", "numerics", "methods", "populations"},
    "readers": {"foundation", "data", "metrics"},
    "compute": {"foundation"},
    "planning": {"foundation", "data", "numerics", "methods", "populations", "compute"},
    "answers": {"foundation", "data"},
    "choosing": {"foundation", "data", "metrics", "numerics", "methods", "boards", "answers"},
    "render": {"foundation", "answers"},
}
"""Rooms below which each room stands; the rooms of the next table may import all of these but `render`."""
BELOW = set(MAY_IMPORT) - {"render"}
MAY_IMPORT |= {
    "verbs": BELOW,
    "studies": BELOW | {"verbs"},
    "cli": BELOW | {"verbs", "render", "studies", "web"},
    "web": BELOW | {"verbs", "render", "cli"},
    "pytest_plugin": {"answers", "gate"},
    "__main__": {"cli"},
    "": BELOW | {"verbs", "render"},
}
FIELDS = {"parts", "gate_rules", "file", "answer", "rows", "schema", "glossary", "grid"} | {
    folder.parent.name for folder in (SOURCE / "answers").glob("*/__init__.py")
}
"""Files of `answers` that say what an answer holds. All others but pages and charts say it in words."""

FORBIDDEN_NAMES = {"utils", "helpers", "common", "core", "misc", "manager"}


def room(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
            if node.module == "tellapart":
                names = [f"tellapart.{alias.name}" for alias in node.names]
        yield from (n.split(".")[1] for n in names if n.startswith("tellapart."))


def test_only_allowed_arrows() -> None:
    """A module imports its own room and the rooms below it, nothing else."""
    strays = {
        name_of(path): found
        for path in modules()
        if (found := {*imported_rooms(path)} - MAY_IMPORT[room(path)] - {room(path), "__version__"})
    }
    assert strays == {}


def test_a_stray_arrow_is_seen(tmp_path: Path) -> None:
    """Negative control: every way to import a room is seen."""
    path = tmp_path / "stray.py"
    path.write_text(
        "import tellapart.web\ndef f():\n    from tellapart import verbs\n    from tellapart.cli.flags import x\n"
    )
    assert {*imported_rooms(path)} == {"web", "verbs", "cli"}


def layer(module: str) -> int:
    """Fields of an answer, 0; their words, 1; pages, 2; charts, 3."""
    names = module.removesuffix(".__init__").split(".")
    # The package itself lists functions of charts, which are imported when they are first used.
    if "chart" in names[-1] or "drawing" in names or names == ["answers"]:
        return 3
    return 2 if "page" in names[-1] else 0 if names[-1] in FIELDS else 1


def test_fields_know_no_words_and_words_no_page() -> None:
    """What an answer holds does not depend on how it is told, nor that on where it is shown; pages and charts are apart."""
    strays = []
    for path in (SOURCE / "answers").rglob("*.py"):
        here = layer(".".join(path.relative_to(SOURCE).with_suffix("").parts))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tellapart.answers."):
                there = layer(str(node.module))
                if there > here or {here, there} == {2, 3}:
                    strays.append(f"{path.relative_to(SOURCE)} imports {node.module}")
    assert strays == []


def test_methods_of_one_kind_know_no_other() -> None:
    """An effect size imports no test; only a test imports what it takes to declare its interval."""
    strays = [
        f"{path.relative_to(SOURCE)} imports {node.module}"
        for path in (SOURCE / "methods").rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tellapart.methods.")
        if str(node.module).split(".")[2] != path.relative_to(SOURCE).parts[1]
        if not (path.parent.name == "significance" and node.module == "tellapart.methods.intervals.interval")
    ]
    assert strays == []


def test_sizes_and_names() -> None:
    """Files and functions stay small, and no file is called utils."""
    for path in modules():
        assert text_of(path).count("\n") <= 350, path
        assert path.stem not in FORBIDDEN_NAMES
        assert not path.stem.startswith("test_")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
                assert length <= 40, f"{path}: {node.name} has {length} lines"


@pytest.mark.parametrize("folder", ["cli", "render", "answers", "web"])
def test_doors_do_no_arithmetic(folder: str) -> None:
    """Commands and renderers do not import numpy."""
    for path in (SOURCE / folder).rglob("*.py"):
        assert "import numpy" not in text_of(path)


def test_no_slow_imports() -> None:
    """scipy.stats and scipy.optimize take longer to import than most answers take to compute."""
    for path in modules():
        text = text_of(path)
        assert "scipy.stats" not in text, path
        assert "scipy.optimize" not in text, path


SHARED_BY_THE_PROCESS = {
    ("gc", "disable"),
    ("gc", "enable"),
    ("gc", "freeze"),
    ("gc", "set_threshold"),
    ("csv", "field_size_limit"),
    ("locale", "setlocale"),
    ("np", "seterr"),
    ("random", "seed"),
    ("warnings", "simplefilter"),
    ("warnings", "filterwarnings"),
    ("os", "chdir"),
    ("os", "putenv"),
    ("signal", "signal"),
    ("sys", "setrecursionlimit"),
}
OWN_THE_PROCESS = {"cli", "web", "compute"}
"""Doors and workers, which are processes of their own; all else may run in a thread beside anything."""


def switched(text: str) -> set[tuple[str, str]]:
    """What a source calls that changes something for all threads of its process."""
    calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    named = {(f.value.id, f.attr) for f in calls if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name)}
    return named & SHARED_BY_THE_PROCESS


def test_nothing_is_switched_for_the_whole_process() -> None:
    """Two threads that read at once would undo each other's limits: only rooms that own their process may set them."""
    shared = [path for path in modules() if room(path) not in OWN_THE_PROCESS]
    assert {name_of(path): found for path in shared if (found := switched(text_of(path)))} == {}


def test_switches_are_seen() -> None:
    """Negative control."""
    assert switched("import gc\ngc.disable()\nparser.field_size_limit(1)") == {("gc", "disable")}


def test_a_table_imports_no_reader_of_logs(tmp_path: Path) -> None:
    """Whoever compares plain scores does not wait for the formats of others, nor for what settles logs."""
    path = tmp_path / "scores.csv"
    path.write_text("item,old,new\n" + "".join(f"q{n},{n % 3 % 2},{n % 2}\n" for n in range(40)), encoding="utf-8")
    asked = "import sys; from tellapart.verbs.compare import compare; from tellapart.readers import read; compare(read(sys.argv[1]));"
    shown = "print(*(name for name in sys.modules if name.startswith(('tellapart.readers.formats.', 'tellapart.readers.logs.'))))"
    command = [sys.executable, "-c", f"{asked} {shown}", str(path)]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert found == ["tellapart.readers.logs.request"]


def test_a_comparison_of_plain_scores_imports_the_methods_it_uses(tmp_path: Path) -> None:
    """What a command could do beside is listed by its help, and imported by who asks for that."""
    path = tmp_path / "scores.csv"
    path.write_text("item,old,new\n" + "".join(f"q{n},{n % 3 % 2},{n % 2}\n" for n in range(40)), encoding="utf-8")
    code = (
        "import sys; from tellapart.cli import main\n"
        "try: main(['compare', sys.argv[1]])\n"
        "except SystemExit: print(*(name for name in sys.modules if name.startswith('tellapart.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert {"tellapart.metrics.mean", "tellapart.methods.intervals.tango"} <= loaded
    kinds = ("metrics.bleu", "metrics.mcc", "significance.bootstrap", "significance.mixed_model", "counting")
    assert {f"tellapart.{kind}" for kind in kinds} & loaded == set()
