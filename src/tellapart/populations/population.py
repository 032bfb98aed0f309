"""Base class of populations: an assumed source of paired scores with a known true effect.

A draw has two steps. `draws` says which random numbers are needed, which depend on no assumed number; `scores` gives them
the assumed shape. So one set of numbers serves a whole grid of effects and correlations, and power curves made of it are smooth.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from tellapart import populations
from tellapart.data.pair import Pair
from tellapart.data.provenance import Better
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import plain, whole
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Option, Registry, Spelled, options
from tellapart.metrics.mean import Mean
from tellapart.metrics.metric import Metric
from tellapart.populations.noise import Draw, Noise

# How large a study is: the numbers that whoever runs it is free to choose, and that a plan can be asked
# for.

FEWEST = 2
"""Items, or whatever else the sample consists of: one alone has no spread, and no test of differences an answer."""


@dataclass(frozen=True)
class Design:
    """How many items both systems answer; on systems that share none, how many each answers."""

    items: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", whole("items", self.items, least=FEWEST))

    @classmethod
    def of(cls, given: "Design | int") -> "Design":
        """A design as users give it: a plain number is one of items."""
        return given if isinstance(given, Design) else cls(given)

    def replace(self, **changes: int) -> Self:
        return replace(self, **changes)


if TYPE_CHECKING:
    from tellapart.populations.evidence import Evidence
    from tellapart.populations.pilot import Pilot

POPULATIONS: "Registry[Population]" = Registry("population")

MEAN = Mean()


@dataclass(frozen=True, kw_only=True)
class Population(Spelled):
    """Base of every population. `effect` is the true difference B − A of the metric; None leaves it open, to be solved for."""

    effect: float | None = field(default=None, metadata={"help": "true difference of means, B − A"})

    registry = POPULATIONS
    label: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    """Spellings that show what it is for: the help prints them, and every law is tried on them."""
    paired: ClassVar[bool] = True
    """Whether both systems answer the same items."""
    by_raters: ClassVar[bool] = False
    """Whether several raters rate the items, so that tests over raters and items apply."""
    right_or_wrong: ClassVar[bool] = False
    """Whether every score is 0 or 1, of independent items that are run once."""
    one_test: ClassVar[bool] = False
    """Whether its own test is planned for whatever the scores are like, so that a plan draws none to see what is chosen."""
    from_spelling: ClassVar[bool] = True
    """Whether its spelling is all there is to it; a pilot also needs its file."""

    evidence_signs: ClassVar[Mapping[str, int]] = {}
    """The numbers that evidence may say, with what more of each does to the spread of differences: 1 widens, -1 narrows, 0 neither."""
    evidence_kind: ClassVar[str] = ""
    """The kind of evidence that says them."""
    open_numbers: ClassVar[frozenset[str]] = frozenset()
    """Numbers beside those that a plan can do without."""

    @classmethod
    def evidence_options(cls) -> dict[str, tuple[str, ...]]:
        """The options that name evidence, with the numbers that it says."""
        return {f"{number}_from": (number,) for number in cls.evidence_signs}

    @classmethod
    def numbers_from(
        cls,
        known: Mapping[str, Any],  # noqa: ARG003  (some numbers depend on what is known)
        evidence: "Mapping[str, Evidence]",
        place: float,
    ) -> dict[str, float]:
        """The numbers that this evidence says at a place of its band: LOW where differences spread least, HIGH where most."""
        return {n: getattr(source, n).at(place * cls.evidence_signs[n]) for n, source in evidence.items()}

    @classmethod
    def options_beside(cls, given: Collection[str]) -> list[Option]:
        if not cls.evidence_options().keys() & set(given):
            return options(cls)
        return [*options(cls), *populations.source_options(cls)]

    @classmethod
    def completed_by_plan(cls, lacking: Collection[str]) -> bool:
        """Whether a plan finds out all these numbers: from evidence, or as the answer to its question."""
        return set(lacking) <= {*cls.evidence_signs, *cls.open_numbers}

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> "Population":
        """The population of these options; an incomplete one where evidence is named, or has to say what is not given."""
        sources = {name: value for name, value in values.items() if name in cls.evidence_options()}
        given = {name: value for name, value in values.items() if name not in sources}
        lacking = [one.name for one in options(cls) if one.required and given.get(one.name) is None]
        if any(source is not None for source in sources.values()) or (lacking and cls.completed_by_plan(lacking)):
            return populations.Incomplete(kind=cls, given=given, sources=sources)
        return cast(Population, super().build(given))

    def __post_init__(self) -> None:
        for option in options(type(self)):
            value = plain(type(self).name, option, getattr(self, option.name))
            object.__setattr__(self, option.name, value)
        super().__post_init__()

    @property
    @abstractmethod
    def test(self) -> str:
        """The spelling of the test that is planned for when none is named."""

    @property
    def standardised(self) -> "Population":
        """A population whose scores have the same shape: whatever depends on neither location nor scale is looked at on it, once for all."""
        return self

    @property
    def simulated(self) -> "Population":
        """What Monte Carlo draws from: another population where this one stands for scores by their mean and spread alone."""
        return self

    @property
    def metric(self) -> Metric:
        """The metric that is compared; `effect` is its true difference."""
        return MEAN

    @property
    def better(self) -> Better | None:
        """Which scores are better, where their file says so."""
        return None

    @property
    def latent(self) -> int:
        """How many standard normals an item takes: the leading layers of the noise, and what clusters can share."""
        return 0

    @property
    def fitted_one_by_one(self) -> bool:
        """Whether a test takes a fit of its own for each evaluation, so that a simulation takes long."""
        return False

    @property
    def complete(self) -> bool:
        """Whether nothing but the effect is open; of what is not complete, past evidence has to say the rest."""
        return True

    @property
    def rests_on_evidence(self) -> bool:
        """Whether past evidence says some of its numbers, so that they have a band."""
        return False

    @property
    def with_numbers(self) -> "Population":
        """The population with numbers in place of evidence; refused where some are missing."""
        return self

    def at_place(self, place: float) -> "Population":  # noqa: ARG002  (only evidence has a band)
        """The population at a place in the band of its evidence: LOW, EXPECTED or HIGH."""
        return self

    @property
    def source(self) -> str:
        """Where its scores come from, as a report cites it."""
        return str(self)

    def with_effect(self, effect: float | None) -> Self:
        return self.replace(effect=effect)

    @property
    def known_effect(self) -> float:
        if self.effect is None:
            raise UsageError(f"{self} has no effect; give one, or solve for it by giving items and power")
        return self.effect

    @property
    def effect_range(self) -> tuple[float, float]:
        """The effects that this population can have, its other options as they are."""
        return -float("inf"), float("inf")

    @property
    def unit(self) -> int:
        """How many items come together: the size of a cluster."""
        return 1

    @property
    def fixed_items(self) -> int | None:
        """The number of items, where the population itself says how many clusters there are."""
        return None

    @property
    def usual_unit(self) -> float:
        """How many items come together on average, where clusters are of many sizes."""
        return self.unit

    @property
    def sd_difference(self) -> float | None:
        """The standard deviation of an item's difference, its runs averaged and nothing clipped; None where not known."""
        return None

    def discordant_probabilities(self) -> tuple[float, float] | None:
        """The probability that only B is right on an item, and that only A is; None where scores are not right or wrong."""
        return None

    def draw(self, design: Design | int, size: int, rng: Generator) -> Pair:
        """`size` simulated evaluations of this design: arrays `(size, item, run, part)`."""
        return self.scores(Noise.drawn(self.draws(Design.of(design)), size, rng))

    def draws(self, design: Design) -> tuple[Draw, ...]:
        """Which random numbers one evaluation takes; populations that take the same ones share them in a grid."""
        return (Draw("normal", self.latent, (design.items,)),)

    @abstractmethod
    def scores(self, noise: Noise) -> Pair:
        """The scores these random numbers mean here; the numbers are not changed, for others use them too."""

    def summary(self, needs: Any, noise: Noise) -> Any:
        """The summary that a test needs; overridden where it can be had without drawing all scores."""
        return needs.of(self.scores(noise), self.metric)

    def draw_summary(self, needs: type, design: Design, size: int, rng: Generator) -> Any | None:  # noqa: ARG002
        """A summary drawn directly, where that is faster than drawing scores; None where it is not."""
        return None

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (only where a summary is drawn directly)
        """How many numbers one simulated evaluation takes, which sets how many are made at once."""
        return design.items * max(self.latent, 1)


def discordant_chances(populations: Sequence[Population]) -> list[tuple[float, float] | None]:
    """The discordant probabilities of each of many populations, each computed once."""
    known = {population: population.discordant_probabilities() for population in dict.fromkeys(populations)}
    return [known[population] for population in populations]


def as_scores(values: FloatArray) -> FloatArray:
    """Item scores `(size, item)` with the axes of a pair: one run, one part."""
    return values[..., None, None]


def as_pilot(population: Population) -> "Pilot | None":
    """The population itself where its scores are those of a pilot's file; None where it is assumed."""
    known = None if population.from_spelling else population
    return known if known is not None and isinstance(known, populations.Pilot) else None
