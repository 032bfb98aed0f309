from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.evidence import Contributions, Spread
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.incomplete import Open, SupposedPopulation, place_in_band
from tellapart.populations.retrieval import Retrieval


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


@dataclass(frozen=True, kw_only=True)
class SupposedDeltaLaplace(SupposedPopulation, DeltaLaplace):
    """Contributions whose share of zeros or scale, or both, are those of past systems.

    It is spelled `delta_laplace(…, scale_from=…)`: the numbers, and the evidence they come from. Assumes systems like those that
    the evidence was seen on. The wrong choice where outputs of two systems are there: plan from a `pilot` of them.
    """

    zero_share_from: Contributions | None = field(
        default=None, metadata={"help": "the evidence that the share of zeros comes from"}
    )
    scale_from: Contributions | None = field(
        default=None, metadata={"help": "the evidence that the scale comes from"}
    )
    place: float = place_in_band()

    plain = DeltaLaplace
    spreading: ClassVar[dict[str, int]] = {"zero_share": -1, "scale": 1}


@dataclass(frozen=True, kw_only=True)
class OpenDeltaLaplace(Open):
    """A `delta_laplace` whose share of zeros or scale nobody gave. It is spelled without them, and only `plan` fills them in."""

    zero_share: float | None = field(
        default=None, metadata={"help": "share of items that contribute nothing to the difference"}
    )
    scale: float | None = field(
        default=None, metadata={"help": "scale of the others' contributions, in points of the metric"}
    )

    name = DeltaLaplace.name
    label = DeltaLaplace.label
    test = DeltaLaplace.test
    latent = DeltaLaplace.latent
    examples = ("delta_laplace(effect=1)",)
    closed = SupposedDeltaLaplace


NODES = 80
"""Of the quadrature over each normal: correlations come out to three digits, also where zeros make a step."""


@dataclass(frozen=True, kw_only=True)
class SupposedRetrieval(SupposedPopulation, Retrieval):
    """Scores of queries whose mean, sd, share of zeros or correlation are those of past runs.

    It is spelled `retrieval(…, sd_from=…)`: the numbers, and the evidence they come from. Evidence tells how scores correlate;
    `correlation` is that of the underlying normals which gives scores this correlation. Assumes runs and queries like those that
    the evidence was seen on. The wrong choice where two runs are there: plan from a `pilot` of them.
    """

    mean_from: Spread | None = field(default=None, metadata={"help": "the evidence that the mean comes from"})
    sd_from: Spread | None = field(default=None, metadata={"help": "the evidence that the sd comes from"})
    zero_share_from: Spread | None = field(
        default=None, metadata={"help": "the evidence that the share of zeros comes from"}
    )
    correlation_from: Spread | None = field(
        default=None, metadata={"help": "the evidence that the correlation comes from"}
    )
    place: float = place_in_band()

    plain = Retrieval
    spreading: ClassVar[dict[str, int]] = {"mean": 0, "sd": 1, "zero_share": 0, "correlation": -1}

    @classmethod
    def numbers(cls, known: dict[str, Any], sources: dict[str, Any], place: float) -> dict[str, float]:
        said = super().numbers(known, sources, place)
        if "correlation" not in said:
            return said
        margin = {
            name: value
            for name in ("mean", "sd", "zero_share")
            if (value := {**known, **said}[name]) is not None
        }
        alone = Retrieval(effect=0.0, correlation=0.0, **margin)
        return {**said, "correlation": underlying(alone, said["correlation"])}


@dataclass(frozen=True, kw_only=True)
class OpenRetrieval(Open):
    """A `retrieval` of which numbers are not given. It is spelled without them, and only `plan` fills them in."""

    sd: float | None = field(default=None, metadata={"help": "standard deviation of A's item scores"})
    correlation: float | None = field(
        default=None, metadata={"help": "of the normals underlying the two systems' scores of a query"}
    )
    mean: float | None = field(default=None, metadata={"help": "mean score of A, zeros and all"})
    zero_share: float | None = field(
        default=None, metadata={"help": "share of queries with a score of exactly 0"}
    )

    name = Retrieval.name
    label = Retrieval.label
    test = Retrieval.test
    latent = Retrieval.latent
    examples = ("retrieval(effect=0.02)",)
    closed = SupposedRetrieval


def underlying(population: Retrieval, correlation: float) -> float:
    """The correlation of the normals under which scores of this margin have the wanted one.

    Scores bend the normals, so they correlate a little less. By Gauss–Hermite quadrature over both normals, and bisection.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    shares = weights / weights.sum()
    a = population.margin(nodes)
    mean = float(shares @ a)
    variance = float(shares @ (a - mean) ** 2)

    def found(r: float) -> float:
        mixed = r * nodes[:, np.newaxis] + np.sqrt(1.0 - r * r) * nodes
        b: FloatArray = population.margin(mixed)
        return float(shares @ ((a - mean)[:, np.newaxis] * (b - mean)) @ shares) / variance

    low, high = (0.0, 1.0) if correlation > 0.0 else (-1.0, 0.0)
    if not found(low) <= correlation <= 1.0:
        raise UsageError(
            f"{population.name}: scores with mean={population.mean:g}, sd={population.sd:g} and zero_share={population.zero_share:g} cannot "
            f"correlate by {correlation:.3g}; give a correlation"
        )
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if found(middle) < correlation else (low, middle)
    return round(0.5 * (low + high), 3)
