"""Options of slices, as compare and gate take them."""

from dataclasses import dataclass
from typing import Any, Literal

from tellapart.data.roles import SLICE
from tellapart.foundation.spelling import Question, Range, setting


@dataclass(frozen=True)
class SliceOptions(Question):
    """By which columns items are sliced, and how slices are judged."""

    slices: str | tuple[str, ...] = setting((), flag=False)
    """Columns by whose values the items are sliced, each slice then being judged alone and all of them as one family."""
    slice_separator: str = setting(
        "|", "Separates the slices of one item in a cell, such as hard|long.", metavar="TEXT"
    )
    slice_least: int = setting(10, "Items, or clusters, from which on a slice is judged.", range=Range(least=2))
    slice_correction: Literal["holm", "bonferroni", "none"] = setting(
        "holm", "How the slices that are judged are corrected for."
    )

    @property
    def slice_columns(self) -> tuple[str, ...]:
        columns = (self.slices,) if isinstance(self.slices, str) else self.slices
        return tuple(dict.fromkeys(columns))

    @property
    def slice_roles(self) -> dict[str, str]:
        """The role of each column of slices, with the column."""
        return {f"{SLICE}{column}": column for column in self.slice_columns}

    @property
    def slicing(self) -> dict[str, Any]:
        """These options, for a question that asks the same."""
        names = ("slices", "slice_separator", "slice_least", "slice_correction")
        return {name: getattr(self, name) for name in names}
