from dataclasses import dataclass, field
from typing import ClassVar

from tellapart.evidence import Spread
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.supposed import Open, SupposedPopulation, place_in_band


@dataclass(frozen=True, kw_only=True)
class SupposedGaussian(SupposedPopulation, Gaussian):
    """A `gaussian` whose sd or correlation, or both, are those of past systems.

    It is spelled `gaussian(sd=…, correlation=…, sd_from=…, correlation_from=…)`: the numbers, and the evidence they come from.
    Assumes systems and scores like those that the evidence was seen on. The wrong choice where a pilot could tell.
    """

    sd_from: Spread | None = field(default=None, metadata={"help": "the evidence that the sd comes from"})
    correlation_from: Spread | None = field(
        default=None, metadata={"help": "the evidence that the correlation comes from"}
    )
    place: float = place_in_band()

    plain = Gaussian
    spreading: ClassVar[dict[str, int]] = {"sd": 1, "correlation": -1}


@dataclass(frozen=True, kw_only=True)
class OpenGaussian(Open):
    """A `gaussian` whose sd or correlation nobody gave. It is spelled without them, and only `plan` fills them in."""

    sd: float | None = field(default=None, metadata={"help": "standard deviation of A's item scores"})
    correlation: float | None = field(
        default=None, metadata={"help": "between the two systems' scores of an item"}
    )
    mean: float = field(default=0.0, metadata={"help": "mean score of A, before clipping"})
    sd_b: float | None = field(default=None, metadata={"help": "standard deviation of B's, if not A's"})
    clip: tuple[float, float] | None = field(default=None, metadata={"help": "range of the scores, low:high"})

    name = Gaussian.name
    label = Gaussian.label
    test = Gaussian.test
    latent = Gaussian.latent
    examples = ("gaussian(effect=0.01)", "gaussian(effect=0.01, sd=0.2)")
    closed = SupposedGaussian
