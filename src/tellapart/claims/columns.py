"""Fields of what was reported: each is a flag of a command and a column of a table."""

import dataclasses
from typing import Any


def column(help: str, *names: str, metavar: str | None = "V") -> Any:  # noqa: A002  (the word every door uses for it)
    """A field with its help, and the names that columns of tables have for it besides its own."""
    metadata = {"help": help, "metavar": metavar, "columns": names}
    return dataclasses.field(default=None, metadata=metadata)


def columns_of(kind: type) -> dict[str, tuple[str, ...]]:
    """What a column of a table can say, and the names it is known by besides."""
    return {f.name: f.metadata["columns"] for f in dataclasses.fields(kind)}
