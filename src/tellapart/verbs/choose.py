"""Which test and interval suit these scores: deterministic, and every choice says why."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tellapart.distributions.bootstrap.limits import FEWEST_STUDENTISED
from tellapart.distributions.rare_failures import CHANCE, FARTHER, most_expected
from tellapart.results.note import Note
from tellapart.significance import TESTS, Procedure
from tellapart.verbs.shape import Shape

if TYPE_CHECKING:
    from tellapart.intervals import Interval

FEW_CLUSTERS = 6
"""Of fewer nothing shows how their effects vary: their signs decide, which of five cannot reach 0.05."""
FEW_DRAWN_CLUSTERS = 10
"""Of fewer, clusters cannot be drawn again: too many draws hold next to nothing but one of them."""
FEW_ITEMS = 50
"""Below so many items that differ a mean is not known to be near normal: a tie tells nothing of how differences vary.

Nor is it drawn again: the studentised bootstrap takes .09 of power from normal scores at 8 and 10 items where the t that follows skew takes .06 and .07,
and .12 to .28 where they are a half or a fifth of all, for draws of few that differ among ties hold yet fewer; lognormal ones among ties it takes for a difference
.10 to .15 of the time where that does .06 to .11. Of ratings it is the reverse, for these an effect makes look skewed, by which that t takes up to .24 of power: they
are drawn again, and Student's t must agree.
"""
HARDLY_ANY = FEWEST_STUDENTISED
"""Of so few items nothing can be drawn again."""
FEW_RECOMPUTED = 200
"""Below so many items resamples of a metric that is no mean claim too much by themselves.

