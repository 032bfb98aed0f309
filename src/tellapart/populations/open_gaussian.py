from dataclasses import dataclass, field
from typing import Any

from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.noise import Noise
from tellapart.populations.population import Population
from tellapart.scores import Pair


@dataclass(frozen=True, kw_only=True)
class OpenGaussian(Population):
    """A `gaussian` whose sd or correlation nobody gave: evidence has to say them before anything is drawn.

    It is spelled `gaussian(…)` without them. Only `plan` fills them in.
    """

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

    @property
    def complete(self) -> bool:
        return False

    def filled(self, kind: type[Gaussian], **supposed: Any) -> Gaussian:
        """The population of this kind with what was given, and what is supposed besides."""
        given: dict[str, Any] = {name: getattr(self, name) for name in ("mean", "sd_b", "clip", "effect")}
        known = {name: getattr(self, name) for name in ("sd", "correlation")}
        return kind(**given | {name: value for name, value in known.items() if value is not None} | supposed)

    def scores(self, noise: Noise) -> Pair:  # noqa: ARG002  (there is nothing to draw from yet)
        absent = [name for name in ("sd", "correlation") if getattr(self, name) is None]
        raise UsageError(
            f"gaussian needs {' and '.join(map(option, absent))} here; only a plan takes them from evidence"
        )
