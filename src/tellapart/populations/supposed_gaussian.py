from dataclasses import dataclass, field
from typing import Any

from tellapart.errors import UsageError
from tellapart.evidence import Band, Spread
from tellapart.populations.from_evidence import EXPECTED, HIGH, LOW
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.open_gaussian import OpenGaussian
from tellapart.populations.population import Population


@dataclass(frozen=True, kw_only=True)
class SupposedGaussian(Gaussian):
    """A `gaussian` whose sd or correlation, or both, are those of past systems.

    It is spelled `gaussian(sd=…, correlation=…, sd_from=…, correlation_from=…)`: the numbers, and the evidence they come from.
    Assumes systems and scores like those that the evidence was seen on. The wrong choice where a pilot could tell.
    """

    sd_from: Spread | None = field(default=None, metadata={"help": "the evidence that the sd comes from"})
    correlation_from: Spread | None = field(
        default=None, metadata={"help": "the evidence that the correlation comes from"}
    )
    place: float = field(
        default=EXPECTED,
        metadata={"help": "where in its band: -1 the least spread of differences, 0 expected, 1 the most"},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.place not in {LOW, EXPECTED, HIGH}:
            raise UsageError(f"gaussian: place={self.place:g} should be -1, 0 or 1")
        for name, source in (("sd", self.sd_from), ("correlation", self.correlation_from)):
            if source is not None and getattr(source, name) is None:
                raise UsageError(f"gaussian: {name}_from={source} says nothing of the {name}")

    @classmethod
    def of(
        cls, given: OpenGaussian, sd_from: Spread | None, correlation_from: Spread | None
    ) -> "SupposedGaussian":
        """What was given, with the expected numbers of the evidence."""
        sources = {"sd_from": sd_from, "correlation_from": correlation_from}
        filled = given.filled(cls, **_numbers(sd_from, correlation_from, EXPECTED), **sources)
        assert isinstance(filled, cls), "it was asked for"
        return filled

    @property
    def supposed(self) -> "SupposedGaussian":
        return self

    @property
    def law(self) -> type[Population]:
        return Gaussian

    @property
    def sources(self) -> dict[str, Spread]:
        """What is supposed, and the evidence for it."""
        named = {"sd": self.sd_from, "correlation": self.correlation_from}
        return {name: source for name, source in named.items() if source is not None}

    def bands(self) -> dict[str, Band]:
        return {name: getattr(source, name) for name, source in self.sources.items()}

    def moved(self, place: float) -> "SupposedGaussian":
        """The same at an end of the band: the least spread of differences has the lowest sd and the highest correlation."""
        return self.replace(place=place, **_numbers(self.sd_from, self.correlation_from, place))

    @property
    def settled(self) -> Gaussian:
        """The same without its sources."""
        return Gaussian(
            effect=self.effect,
            sd=self.sd,
            correlation=self.correlation,
            mean=self.mean,
            sd_b=self.sd_b,
            clip=self.clip,
        )


def _numbers(sd_from: Spread | None, correlation_from: Spread | None, place: float) -> dict[str, Any]:
    sd = None if sd_from is None else sd_from.sd
    correlation = None if correlation_from is None else correlation_from.correlation
    numbers: dict[str, Any] = {}
    if sd is not None:
        numbers["sd"] = {LOW: sd.low, HIGH: sd.high}.get(place, sd.expected)
    if correlation is not None:
        ends = {LOW: correlation.high, HIGH: correlation.low}
        numbers["correlation"] = ends.get(place, correlation.expected)
    return numbers
