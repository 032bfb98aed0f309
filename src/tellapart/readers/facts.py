"""What a source says about all of its rows at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from tellapart.sources import Better

Status = Literal["complete", "unfinished", "withdrawn"]


class Axis(NamedTuple):
    """What varies beside system, dataset and measure. Where `forced`, one value has to be picked, or is taken if `neutral`."""

    name: str
    forced: bool = True
    neutral: str | None = None


@dataclass(frozen=True)
class Facts:
    """What the file, its name or its neighbours say beside the rows; None where they say nothing.

    A column that says the same row by row is believed before a fact, and the caller before both.
    """

    system: str | None = None
    """Whose rows these are."""
    dataset: str | None = None
    """Where all items are from."""
    group: str | None = None
    """What all rows are held against the rows of other files as."""
    measure: str | None = None
    """What the scores are scores of."""
    direction: Better | None = None
    """Which scores are better, whatever the measure."""
    directions: Mapping[str, Better] = field(default_factory=dict)
    """Which scores of a measure are better, where the source tells measures apart."""
    primary: str | None = None
    """The measure by which the program that wrote it reports one number."""
    measures: tuple[str, ...] = ()
    """The measures that are worth offering, where the source also writes what is no score; empty where all are."""
    axes: tuple[Axis, ...] | None = None
    """What varies beside the measure, where the format does not know it for all its files."""
    solved_only: bool = False
    """Whether the source lists only the items that were solved, so that it has to be told which there are."""
    cluster: str | None = None
    """The column by which the source itself groups its items."""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """The same by measure, where the source tells measures apart."""
    version: str | None = None
    """Which program wrote it."""
    status: Status | None = None
    """Whether the evaluation came to its end."""
    because: str = ""
    """How it is known that it did not."""
    run: str | None = None
    """Which run of the evaluation this is; files of one run share it."""
    created: str | None = None
    """When it was made, in a spelling whose order is that of time."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What two runs of one system may differ in."""

    def about(self, measure: str | None) -> "Facts":
        """What holds where this measure is asked for."""
        own = self.clusters.get(measure) if measure is not None else None
        return self if own is None or own == self.cluster else replace(self, cluster=own)

    def labels(self) -> dict[str, str]:
        """The facts that label every row, by role."""
        return {
            role: name for role in ("system", "dataset", "group") if (name := getattr(self, role)) is not None
        }
