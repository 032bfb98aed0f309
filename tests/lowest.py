"""The lowest versions that are declared, as requirements for pip: `make test-lowest` installs exactly these."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

NOT_RUN = {"mypy", "ruff", "scipy-stubs", "tellapart", "jiwer"}
"""Checkers, which look at the source and not at what it runs on, and an oracle that asks for a newer click than we do: its tests are
skipped without it."""


def lowest(project: dict[str, dict[str, object]]) -> Iterator[str]:
    """Every requirement of the package and of its tests at its lower bound."""
    asked = project["project"]
    extras = asked["optional-dependencies"]
    assert isinstance(extras, dict)
    assert isinstance(asked["dependencies"], list)
    for requirement in (
        *asked["dependencies"],
        *extras["parquet"],
        *extras["dask"],
        *extras["ir"],
        *extras["mt"],
        *extras["plot"],
        *extras["dev"],
    ):
        found = re.fullmatch(r"([a-z0-9-]+)(?:\[[^\]]*\])?(?:>=([\d.]+)(?:,<\d+)?)?", requirement)
        assert found is not None, f"{requirement} has no single lower bound"
        if found[1] not in NOT_RUN:
            yield f"{found[1]}=={found[2]}"


if __name__ == "__main__":
    declared = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    sys.stdout.write("\n".join(lowest(declared)) + "\n")
