"""What is installed: the extra `all` holds every run-time extra, and every dependency has its use."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import tellapart

ROOT = Path(__file__).parents[1]
SOURCE = Path(tellapart.__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_DEVELOPERS = {"dev", "bench", "docs"}


def extras_in(requirements: list[str]) -> set[str]:
    """The extras of the package itself that a list of requirements asks for."""
    own = [r for r in requirements if r.startswith("tellapart[")]
    return {extra for r in own for extra in r.removeprefix("tellapart[").removesuffix("]").split(",")}


def modules(path: Path) -> Iterator[str]:
    """The modules a file imports, at its head or where it needs them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_all_means_all() -> None:
    """Every extra but those of developers is in `all`, which asks for nothing else."""
    extras = PROJECT["optional-dependencies"]
    assert extras_in(extras["all"]) == set(extras) - FOR_DEVELOPERS - {"all"}
    assert all(requirement.startswith("tellapart[") for requirement in extras["all"])


def test_developers_have_what_users_can_have() -> None:
    """No extra goes untested: `dev` asks for each of them too."""
    extras = PROJECT["optional-dependencies"]
    assert extras_in(extras["dev"]) == extras_in(extras["all"])


def test_rich_draws_the_progress_bar_and_nothing_else() -> None:
    """One file of the command line imports it, when a plan simulates on a terminal."""
    found = {path: [m for m in modules(path) if m.startswith("rich")] for path in SOURCE.rglob("*.py")}
    users = {path.relative_to(SOURCE).parts[0]: names for path, names in found.items() if names}
    assert {room: sorted(names) for room, names in users.items()} == {"cli": ["rich"]}
    assert sum(bool(names) for names in found.values()) == 1


def test_every_dependency_is_used() -> None:
    """What users must install, the source imports."""
    used = {module.partition(".")[0] for path in SOURCE.rglob("*.py") for module in modules(path)}
    required = {requirement.partition(">")[0] for requirement in PROJECT["dependencies"]}
    assert required <= used
