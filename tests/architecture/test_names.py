"""Names that mean one thing: a class is the only one of its name, and so is a type that users and programs see."""

import ast
from collections.abc import Iterator
from pathlib import Path

import tellapart
from tellapart.answers.schema import kinds, schema_of

SOURCE = Path(tellapart.__file__).parent


def defined(tree: ast.Module) -> Iterator[str]:
    """Classes of a file, and types that it gives a name."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (name.id for name in node.targets if isinstance(name, ast.Name))


def homes(names: set[str]) -> dict[str, list[str]]:
    """Every file that defines a class or a type of each name."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for path in sorted(SOURCE.rglob("*.py")):
        for name in set(defined(ast.parse(path.read_text("utf-8")))) & names:
            found[name].append(str(path.relative_to(SOURCE)))
    return found


def seen_outside() -> set[str]:
    """What Python users import, and what the parts of a published schema are called."""
    parts = {name for kind in kinds().values() for name in (*schema_of(kind)["$defs"], kind.__name__)} - set(kinds())
    return parts | {name for name in tellapart.__all__ if name[0].isupper()}


def test_a_name_that_is_seen_outside_means_one_thing_inside() -> None:
    """No other class or type has the name of a public one, so that a search for it finds what was meant."""
    assert {name: files for name, files in homes(seen_outside()).items() if len(files) != 1} == {}


def classes(source: Path = SOURCE) -> dict[str, list[Path]]:
    """The files that define each class, by its name."""
    found: dict[str, list[Path]] = {}
    for path in sorted(source.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(path)
    return found


def test_a_class_has_one_home() -> None:
    """No two classes have the same name."""
    assert {name: files for name, files in classes().items() if len(files) > 1} == {}


def test_two_homes_of_a_name_would_be_seen(tmp_path: Path) -> None:
    """Negative control."""
    for file in ("one", "other"):
        (tmp_path / f"{file}.py").write_text("class Twice: ...\n", encoding="utf-8")
    assert len(classes(tmp_path)["Twice"]) == 2
