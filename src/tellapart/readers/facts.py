"""What a source says about all of its rows at once."""

from dataclasses import dataclass
from typing import Literal

Direction = Literal["higher", "lower"]
Status = Literal["complete", "unfinished", "withdrawn"]


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
    direction: Direction | None = None
    """Which scores are better."""
    cluster: str | None = None
    """The column by which the source itself groups its items."""
    version: str | None = None
    """Which program wrote it."""
    status: Status | None = None
    """Whether the evaluation came to its end."""

    def labels(self) -> dict[str, str]:
        """The facts that label every row, by role."""
        return {
            role: name for role in ("system", "dataset", "group") if (name := getattr(self, role)) is not None
        }
