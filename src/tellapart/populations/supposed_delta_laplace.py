from collections.abc import Collection
from dataclasses import dataclass, field
from typing import ClassVar

from tellapart.evidence import Contributions
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.from_evidence import EXPECTED
from tellapart.populations.population import Population
from tellapart.populations.supposed import FROM, Open, Supposed


def variant(given: Collection[str]) -> type[Population]:
    """The kind that these options make, where they are not all that there is to say."""
    return SupposedDeltaLaplace if any(name.endswith(FROM) for name in given) else OpenDeltaLaplace


@dataclass(frozen=True, kw_only=True)
class SupposedDeltaLaplace(Supposed, DeltaLaplace):
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
    place: float = field(
        default=EXPECTED,
        metadata={"help": "where in its band: -1 the least spread of differences, 0 expected, 1 the most"},
    )

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
