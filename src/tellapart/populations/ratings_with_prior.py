from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Self

from tellapart.data.pair import Pair
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.populations.evidence import Band, RatingSpreads
from tellapart.populations.from_evidence import EXPECTED, HIGH, LOW
from tellapart.populations.noise import Noise
from tellapart.populations.population import Population
from tellapart.populations.rating_designs import LEVELS, PAIRED, SPREADS, RatingDesign
from tellapart.populations.ratings import RatedSystems

ENDS = {LOW: RatingSpreads(setting="pplm"), HIGH: RatingSpreads(setting="high")}
"""The settings at the ends of the band; whichever was named is what is expected."""
USUAL = RatingSpreads(setting="low")
"""Between the two others."""


def variant(given: Collection[str]) -> type[Population]:
    """The kind of ratings that these options make, where they are not all that there is to say."""
    return SupposedRatings if {"raters", "spreads_from"} <= set(given) else OpenRatings


@dataclass(frozen=True, kw_only=True)
class SupposedRatings(RatedSystems):
    """Ratings that spread as those of past evaluations did, on a scale from 0 to 1.

    It is spelled `ratings(…, spreads_from=…)`: the numbers, and the evidence they come from. Assumes raters and tasks like those
    that the evidence was seen on. The wrong choice where a pilot could tell.
    """

    spreads_from: RatingSpreads = field(metadata={"help": "the evidence that the spreads come from"})
    place: float = field(
        default=EXPECTED, metadata={"help": "where in its band: -1 the least spread, 0 expected, 1 the most"}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.place not in {LOW, EXPECTED, HIGH}:
            raise UsageError(f"ratings: place={self.place:g} should be -1, 0 or 1")

    @property
    def supposed(self) -> "SupposedRatings":
        return self

    @property
    def law(self) -> type[Population]:
        return RatedSystems

    def moved(self, place: float) -> Self:
        """The same at an end of the band."""
        return self.replace(place=place, **_said(ENDS.get(place, self.spreads_from)))

    def bands(self) -> dict[str, Band]:
        ends = [_said(self.spreads_from), *(_said(end) for end in ENDS.values())]
        return {
            name: Band(ends[0][name], *(pick(end[name] for end in ends) for pick in (min, max)))
            for name in SPREADS
        }

    @property
    def settled(self) -> RatedSystems:
        """The same without its source."""
        names = ("raters", *SPREADS, *LEVELS, "per_item", "design", "effect")
        return RatedSystems(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True, kw_only=True)
class OpenRatings(Population):
    """Ratings of which something is open: how they spread, which evidence says, or how many raters there are, which a budget does.

    It is spelled `ratings(…)` without them. Only `plan` fills them in.
    """

    raters: int | None = field(default=None, metadata={"help": "raters in all"})
    rater_effect_sd: float | None = field(
        default=None, metadata={"help": "sd over raters of their own B − A"}
    )
    item_effect_sd: float | None = field(default=None, metadata={"help": "sd over items of their own B − A"})
    residual_sd: float | None = field(
        default=None, metadata={"help": "sd of one rating around everything else"}
    )
    per_item: int | None = field(default=None, metadata={"help": "raters per item, if not all"})
    design: RatingDesign = field(default=PAIRED, metadata={"help": "who rates what"})
    rater_sd: float | None = field(default=None, metadata={"help": "sd over raters of their level"})
    item_sd: float | None = field(default=None, metadata={"help": "sd over items of their level"})
    spreads_from: RatingSpreads | None = field(
        default=None, metadata={"help": "the evidence that the spreads come from"}
    )

    name = RatedSystems.name
    label = RatedSystems.label
    test = RatedSystems.test
    by_raters = True
    examples = ("ratings(effect=0.1, raters=10)",)

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [name for name in SPREADS if getattr(self, name) is not None]
        if given and len(given) < len(SPREADS):
            absent = [option(name) for name in SPREADS if name not in given]
            raise UsageError(
                f"ratings: {' and '.join(map(option, given))} without {' and '.join(absent)}; give all three, or none to have them "
                "from evidence"
            )
        self.with_raters(max(4, self.per_item or 0) if self.raters is None else self.raters, self.per_item)

    @property
    def complete(self) -> bool:
        return False

    @property
    def lacks_spreads(self) -> bool:
        return self.residual_sd is None and self.spreads_from is None

    def spread_as(self, evidence: RatingSpreads | None) -> Population:
        """The same with what evidence says of its spreads."""
        told = self.replace(spreads_from=evidence or USUAL)
        return told if self.raters is None else told.with_raters(self.raters, self.per_item)

    def with_raters(self, raters: int, per_item: int | None) -> RatedSystems:
        """The same with so many raters; spreads that nobody said yet are as expected."""
        names = (*SPREADS, *LEVELS, "design", "effect")
        given: dict[str, Any] = {n: value for n in names if (value := getattr(self, n)) is not None}
        given |= {"raters": raters, "per_item": None if per_item == raters else per_item}
        if self.residual_sd is not None:
            return RatedSystems(**given)
        source = self.spreads_from or USUAL
        return SupposedRatings(**{**_said(source), **given, "spreads_from": source})

    def scores(self, noise: Noise) -> Pair:  # noqa: ARG002  (there is nothing to draw from yet)
        absent = [name for name in ("raters", *SPREADS) if getattr(self, name) is None]
        raise UsageError(
            f"ratings need {' and '.join(map(option, absent))} here; only a plan has spreads from evidence and raters from a budget"
        )


def _said(evidence: RatingSpreads) -> dict[str, float]:
    """What evidence says of spreads and levels; of levels it may say nothing."""
    return dict.fromkeys(LEVELS, 0.0) | evidence.coefficients