Of corpus BLEU on WMT17, with empty hypotheses, with short segments and at the kink of its brevity penalty, their 95 % interval holds the
truth 88 to 93 % of the time at 30 segments, 92 to 95 % at 100 and 94 to 96 % at 300; with Student's beside it 94 to 96 % at all three.
"""
STUDENTISED = "bootstrap(kind=studentised)"


@dataclass(frozen=True)
class Choice:
    test: Procedure
    bounds: "Interval | str"
    """The interval, or its spelling."""
    reasons: tuple[Note, ...]

    @property
    def interval(self) -> "Interval":
        from tellapart.intervals import Interval  # noqa: PLC0415  (a plan needs the test alone)

        return Interval.parse(self.bounds)


def choose(shape: Shape) -> Choice:
    """The default test and interval for scores of this shape."""
    if shape.straightness < 1.0 and shape.items >= HARDLY_ANY and _is_bent(shape):
        choice = _swapped(shape)
    else:
        choice = _clustered(shape) if shape.clusters is not None else _independent(shape)
    if shape.metric == "mean":
        return choice
    recomputed = choice.test.needs.holds_parts
    reason = Note("metric_is_no_mean", {"metric": shape.metric, "recomputed": recomputed})
    return replace(choice, reasons=(reason, *choice.reasons))


def _is_bent(shape: Shape) -> bool:
    from tellapart.distributions.straightness import STRAIGHT  # noqa: PLC0415  (a mean is straight)

    return shape.straightness < STRAIGHT


def _swapped(shape: Shape) -> Choice:
    """Where a sum of single swaps misleads, the metric itself is computed again after joint ones."""
    from tellapart.distributions.straightness import STRAIGHT  # noqa: PLC0415  (as above)

    bent = Note("metric_is_not_straight", {"correlation": shape.straightness, "below": STRAIGHT})
    if shape.clusters is not None and shape.clusters < FEW_DRAWN_CLUSTERS:
        return _cautious("permutation", f"cluster_t(variance={shape.variance})", bent)
    return _drawn_again(shape, bent)


def _independent(shape: Shape) -> Choice:
    if shape.binary:
        return _choice("mcnemar(variant=mid_p)", "tango", Note("right_or_wrong"))
    few = _few_tell(shape)
    if few is not None and shape.metric == "mean" and not shape.coarse:
        return _following_skew(shape, few)
    if shape.items < HARDLY_ANY:
        hardly = Note("hardly_any_items", {"items": shape.items, "below": HARDLY_ANY})
        return _cautious("permutation", "student_t", hardly)
    if shape.levels is not None:
        return _drawn_again(shape, Note("differences_on_a_step", {"sizes": shape.levels}))
    return _continuous(shape) if few is None else _drawn_again(shape, few)


def _continuous(shape: Shape) -> Choice:
    if shape.failures:
        return _both("failure_t", "failure_t", _rare_failures(shape))
    if shape.leans:
        leans = Note("differences_lean", {"items": shape.items, "expected_size": shape.expected_size})
        return _both("paired_t", "student_t", leans)
    return _choice("paired_t", "student_t", Note("continuous_differences", {"items": shape.items}))


def _few_tell(shape: Shape) -> Note | None:
    """Why items are too few to lean on normality, where they are: systems differ on few, or few hold most of the metric."""
    if shape.differing < FEW_ITEMS:
        few = {"items": shape.items, "differing": shape.differing, "below": FEW_ITEMS}
        return Note("few_items_differ", {**few, "drawn_again": shape.metric != "mean"})
    if shape.telling is not None and shape.telling < FEW_ITEMS:
        weighed = {"items": shape.items, "telling": shape.telling, "below": FEW_ITEMS}
        return Note("few_items_tell", weighed)
    return None


def _rare_failures(shape: Shape) -> Note:
    expected = float(most_expected(np.array(shape.failures)))
    allowed = {"expected": expected, "certainty": 1.0 - CHANCE}
    return Note("failures_to_come", {"seen": shape.failures, "farther": FARTHER, **allowed})


def _clustered(shape: Shape) -> Choice:
    assert shape.clusters is not None
    by_clusters, uneven = f"cluster_t(variance={shape.variance})", shape.variance != "cr1"
    if shape.clusters < FEW_CLUSTERS:
        few = Note("few_clusters", {"clusters": shape.clusters, "below": FEW_CLUSTERS})
        caution = [Note("uneven_clusters", {"of": "interval"})] if uneven else []
        return _cautious("cluster_sign_flip", by_clusters, few, *caution)
    most = shape.clusters - 1
    df = shape.evenness * most if uneven else float(most)
    many = Note("many_clusters", {"clusters": shape.clusters, "df": df})
    caution = [Note("uneven_clusters", {"of": "test"})] if uneven else []
    if shape.clusters < FEW_ITEMS:
        follows_skew = f"leaning_{by_clusters}"
        return _choice(
            follows_skew, follows_skew, many, *caution, Note("not_many_clusters", {"below": FEW_ITEMS})
        )
    if shape.leans:
        leans = Note("clusters_lean", {"expected_size": shape.expected_size})
        return _both(by_clusters, by_clusters, many, *caution, leans)
    return _choice(by_clusters, by_clusters, many, *caution)


def _following_skew(shape: Shape, few: Note) -> Choice:
    """Signs of few items are flipped, and their t follows the skewness that those which differ show."""
    if shape.failures:
        hull = "widest(first=failure_t, second=leaning_t)"
        return _cautious("permutation", hull, few, _rare_failures(shape))
    return _cautious("permutation", "leaning_t", few)


def _drawn_again(shape: Shape, reason: Note) -> Choice:
    """Items are swapped and drawn again; few of them are held against Student's t as well."""
    if shape.failures:
        hull = f"widest(first=failure_t, second={STUDENTISED})"
        return _cautious("permutation", hull, reason, _rare_failures(shape))
    beside = _resamples_of_few(shape)
    if beside is None:
        return _cautious("permutation", STUDENTISED, reason)
    return _cautious("permutation", f"widest(first=student_t, second={STUDENTISED})", reason, beside)


def _resamples_of_few(shape: Shape) -> Note | None:
    """Why resamples alone would claim too much, where they would: few items differ, or not many make a metric that is no mean."""
    if shape.clusters is not None:
        return None
    if shape.metric != "mean":
        few = {"items": shape.items, "below": FEW_RECOMPUTED}
        return Note("resamples_of_few", few) if shape.items < FEW_RECOMPUTED else None
    few = {"differing": shape.differing, "below": FEW_ITEMS}
    return Note("tails_of_few", few) if shape.differing < FEW_ITEMS else None


def _cautious(test: str, interval: str, *reasons: Note) -> Choice:
    """A test and an interval that are not each other's inverse must agree."""
    return _choice(f"cautious(test={test}, interval={interval})", interval, *reasons)


def _both(test: str, interval: str, *reasons: Note) -> Choice:
    """Student's t and the studentised bootstrap must agree; the interval is the wider of both, which is the same decision."""
    return _choice(
        f"cautious(test={test}, interval={STUDENTISED})",
        f"widest(first={interval}, second={STUDENTISED})",
        *reasons,
    )


def _choice(test: str, interval: str, *reasons: Note) -> Choice:
    return Choice(_parsed(test), interval, reasons)


@lru_cache(maxsize=64)
def _parsed(test: str) -> Procedure:
    """A plan chooses thousands of times between a few."""
    return TESTS.parse(test)
