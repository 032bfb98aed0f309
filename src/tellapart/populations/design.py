"""How large a study is: the numbers that whoever runs it is free to choose, and that a plan can be asked for."""

from dataclasses import dataclass, replace
from typing import Self

from tellapart.populations.quantities import whole

FEWEST = 2
"""Items, or whatever else the sample consists of: one alone has no spread, and no test of differences an answer."""


@dataclass(frozen=True)
class Design:
    """How many items both systems answer; on systems that share none, how many each answers."""

    items: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", whole("items", self.items, least=FEWEST))

    @classmethod
    def of(cls, given: "Design | int") -> "Design":
        """A design as users give it: a plain number is one of items."""
        return given if isinstance(given, Design) else cls(given)

    def replace(self, **changes: int) -> Self:
        return replace(self, **changes)
