"""What populations have in common some of whose numbers are those of past systems."""

from collections.abc import Collection
from dataclasses import field, fields
from typing import Any, ClassVar, Self

from tellapart.data.pair import Pair
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.populations.evidence import Band, Evidence
from tellapart.populations.from_evidence import EXPECTED, HIGH, LOW
from tellapart.populations.noise import Noise
from tellapart.populations.population import Population

FROM = "_from"
"""Behind the name of a number: the evidence that says it."""


def place_in_band() -> Any:
    """The field of each kind that says where in the bands of its evidence it stands."""
    said = "where in its band: -1 the least spread of differences, 0 expected, 1 the most"
    return field(default=EXPECTED, metadata={"help": said})


class SupposedPopulation(Population):
    """Base of those: each number `x` that evidence may say has a field `x_from`, the evidence that said it, or None."""

    plain: ClassVar[type[Population]]
    """The population with its numbers alone."""
    spreading: ClassVar[dict[str, int]]
    """What each number does to the spread of differences: 1 more of it widens, -1 narrows, 0 neither for certain."""

    # Declared here and made a field by each kind: a base's fields would come first in its spelling.
    place: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.place not in {LOW, EXPECTED, HIGH}:
            raise UsageError(f"{self.name}: place={self.place:g} should be -1, 0 or 1")
        for name, source in self.sources.items():
            if getattr(source, name) is None:
                raise UsageError(f"{self.name}: {name}{FROM}={source} says nothing of the {name}")

    @classmethod
    def filled(cls, given: "Open", sources: dict[str, Any]) -> Self:
        """What was given, with the expected numbers of the evidence."""
        known = {one.name: value for one in fields(given) if (value := getattr(given, one.name)) is not None}
        named = {f"{name}{FROM}": source for name, source in sources.items()}
        return cls(**known | cls.numbers(known, sources, EXPECTED) | named)

    @classmethod
    def numbers(cls, known: dict[str, Any], sources: dict[str, Any], place: float) -> dict[str, float]:  # noqa: ARG003  (some numbers depend on what is known)
        """The numbers that evidence says at this place of its band."""
        return {
            name: at(getattr(source, name), place * cls.spreading[name]) for name, source in sources.items()
        }

    @property
    def supposed(self) -> "SupposedPopulation":
        return self

    @property
    def law(self) -> type[Population]:
        return self.plain

    @property
    def sources(self) -> dict[str, Any]:
        """What is supposed, and the evidence for it."""
        return {
            name: source for name in self.spreading if (source := getattr(self, f"{name}{FROM}")) is not None
        }

    def bands(self) -> dict[str, Band]:
        return {name: getattr(source, name) for name, source in self.sources.items()}

    def moved(self, place: float) -> Self:
        """The same at an end of the band, where differences spread least or most."""
        known = {name: getattr(self, name) for name in self.spreading if name not in self.sources}
        return self.replace(place=place, **self.numbers(known, self.sources, place))

    @property
    def settled(self) -> Population:
        """The same without its sources."""
        return self.plain(**{one.name: getattr(self, one.name) for one in fields(self.plain) if one.init})


class Open(Population):
    """Base of populations of which numbers are not given: evidence has to say them before anything is drawn."""

    closed: ClassVar[type[SupposedPopulation]]
    """What it becomes when evidence has said them."""

    @property
    def complete(self) -> bool:
        return False

    @property
    def lacking(self) -> tuple[str, ...]:
        """The numbers that nobody gave."""
        return tuple(name for name in self.closed.spreading if getattr(self, name) is None)

    @classmethod
    def variant(cls, given: Collection[str]) -> type[Population]:
        """The kind that these options make, where they are not all that there is to say."""
        return cls.closed if any(name.endswith(FROM) for name in given) else cls

    def filled(self, sources: dict[str, Evidence]) -> SupposedPopulation:
        return self.closed.filled(self, sources)

    def scores(self, noise: Noise) -> Pair:  # noqa: ARG002  (there is nothing to draw from yet)
        raise UsageError(
            f"{self.name} needs {' and '.join(map(option, self.lacking))} here; only a plan takes them from evidence"
        )


def at(band: Band, place: float) -> float:
    """The number at this place of a band."""
    return {LOW: band.low, HIGH: band.high}.get(place, band.expected)
