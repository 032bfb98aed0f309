"""Result of a mixed-model fit: the effect, its standard error and the variance components."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import t_quantile, t_quantiles, t_tails
from tellapart.numerics.roots import increasing_root

Method = Literal["reml", "ml"]
Degrees = Literal["kenward_roger", "cochran", "satterthwaite", "normal"]
"""The method for the reference distribution of effect / standard error and its degrees of freedom."""

DIFFERENCE_TERMS = ("rater_effect", "item_effect", "residual")
RATING_TERMS = ("rater_effect", "item_effect", "rater", "item", "rater_item", "residual")


VERY_MANY = 1_000
"""Fits from which on quantiles are looked up: those of a quadrature."""


@dataclass(frozen=True, eq=False)
class MixedModelFit:
    """An effect, its error and where that error comes from. Arrays are `(*batch,)`, those per term `(*batch, term)`.

    `variances` are those of the model that was fitted: the residual of a difference is that of two ratings. `shares` are the
    terms' parts of the variance of the effect and add up to 1. `singular` marks variances that the data would rather have
    below zero, and which are exactly 0; `dropped` those that the data cannot tell from another term.
    """

    effect: FloatArray
    se: FloatArray
    se_adjusted: FloatArray
    """Kenward and Roger's, which knows that the variances are estimates. NaN for maximum likelihood, where it has no meaning."""
    df_satterthwaite: FloatArray
    df_kenward_roger: FloatArray
    terms: tuple[str, ...]
    variances: FloatArray
    shares: FloatArray
    singular: BoolArray
    dropped: BoolArray
    raters: FloatArray
    items: FloatArray
    """Levels that Cochran's degrees of freedom are one less than; fewer where something else leaves fewer."""
    loglik: FloatArray
    information: FloatArray
    """Expected information of the variances under REML, `(*batch, term, term)`, NaN where a term was dropped."""
    paired: bool
    """Whether differences were fitted, or single ratings."""

    @property
    def sds(self) -> dict[str, FloatArray]:
        """Standard deviations by name, that of the residual being the one of a single rating; NaN where dropped."""
        ratings = np.array([2.0 if self.paired and term == "residual" else 1.0 for term in self.terms])
        sds = np.where(self.dropped, np.nan, np.sqrt(self.variances / ratings))
        return {f"{term}_sd": sds[..., place] for place, term in enumerate(self.terms)}

    @property
    def rater_share(self) -> FloatArray:
        """The share of the effect's variance that is due to raters."""
        return self._variance_share("rater", "rater_effect")

    @property
    def item_share(self) -> FloatArray:
        """The share of the effect's variance that is due to items."""
        return self._variance_share("item", "item_effect")

    @property
    def rest_share(self) -> FloatArray:
        """The share that neither raters nor items account for."""
        return self._variance_share("rater_item", "residual")

    def settled(self) -> "MixedModelFit":
        """Where nothing spreads no term has a share: the rest takes all, and degrees of freedom are those of the fewer levels."""
        flat = self.se == 0.0
        if not flat.any():
            return self
        fewer = np.minimum(self.raters, self.items) - 1.0
        rest = np.array([float(term == "residual") for term in self.terms])
        return replace(
            self,
            se_adjusted=np.where(flat, 0.0, self.se_adjusted),
            df_satterthwaite=np.where(flat, fewer, self.df_satterthwaite),
            df_kenward_roger=np.where(flat, fewer, self.df_kenward_roger),
            shares=np.where(flat[..., np.newaxis], rest, self.shares),
        )

    def swapped(self, order: list[int]) -> "MixedModelFit":
        """The fit with raters and items exchanged; `order` says where each term was."""
        return replace(
            self,
            variances=self.variances[..., order],
            shares=self.shares[..., order],
            singular=self.singular[..., order],
            dropped=self.dropped[..., order],
            raters=self.items,
            items=self.raters,
            information=self.information[..., order, :][..., order],
        )

    def reshaped(self, batch: tuple[int, ...]) -> "MixedModelFit":
        """The fit with another shape of the batch."""
        arrays: dict[str, Any] = {name: part for name, part in vars(self).items() if isinstance(part, np.ndarray)}
        return replace(self, **{name: part.reshape((*batch, *part.shape[1:])) for name, part in arrays.items()})

    def _variance_share(self, *terms: str) -> FloatArray:
        chosen = [place for place, term in enumerate(self.terms) if term in terms]
        return np.asarray(self.shares[..., chosen].sum(axis=-1))

    def standard_error(self, degrees: Degrees) -> FloatArray:
        """The standard error that goes with the reference distribution: Kenward and Roger's own, else the plain one."""
        return self.se_adjusted if degrees == "kenward_roger" else self.se

    def degrees_of_freedom(self, degrees: Degrees) -> FloatArray:
        """Degrees of freedom of Student's t; infinite for the normal law, NaN for Cochran's rule, which weights two laws."""
        named = {
            "kenward_roger": self.df_kenward_roger,
            "satterthwaite": self.df_satterthwaite,
            "normal": np.full_like(self.effect, np.inf),
            "cochran": np.full_like(self.effect, np.nan),
        }
        return named[degrees]

    def tails(self, degrees: Degrees) -> tuple[FloatArray, FloatArray]:
        """P(T ≤ t) and P(T ≥ t) for t = effect / standard error, if there were no effect."""
        ratio = t_ratio(self.effect, self.standard_error(degrees))
        if degrees == "cochran":
            return self._cochran_tails(ratio)
        return t_tails(ratio, self.degrees_of_freedom(degrees))

    def critical_value(self, level: float, degrees: Degrees) -> FloatArray:
        """Half the width of an interval of this level, in standard errors."""
        upper = (1.0 + level) / 2.0
        if degrees == "cochran":
            raters, items = self._cochran_weights
            return raters * t_quantile(upper, self.raters - 1.0) + items * t_quantile(upper, self.items - 1.0)
        df = self.degrees_of_freedom(degrees)
        return t_quantiles(upper, df) if df.size >= VERY_MANY else t_quantile(upper, df)

    @property
    def _cochran_weights(self) -> tuple[FloatArray, FloatArray]:
        """Weights of the critical values of t over raters and over items: their shares, the rest with the fewer of the two."""
        fewer_raters = self.raters <= self.items
        raters = self.rater_share + np.where(fewer_raters, self.rest_share, 0.0)
        return raters, 1.0 - raters

    def _cochran_tails(self, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tails at which the critical value is the ratio itself. Cochran & Cox (1950)."""
        raters, items = self._cochran_weights
        few, many = np.minimum(self.raters, self.items) - 1.0, np.maximum(self.raters, self.items) - 1.0
        of_few = np.where(self.raters <= self.items, raters, items)
        size = np.abs(ratio)

        def excess(quantile: FloatArray) -> FloatArray:
            tail = t_tails(quantile, few)[1]
            return np.asarray(of_few * quantile - (1.0 - of_few) * t_quantile(tail, many) - size)

        # Of equal tails the law with fewer degrees of freedom has the larger quantile, so that its own is at least the ratio.
        known = np.where(np.isfinite(size), size, 0.0)
        quantile = increasing_root(lambda q: np.where(np.isfinite(size), excess(q), q), known, 2.0 * known + 1.0)
        below, above = t_tails(np.copysign(quantile, ratio), few)
        return np.where(np.isnan(size), np.nan, below), np.where(np.isnan(size), np.nan, above)
