import math
from dataclasses import dataclass, field, replace

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, Unsuitable
from tellapart.foundation.quantities import several
from tellapart.populations.latent_pair import LatentPair
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design
from tellapart.populations.wrapper import Wrapper


@POPULATIONS.add("repeated")
@dataclass(frozen=True, kw_only=True)
class Repeated(Wrapper):
    """Every item is run several times by each system, and repeats of an item scatter around its own level.

    The wrapped population describes the levels (what endless runs would average to); each run adds independent normal
    noise with standard deviation `within_sd`, so the effect stays as it is. Scores may leave the range of the levels. The
    wrong choice for a handful of training seeds, which shift all items of a system at once and do not average out over
    items. For right-or-wrong answers sampled several times, wrap a `beta` of each item's solve rate and give the
    binomial scatter √(mean p(1 − p)) as `within_sd`. Miller (2024).
    """

    runs: int = field(metadata={"help": "runs of each system on an item"})
    within_sd: float = field(metadata={"help": "standard deviation between runs of one item"})

    label = "scores of repeated runs"
    examples = (
        "repeated(effect=0.02, population=beta(sd=0.1, correlation=0.5, mean=0.5), runs=3, within_sd=0.2)",
        "repeated(effect=0.02, population=clustered(population=gaussian(sd=0.1, correlation=0.5), size=5, icc=0.2), runs=2, within_sd=0.1)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        several(self.name, "runs", self.runs)
        if self.within_sd < 0.0:
            raise SpellingError(f"repeated: within_sd={self.within_sd:g} should not be below 0")
        repeated = any(isinstance(p, Repeated) for p in self.inside)
        if repeated or not isinstance(self.inside[-1], LatentPair):
            raise Unsuitable(
                f"repeated cannot wrap {self.population}: it adds noise to numeric scores run once, such as gaussian or "
                "beta. For right-or-wrong answers wrap a beta of each item's solve rate"
            )

    @property
    def test(self) -> str:
        # Averaging runs changes nothing about which test fits.
        return self.population.test

    def draws(self, design: Design) -> tuple[Draw, ...]:
        within = Draw("normal", 2, (design.items, self.runs, 1))
        return *self.population.draws(design), within

    def scores(self, noise: Noise) -> Pair:
        *inner, within_a, within_b = noise.layers
        levels = self.inner.scores(noise.once("levels", lambda: Noise(tuple(inner))))
        return replace(levels, a=self._runs_of(levels.a, within_a), b=self._runs_of(levels.b, within_b))

    def _runs_of(self, levels: FloatArray, within: FloatArray) -> FloatArray:
        scores = within * self.within_sd
        scores += levels
        return scores

    def width(self, needs: type, design: Design) -> int:
        return super().width(needs, design) + 2 * design.items * self.runs

    @property
    def sd_difference(self) -> float | None:
        levels = self.population.sd_difference
        return None if levels is None else math.hypot(levels, self.within_sd * math.sqrt(2.0 / self.runs))
