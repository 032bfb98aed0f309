from dataclasses import dataclass, field
from typing import ClassVar

from tellapart.evidence import Contributions
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.supposed import Open, SupposedPopulation, place_in_band


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
