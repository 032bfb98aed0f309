"""Where the uncertainty of a comparison by raters comes from."""

import numpy as np

from tellapart.ratings import RatedPair
from tellapart.results.people import RatingsResult
from tellapart.verbs.compare.people.analysis import RaterAnalysis
from tellapart.verbs.compare.people.systems import averages
from tellapart.votes import VotePair


def ratings_result(analysis: RaterAnalysis, pair: RatedPair | VotePair) -> RatingsResult:
    """Raters, items and ratings, and what the model found."""
    fitted = analysis.fitted
    # A vote is a difference as it is: its residual is not shared by two ratings.
    of_one = {"residual_sd": 2.0**0.5} if isinstance(pair, VotePair) else {}
    sds = {name: float(sd) * of_one.get(name, 1.0) for name, sd in fitted.sds.items()}
    singular = dict(zip(sds, fitted.singular.tolist(), strict=True))
    dropped = dict(zip(sds, fitted.dropped.tolist(), strict=True))
    return RatingsResult(
        raters=analysis.judged.raters,
        items=analysis.items,
        ratings=int(pair.values.shape[-1]),
        pairs=_pairs(pair),
        mode="paired" if analysis.crossed else "single",
        sds={name: sd for name, sd in sds.items() if not dropped[name]},
        shares={
            "raters": float(fitted.rater_share),
            "items": float(fitted.item_share),
            "rest": float(fitted.rest_share),
        },
        se=float(fitted.se),
        se_adjusted=_defined(float(fitted.se_adjusted)),
        df=analysis.df,
        singular=tuple(name for name in sds if singular[name] and not dropped[name]),
        plain_difference=_plain_difference(pair),
        dropped_terms=tuple(name.removesuffix("_sd") for name in sds if dropped[name]),
    )


def averaged_away(pair: RatedPair | VotePair) -> RatingsResult:
    """The same of raters who were averaged: no model was fitted."""
    return RatingsResult(
        raters=int(pair.rater.max()) + 1,
        items=int(pair.item.max()) + 1,
        ratings=int(pair.values.shape[-1]),
        pairs=_pairs(pair),
        mode="fixed",
        sds={},
        shares={},
        se=None,
        se_adjusted=None,
        df=None,
        singular=(),
        plain_difference=_plain_difference(pair),
        dropped_terms=(),
    )


def _pairs(pair: RatedPair | VotePair) -> int:
    """Differences: cells in which both systems were rated, or votes."""
    return int(pair.values.shape[-1]) if isinstance(pair, VotePair) else int(pair.complete[pair.of_b].sum())


def _plain_difference(pair: RatedPair | VotePair) -> float:
    if isinstance(pair, VotePair):
        return float(pair.values.mean())
    a, b = averages(pair)
    return b - a


def _defined(value: float) -> float | None:
    return value if np.isfinite(value) else None
