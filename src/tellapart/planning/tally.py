"""What a number of simulated evaluations came to."""

from dataclasses import dataclass

from tellapart.distributions.confidence_sequence import anytime_bounds
from tellapart.distributions.normal import two_sided_quantile
from tellapart.distributions.proportion import wilson_bounds
from tellapart.planning.study import LEVEL, PowerResult, Study


@dataclass(frozen=True)
class Tally:
    """Counts of simulated evaluations; `estimates` is the sum of |estimate| over the rejections."""

    replicates: int = 0
    rejections: int = 0
    wrong_sign: int = 0
    estimates: float = 0.0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.replicates + other.replicates,
            self.rejections + other.rejections,
            self.wrong_sign + other.wrong_sign,
            self.estimates + other.estimates,
        )

    def bounds(self, until: float | None) -> tuple[float, float]:
        """Between which power lies; where a width was waited for, by bounds that hold whenever one stops."""
        if until is not None:
            return anytime_bounds(self.rejections, self.replicates, LEVEL, until)
        _, low, high = wilson_bounds(self.rejections, self.replicates, two_sided_quantile(LEVEL))
        return float(low), float(high)

    def precise(self, until: float | None) -> bool:
        """Whether it is known as well as was asked for."""
        if until is None or self.replicates == 0:
            return False
        low, high = self.bounds(until)
        return high - low <= 2.0 * until

    def result(self, study: Study, until: float | None = None) -> PowerResult:
        low, high = self.bounds(until)
        effect = study.population.known_effect
        # A wrong sign and an exaggeration are those of a claim that there is a difference, beside a true one.
        meant = study.test.claim == "difference" and effect != 0.0 and self.rejections > 0
        return PowerResult(
            power=self.rejections / self.replicates,
            low=low,
            high=high,
            engine="monte_carlo",
            replicates=self.replicates,
            type_s=self.wrong_sign / self.rejections if meant else None,
            type_m=self.estimates / (self.rejections * abs(effect)) if meant else None,
        )
