"""Provenance of scores: their sources, the direction of better, and remarks that answers repeat as notes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# Where scores came from: per file and system how many were found, which way is up, what groups the items.

Better = Literal["higher", "lower"]


@dataclass(frozen=True)
class Source:
    """The rows of one file, system, dataset and measure: scored, missing or errors."""

    file: str
    format: str
    system: str
    dataset: str | None
    rows: int
    scored: int
    missing: int
    errors: int


@dataclass(frozen=True)
class Direction:
    """Which scores are better, and the source of that: the file, a flag, the name of the measure, or neither."""

    better: Better
    source: Literal["file", "flag", "name", "assumed"]


@dataclass(frozen=True)
class Reading:
    """How scores were read: from which sources, what the files say of their direction, what groups their items."""

    sources: tuple[Source, ...]
    better: Better | None = None
    cluster: str | None = None
    zeroed: bool = False
    """Whether errors were counted as 0."""
    created: tuple[str, ...] = ()
    """When the files say that they were made, those that do."""
    axes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Further axes of the scores, such as the filter of a program that has several, with their values."""
    plain: bool = False
    """Whether these are tables of any origin, which rarely say which way is up."""

    @property
    def errors(self) -> int:
        return sum(source.errors for source in self.sources)


# How the parts of scores came about: which metric counted them, and how.


@dataclass(frozen=True)
class Counted:
    """The metric that parts were counted for, by its spelling, with the signature of the program that counted."""

    metric: str
    signature: str | None = None
    classes: tuple[str, ...] = ()
    """The classes that the parts are counted of, where they are of labels."""
    here: bool = True
    """Whether tellapart counted them from texts or labels; otherwise the file had them as columns."""


@dataclass(frozen=True)
class Remark:
    """A code with plain values, as a note has them, and the system that it is about; None where it is about all of them."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None


def remarks_about(remarks: Iterable[Remark], systems: Iterable[str]) -> tuple[Remark, ...]:
    """The remarks that are about one of these systems, or about all."""
    asked = {None, *systems}
    return tuple(remark for remark in remarks if remark.system in asked)
