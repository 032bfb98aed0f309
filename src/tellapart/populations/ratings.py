import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tellapart import populations
from tellapart.data.pair import Pair
from tellapart.data.summaries.rater_samples import ByRaters, Crossed, VotesByOrder
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray
from tellapart.foundation.errors import SpellingError, Unsuitable, UsageError
from tellapart.foundation.quantities import MOST_TOGETHER
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Option, options
from tellapart.foundation.surfaces import option
from tellapart.numerics.mixed_models.mean_square_law import MeanSquares
from tellapart.populations import rating_designs, rating_values
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design, Population
from tellapart.populations.rating_designs import (
    ITEMS_APART,
    LEVELS,
    PAIRED,
    RATERS_APART,
    SPREADS,
    EffectPrecision,
    RatingDesign,
    RatingLayout,
    layout,
)

if TYPE_CHECKING:
    from tellapart.populations.evidence import Evidence
    from tellapart.populations.from_evidence import Incomplete

UNIT_RANGE = (0.0, 1.0)
"""The range of the ratings that evidence is about."""
GAPS = 8
"""A table of differences counts for no less than this part of its cells, however few are rated."""


@POPULATIONS.add("ratings")
@dataclass(frozen=True, kw_only=True)
class RatedSystems(Population):
    """Several raters rate the outputs of both systems, and new raters and new items are meant.

    Raters differ in their own B − A (`rater_effect_sd`), and so do items (`item_effect_sd`); a single rating scatters by `residual_sd`
    around all that. All are normal and independent, in rating points. `design` says who rates what: `crossed` (both systems, by every
    rater or by `per_item` of them), `raters_nested` (each rater one system), `items_nested` (each item one system), `both_nested`, or
    `counterbalanced` (each rater sees an item once, half of them by each system); `raters` and items count all of them. Only where
    systems have raters or items of their own do their levels (`rater_sd`, `item_sd`) count. The wrong choice for ratings on
    a few steps near an end of the scale (`ordinal`), and where only these very raters are meant: then average them and plan a
    `gaussian`. Westfall, Kenny & Judd (2014).
    """

    raters: int = field(metadata={"help": "raters in all"})
    rater_effect_sd: float = field(metadata={"help": "sd of B − A between raters"})
    item_effect_sd: float = field(metadata={"help": "sd of B − A between items"})
    residual_sd: float = field(metadata={"help": "residual sd of one rating"})
    per_item: int | None = field(default=None, metadata={"help": "raters per item, if not all"})
    design: RatingDesign = field(default=PAIRED, metadata={"help": "who rates what"})
    rater_sd: float | None = field(default=None, metadata={"help": "sd of rating levels between raters"})
    item_sd: float | None = field(default=None, metadata={"help": "sd of rating levels between items"})

    range: tuple[float, float] | None = field(
        default=None, metadata={"help": "the lowest and the highest rating that can be given, such as 1:5"}
    )

    label = "ratings by several raters"
    test = "mixed_model"
    by_raters = True
    examples = (
        "ratings(effect=0.2, raters=10, rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26)",
        "ratings(effect=0.1, raters=6, rater_effect_sd=0.08, item_effect_sd=0.26, residual_sd=0.16, per_item=2)",
        "ratings(effect=0.1, raters=4, rater_effect_sd=0.08, item_effect_sd=0.26, residual_sd=0.16, design=raters_nested, rater_sd=0.05)",
    )

    evidence_kind = "ratings"
    open_numbers = frozenset({"raters", *SPREADS})

    @classmethod
    def evidence_options(cls) -> dict[str, tuple[str, ...]]:
        return {"spreads_from": (*SPREADS, *LEVELS)}

    @classmethod
    def numbers_from(
        cls, known: Mapping[str, Any], evidence: "Mapping[str, Evidence]", place: float
    ) -> dict[str, float]:
        """The spreads and levels of one setting, and at the ends of the band those of two others, on the scale of the ratings."""
        source = populations.RATING_BAND_ENDS.get(place) or next(iter(evidence.values()))
        low, high = known.get("range") or UNIT_RANGE
        # Of levels the evidence may say nothing.
        return dict.fromkeys(LEVELS, 0.0) | {n: sd * (high - low) for n, sd in source.coefficients.items()}

    @classmethod
    def options_beside(cls, given: Collection[str]) -> list[Option]:
        pilot = "pilot_raters" in given
        return options(populations.PilotRatings) if pilot else super().options_beside(given)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Population:
        if "pilot_raters" in values and cls is RatedSystems:
            return populations.PilotRatings.build(values)
        made = super().build(values)
        if isinstance(made, populations.Incomplete):
            _check_open(made)
        return made

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_range()
        for name in (*SPREADS, *LEVELS):
            if (getattr(self, name) or 0.0) < 0.0:
                raise SpellingError(f"ratings: {name}={getattr(self, name):g} should not be below 0")
        if not any(getattr(self, name) for name in SPREADS):
            raise UsageError(
                f"ratings: {', '.join(SPREADS)} are all 0, so every rating differs by the effect itself and any evaluation finds "
                "it; give at least one spread above 0"
            )
        self._check_raters()
        self._check_levels()

    def _check_raters(self) -> None:
        least = 4 if self.design in RATERS_APART else 2
        if not least <= self.raters <= MOST_TOGETHER:
            wanted = f"{least} to {MOST_TOGETHER:,}"
            why = ", half of them for each system" if least == 4 else ". The ratings of one are scores: gaussian"
            raise UsageError(f"ratings: raters={self.raters} should be {wanted}{why}")
        if self.design != PAIRED and self.raters % 2:
            raise UsageError(f"ratings: {self.design} has two halves of raters; raters={self.raters} is odd")
        if self.per_item is None:
            return
        if self.design != PAIRED:
            raise UsageError(f"ratings: per_item is for design={PAIRED}, and design is {self.design}; leave one out")
        if not 1 <= self.per_item <= self.raters:
            raise UsageError(
                f"ratings: per_item={self.per_item} should be between 1 and the number of raters ({self.raters})"
            )

    def _check_range(self) -> None:
        """Ratings between two ends scatter by half of their distance at most, and effects do not exceed it."""
        if self.range is None:
            return
        low, high = self.range
        if not low < high:
            raise UsageError(f"ratings: range={low:g}:{high:g} should have its lower end first")
        width, name = high - low, f"ratings from {low:g} to {high:g}"
        limits = {"effect": width, "residual_sd": width / 2.0, "rater_effect_sd": width, "item_effect_sd": width}
        for option_name, most in limits.items():
            value = getattr(self, option_name)
            if value is not None and abs(value) > most * (1.0 + STATISTIC_NOISE):
                raise UsageError(f"ratings: {option_name}={value:g} cannot be: of {name} it is {most:g} at most")

    @property
    def effect_range(self) -> tuple[float, float]:
        if self.range is None:
            return super().effect_range
        low, high = self.range
        return low - high, high - low

    def _check_levels(self) -> None:
        """Levels of raters or items that systems do not share are part of the difference between systems."""
        for name, designs, who in (("rater_sd", RATERS_APART, "raters"), ("item_sd", ITEMS_APART, "items")):
            if self.design in designs and getattr(self, name) is None:
                raise UsageError(
                    f"ratings: with {self.design} each system has {who} of its own, so the spread of their levels matters; give {option(name)}"
                )

    @property
    def unit(self) -> int:
        """Items come in two halves where systems or raters have halves of their own, and one for each rater where each has one."""
        return self.raters if self.one_rater_per_item else self._halves

    @property
    def _halves(self) -> int:
        return 2 if self.design in {*ITEMS_APART, "counterbalanced"} else 1

    @property
    def fitted_one_by_one(self) -> bool:
        return self.design != PAIRED

    @property
    def rated_by(self) -> int:
        """How many raters rate an item, of those who may."""
        return self.raters if self.per_item is None else self.per_item

    @property
    def one_rater_per_item(self) -> bool:
        return self.rated_by == 1

    def layout(self, items: int) -> RatingLayout:
        if items % self._halves or items < 2 * self._halves:
            raise Unsuitable(f"{self.design} has two halves of items, of at least 2 each; {items} items are none")
        return layout(self.design, self.raters, self.rated_by, items)

    def ratings(self, items: int) -> int:
        """How many ratings are given in all."""
        return self.raters * items // 2 if self.design == "both_nested" else self._rated_cells(items) * self._of_cell

    def _rated_cells(self, items: int) -> int:
        return items * self.rated_by

    @property
    def _of_cell(self) -> int:
        return 2 if self.design == PAIRED else 1

    @property
    def sd_difference(self) -> float | None:
        if self.design != PAIRED:
            return None
        of_raters = math.hypot(self.rater_effect_sd, math.sqrt(2.0) * self.residual_sd)
        return math.hypot(self.item_effect_sd, of_raters / math.sqrt(self.rated_by))

    def mean_squares(self, items: int) -> MeanSquares | None:
        """The strata of a balanced design; None where a fit is no function of three mean squares."""
        return rating_designs.mean_squares(self, items)

    def precision(self, items: int) -> EffectPrecision:
        """The true variance of the effect, and its degrees of freedom."""
        return rating_designs.precision(self, items)

    def draws(self, design: Design) -> tuple[Draw, ...]:
        cells = self.layout(design.items).cells
        ends = Draw("normal", 2, (self.raters,)), Draw("normal", 2, (design.items,))
        return *ends, Draw("normal", self._of_cell, (cells,))

    def scores(self, noise: Noise) -> Pair:
        """Each system's ratings with those of one item as its runs: what averaging over raters would see."""
        return rating_values.scores(self, noise, unchanged)

    def summary(self, needs: Any, noise: Noise) -> Any:
        if looks_at_raters(needs, self.design):
            return rating_values.by_raters(self, noise, unchanged)
        return super().summary(needs, noise)

    def draw_summary(self, needs: type, design: Design, size: int, rng: Generator) -> Any | None:
        """Differences of paired ratings without the levels that they do not depend on."""
        if self.design != PAIRED or not looks_at_raters(needs, self.design):
            return None
        return Crossed(rating_values.drawn_differences(self, design.items, size, rng))

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (a table of all raters and items at most)
        table = self.raters * design.items
        # Where few of many raters rate an item, the table is mostly gaps, and a fit handles few numbers and many evaluations at once.
        few = self._of_cell * self._rated_cells(design.items) if self.design == PAIRED else table
        return 2 * max(min(table, max(few, table // GAPS)), 1)

    @cached_property
    def variances(self) -> dict[str, float]:
        """Of a rater's and of an item's difference, of one rating, and of the levels of both."""
        return {name: (getattr(self, name) or 0.0) ** 2 for name in (*SPREADS, *LEVELS)}


def looks_at_raters(needs: Any, design: RatingDesign) -> bool:
    """Whether a test sees who rated what; one that sees averages over raters needs the same items for both systems."""
    if needs is VotesByOrder:
        raise Unsuitable("ratings have no order of two answers; name a test of raters such as mixed_model")
    sees = issubclass(needs, ByRaters)
    if not sees and design in ITEMS_APART:
        raise Unsuitable(
            f"with {design} systems share no items, and averaged over raters they are not paired; name a test of raters such as mixed_model"
        )
    return sees


def _check_open(open_ratings: "Incomplete") -> None:
    """The spreads are given together or not at all, and what else is given suits ratings of some spread."""
    given = [name for name in SPREADS if name in open_ratings.given]
    if given and len(given) < len(SPREADS):
        absent = [option(name) for name in SPREADS if name not in given]
        raise UsageError(
            f"ratings: {' and '.join(map(option, given))} without {' and '.join(absent)}; give all three, or none to "
            "take them from evidence"
        )
    if open_ratings.sources and "range" not in open_ratings.given:
        raise UsageError(
            "evidence gives spreads as a share of the range of ratings: give yours, such as "
            f"{option('range', '1:5')}, or the spreads in your own units: {', '.join(map(option, SPREADS))}"
        )
    raters = open_ratings.given.get("raters") or max(4, open_ratings.given.get("per_item") or 0)
    RatedSystems(
        **{
            **RatedSystems.numbers_from(open_ratings.given, {}, min(populations.RATING_BAND_ENDS)),
            **open_ratings.given,
            "raters": raters,
        }
    )


def unchanged(ratings: FloatArray) -> FloatArray:
    return ratings
