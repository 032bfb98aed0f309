"""Items run several times by each system: the variance of a difference by the number of runs."""

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from tellapart.data.pair import Pair
from tellapart.data.summaries.counts import CODINGS, coding
from tellapart.foundation.arrays import STATISTIC_NOISE
from tellapart.foundation.errors import SpellingError, Unsuitable, UsageError
from tellapart.foundation.quantities import fraction, positive, several
from tellapart.numerics.run_variance import RunVariance, cross_disagreement
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design, Population

WAYS = ("disagreement", "consistency", "icc")
"""Ways to say how often two runs of one system disagree."""


@POPULATIONS.add("runs")
@dataclass(frozen=True, kw_only=True)
class RepeatedRuns(Population):
    """Every item is run several times by each system, and what is compared are averages over runs.

    Right or wrong: `discordance` is the share of items on which one run of A and one of B disagree, `disagreement` that on which two runs of
    one system do (`consistency` is one minus it, `icc` one minus its share of 2p(1 − p) at A's `accuracy` p). Then, for any law of solve
    rates, a run has variance disagreement/2 and endless runs leave discordance − disagreement − effect². Of scores give `item_sd`, of an
    item's difference with endless runs, and `run_sd`, of one run. Runs of an item are independent. Power is Student's t with that spread.
    The wrong choice for trainings with several seeds, which shift all items of a system at once (`seeds`). Miller (2024).
    """

    runs: int = field(metadata={"help": "runs of A on an item, and of B unless runs_b says otherwise"})
    runs_b: int | None = field(default=None, metadata={"help": "runs of B on an item"})
    accuracy: float | None = field(default=None, metadata={"help": "share of right answers of A"})
    discordance: float | None = field(
        default=None, metadata={"help": "share of items on which a run of A and a run of B disagree"}
    )
    disagreement: float | None = field(
        default=None, metadata={"help": "share of items on which two runs of one system disagree"}
    )
    disagreement_b: float | None = field(default=None, metadata={"help": "the same of B, where it is another"})
    consistency: float | None = field(default=None, metadata={"help": "one minus the disagreement"})
    icc: float | None = field(
        default=None, metadata={"help": "how alike runs of an item are: 1 − disagreement / 2p(1 − p)"}
    )
    item_sd: float | None = field(
        default=None, metadata={"help": "of scores: standard deviation of an item's difference, with endless runs"}
    )
    run_sd: float | None = field(
        default=None, metadata={"help": "of scores: standard deviation between runs of one item"}
    )
    run_sd_b: float | None = field(default=None, metadata={"help": "the same of B, where it is another"})

    label = "averages over repeated runs"
    test = "paired_t"
    one_test = True
    examples = (
        "runs(effect=0.02, accuracy=0.7, discordance=0.2, disagreement=0.12, runs=5)",
        "runs(effect=0.02, discordance=0.3, consistency=0.8, runs=3, runs_b=2)",
        "runs(effect=0.03, item_sd=0.3333, run_sd=0.4082, runs=4)",
    )
    open_numbers = frozenset({"runs"})

    def __post_init__(self) -> None:
        super().__post_init__()
        several(self.name, "runs", self.runs)
        if self.runs_b is not None:
            several(self.name, "runs_b", self.runs_b)
        (self._check_scores if self._of_scores else self._check_right_or_wrong)()

    @property
    def _of_scores(self) -> bool:
        return self.item_sd is not None or self.run_sd is not None or self.run_sd_b is not None

    def _check_scores(self) -> None:
        others = [
            name for name in ("accuracy", "discordance", "disagreement_b", *WAYS) if getattr(self, name) is not None
        ]
        if others or self.item_sd is None or self.run_sd is None:
            raise UsageError(
                "runs: of scores give item_sd and run_sd, of right or wrong discordance and one of "
                f"{', '.join(WAYS)}; given: {', '.join([*others, *(n for n in ('item_sd', 'run_sd') if getattr(self, n) is not None)])}"
            )
        for name in ("item_sd", "run_sd", "run_sd_b"):
            value = getattr(self, name)
            if value is not None and value < 0.0:
                raise SpellingError(f"runs: {name}={value:g} should not be below 0")
        if self.item_sd == self.run_sd == 0.0:
            positive(self.name, "run_sd", self.run_sd)

    def _check_right_or_wrong(self) -> None:
        given = [name for name in WAYS if getattr(self, name) is not None]
        if len(given) != 1 or self.discordance is None:
            raise UsageError(
                f"runs: give discordance and one of {', '.join(WAYS)} for right or wrong, or item_sd and run_sd for scores; "
                f"given: {', '.join(given) or 'none of them'}"
            )
        for name in ("accuracy", "discordance", "disagreement", "disagreement_b", "consistency", "icc"):
            if getattr(self, name) is not None:
                fraction(self.name, name, getattr(self, name))
        if self.icc is not None and self.accuracy is None:
            raise UsageError("runs: icc means something only with the accuracy of A; give accuracy, or disagreement")
        if self.accuracy is not None:
            self._check_disagreements(self.accuracy)
        if self._own_disagreement() > self.discordance + STATISTIC_NOISE:
            raise UsageError(
                f"runs: two runs of one system disagree more ({self._own_disagreement():g}) than the two systems do ({self.discordance:g}): not "
                "both can be"
            )
        low, high = self.effect_range
        if self.effect is not None and not low - STATISTIC_NOISE <= self.effect <= high + STATISTIC_NOISE:
            raise UsageError(
                f"runs: effect={self.effect:g} cannot be: with these disagreements it lies between {low:.4g} and {high:.4g}"
            )

    def _check_disagreements(self, accuracy: float) -> None:
        shares = [(accuracy, self._disagreements()[0], "A")]
        if self.effect is not None:
            other = accuracy + self.effect
            if not -STATISTIC_NOISE <= other <= 1.0 + STATISTIC_NOISE:
                raise UsageError(
                    f"runs: effect={self.effect:g} cannot be: with accuracy={accuracy:g} it lies between {-accuracy:.4g} and {1.0 - accuracy:.4g}"
                )
            shares.append((other, self._disagreements()[1], "B"))
        for share, disagreement, system in shares:
            most = 2.0 * share * (1.0 - share)
            if disagreement > most + STATISTIC_NOISE:
                raise UsageError(
                    f"runs: two runs of {system} disagree on at most {most:.4g} of items where {share:.4g} of its answers are right, and "
                    f"{disagreement:.4g} was given"
                )

    def _disagreements(self) -> tuple[float, float]:
        """How often two runs of A, and of B, disagree."""
        if self.disagreement is not None:
            first = self.disagreement
        elif self.consistency is not None:
            first = 1.0 - self.consistency
        else:
            assert self.icc is not None
            assert self.accuracy is not None
            first = 2.0 * self.accuracy * (1.0 - self.accuracy) * (1.0 - self.icc)
        return first, first if self.disagreement_b is None else self.disagreement_b

    def _own_disagreement(self) -> float:
        return 0.5 * sum(self._disagreements())

    @property
    def effect_range(self) -> tuple[float, float]:
        if self._of_scores:
            return super().effect_range
        assert self.discordance is not None
        most = math.sqrt(max(self.discordance - self._own_disagreement(), 0.0))
        if self.accuracy is None:
            return -most, most
        # Runs of B disagree so often only where not nearly all, nor nearly none, of its answers are right.
        half = math.sqrt(max(0.25 - 0.5 * self._disagreements()[1], 0.0))
        return max(-most, 0.5 - half - self.accuracy), min(most, 0.5 + half - self.accuracy)

    @property
    def item_variance(self) -> float:
        """The variance of an item's difference that endless runs leave."""
        if self.item_sd is not None:
            return self.item_sd**2
        assert self.discordance is not None
        return max(self.discordance - self._own_disagreement() - self.known_effect**2, 0.0)

    @property
    def run_variances(self) -> tuple[float, float]:
        """The variance between runs of one item, of A and of B."""
        if self.run_sd is not None:
            return self.run_sd**2, (self.run_sd if self.run_sd_b is None else self.run_sd_b) ** 2
        a, b = self._disagreements()
        return 0.5 * a, 0.5 * b

    @property
    def runs_of_each(self) -> tuple[int, int]:
        return self.runs, self.runs if self.runs_b is None else self.runs_b

    @property
    def sd_difference(self) -> float:
        shares = zip(self.run_variances, self.runs_of_each, strict=True)
        return math.sqrt(self.item_variance + sum(variance / runs for variance, runs in shares))

    def draws(self, design: Design) -> tuple[Draw, ...]:
        runs_a, runs_b = self.runs_of_each
        return (
            Draw("normal", 1, (design.items, 1, 1)),
            Draw("normal", 1, (design.items, runs_a, 1)),
            Draw("normal", 1, (design.items, runs_b, 1)),
        )

    def scores(self, noise: Noise) -> Pair:
        """Normal with these variances: what the formula stands for."""
        item, own_a, own_b = noise.layers
        (run_a, run_b), own = self.run_variances, math.sqrt(self.item_variance)
        level = self.accuracy or 0.0
        return Pair(level + own_a * math.sqrt(run_a), level + item * own + own_b * math.sqrt(run_b) + self.known_effect)

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (whatever is looked at)
        return design.items * (1 + sum(self.runs_of_each))


def measured_runs(pair: Pair, effects: Collection[float]) -> dict[str, float]:
    """The numbers of a pair that was run several times, by the names of the options: of answers 0 and 1 rates, of other scores spreads.

    `effects` are those that will be planned for: scores may by chance leave them less room than there is.
    """
    a, b = pair.a[..., 0], pair.b[..., 0]
    found = RunVariance.of(a, b)
    if not (math.isfinite(float(found.a.within)) and math.isfinite(float(found.b.within))):
        raise Unsuitable(
            "no item has two runs of each system, so that chance between runs cannot be told; pass a file with repeats, or give the numbers"
        )
    if coding(pair.a, pair.b) != CODINGS[0]:
        spreads = {"item_sd": found.item_variance, "run_sd": found.a.within, "run_sd_b": found.b.within}
        return {name: math.sqrt(float(value)) for name, value in spreads.items()}
    own = float(found.a.within + found.b.within)
    room = own + max((effect * effect for effect in effects), default=0.0)
    return {
        "discordance": max(float(cross_disagreement(found.a.means, found.b.means)), room),
        "disagreement": 2.0 * float(found.a.within),
        "disagreement_b": 2.0 * float(found.b.within),
    }
