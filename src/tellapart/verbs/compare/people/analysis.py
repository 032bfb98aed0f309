"""The numbers behind a comparison by raters: effect, error and where the error comes from."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.components.fitted import Fitted
from tellapart.components.of_sample import fit_sample
from tellapart.components.reference_law import degrees_of, error_of
from tellapart.distributions.moments import mean_and_variance
from tellapart.distributions.rater_means import rater_means
from tellapart.doors import option
from tellapart.ratings import RatedPair
from tellapart.results.interval import IntervalResult
from tellapart.significance import TESTS, Procedure
from tellapart.significance.mixed_model import MixedModel
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.crossed import Crossed
from tellapart.verbs.compare.analysis import Analysis, of_difference
from tellapart.votes import VotePair


@dataclass(frozen=True, eq=False)
class RaterAnalysis(Analysis):
    """Ratings of two systems, or votes between them, with the test and interval they are judged by."""

    pair: Any

    @cached_property
    def judged(self) -> ByRaters:
        """What the methods look at."""
        found: ByRaters = self.summary(ByRaters)
        return found

    @property
    def crossed(self) -> bool:
        """Whether there are differences, and not single ratings."""
        return isinstance(self.judged, Crossed)

    @property
    def paired(self) -> bool:
        return True

    @property
    def clusters(self) -> None:
        return None

    @property
    def items(self) -> int:
        return int(self.judged.items)

    @property
    def inner(self) -> Procedure:
        """The test of a difference that everything is judged by."""
        return of_difference(self.test)

    @cached_property
    def fitted(self) -> Fitted:
        return fit_sample(self.judged, self.inner.fit if isinstance(self.inner, MixedModel) else "reml")

    @cached_property
    def _over_raters(self) -> tuple[float, float, float]:
        """Mean of the raters' means, its error and degrees of freedom."""
        means: FloatArray = rater_means(self.judged, self.inner.name)
        mean, variance = mean_and_variance(means)
        return float(mean), float(np.sqrt(variance / means.shape[-1])), means.shape[-1] - 1.0

    @property
    def effect(self) -> float:
        return float(self.fitted.effect) if isinstance(self.inner, MixedModel) else self._over_raters[0]

    @property
    def standard_error(self) -> float:
        if isinstance(self.inner, MixedModel):
            return float(error_of(self.fitted, self.inner.df))
        return self._over_raters[1]

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the error, where its law has them."""
        if not isinstance(self.inner, MixedModel):
            return self._over_raters[2]
        found = float(degrees_of(self.fitted, self.inner.df))
        return found if np.isfinite(found) else None

    @cached_property
    def interval_result(self) -> IntervalResult:
        """Of votes no further than all of them for one system: what a law of spreads would allow beyond cannot be."""
        found = super().interval_result
        if not isinstance(self.pair, VotePair):
            return found
        return replace(found, low=max(found.low, -1.0), high=min(found.high, 1.0))

    @property
    def margin_stand_in(self) -> Procedure:
        return self.inner

    @property
    def signs(self) -> Procedure | None:
        """Of raters, where they alone are the sample; signs of raters and items at once are no test."""
        over_raters = self.crossed and not isinstance(self.inner, MixedModel)
        return TESTS.parse("rater_sign_flip") if over_raters else None

    def _why_none(self) -> str:
        way_out = f"Use {option('test', self.test.advice)}" if self.crossed else "Check the ratings"
        alike = (
            "ratings differ by the same everywhere"
            if isinstance(self.pair, RatedPair)
            else "all votes fall alike"
        )
        return f"{alike}, so there is no spread to measure it by. {way_out}"
