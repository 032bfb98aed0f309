"""Sentences of the notes on the test and interval of a comparison; notes from other modules join them."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.item_notes import BY_PLAN, ITEMS
from tellapart.answers.comparison.judged import JUDGED
from tellapart.answers.comparison.measures import MEASURES
from tellapart.answers.comparison.raters_and_votes import PEOPLE
from tellapart.answers.comparison.sequential import SEQUENTIAL
from tellapart.answers.comparison.slices import SLICES
from tellapart.answers.parts import codes
from tellapart.answers.reading_texts import READING, STOPPED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, confidence, percent, thousands
from tellapart.foundation.formatting import pvalue as pvalue_in_words
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[Comparison] = NoteTexts(READING, ITEMS, SLICES, MEASURES, BY_PLAN, PEOPLE, JUDGED, SEQUENTIAL, STOPPED)


@NOTES
def interrupted(_: Comparison, resamples: int | None, asked_resamples: int | None) -> str:
    return f"interrupted: {_comparison_drawn(resamples, asked_resamples)}"


@NOTES
def time_limit(_: Comparison, resamples: int | None, asked_resamples: int | None) -> str:
    return f"stopped when the time was up: {_comparison_drawn(resamples, asked_resamples)}"


def _comparison_drawn(resamples: int | None, asked: int | None) -> str:
    if resamples is None or asked is None:
        return "what could be detected here comes from fewer simulated evaluations than usual"
    return f"p-value and interval come from as few as {thousands(resamples)} of {thousands(asked)} resamples, so they are less precise"


@NOTES
def test_and_interval_disagree(
    answer: Comparison, low: float, high: float, level: float, *, interval_excludes_zero: bool
) -> str:
    tells = "excludes" if interval_excludes_zero else "includes"
    p = pvalue_in_words(_comparison_of_difference(answer), answer.alpha)
    bounds = answer.unit.confidence_interval(level, low, high)
    return f"test and interval disagree ({p}, while the {bounds} {tells} 0); the test decides"


def _comparison_of_difference(answer: Comparison) -> float:
    """The p-value of a difference: of a test of a margin that of the test inside."""
    sides = (answer.shown.pvalue("better"), answer.shown.pvalue("worse"))
    if answer.tested.claim == "difference":
        return answer.pvalue
    return min(p for p in sides if p is not None)


@NOTES
def margin_interval_disagrees(answer: Comparison, low: float, high: float, level: float) -> str:
    bounds = _comparison_at_margin(answer, low, high, level)
    return f"the {bounds} disagrees with the two one-sided tests; the tests decide"


@NOTES
def equivalence_by_interval(answer: Comparison, low: float, high: float, level: float, *, inside: bool) -> str:
    lies = "lies within" if inside else "reaches beyond"
    return f"equivalence is judged by the {_comparison_at_margin(answer, low, high, level)}, which {lies} ±{answer.unit.as_given(answer.margin or 0.0)}"


def _comparison_at_margin(answer: Comparison, low: float, high: float, level: float) -> str:
    """The interval, rounded so that its bounds stay on their sides of the margin."""
    margin = answer.margin or 0.0
    return answer.unit.confidence_interval(level, low, high, -margin, margin)


@NOTES
def nothing_varies_at_margin(answer: Comparison, instead: str | None) -> str:
    lapses = f"nothing varies that {answer.test} could use to test the margin"
    if instead is None:
        return f"{lapses}, so nothing is claimed about it"
    return f"{lapses}: there {instead} decides, by the side of it on which each {_UNITS[instead]} lies"


_UNITS = {"sign": "item", "cluster_sign_flip": "cluster", "rater_sign_flip": "rater"}
"""Whose signs each test counts."""


@NOTES
def other_test_at_margin(answer: Comparison, test: str) -> str:
    return f"{answer.test} of {answer.metric} cannot test a margin: the two one-sided tests are {test}"


@NOTES
def test_ignores_clusters(answer: Comparison) -> str:
    return f"{answer.tested.label} ignores the {_comparison_clusters(answer)}: its p-value is too small if items in a cluster resemble each other"


@NOTES
def interval_ignores_clusters(answer: Comparison) -> str:
    return f"{answer.interval.shown_method} ignores the {_comparison_clusters(answer)}: it is too short if items in a cluster resemble each other"


@NOTES
def other_tests_ignore_clusters(answer: Comparison) -> str:
    return f"of all tests, only cluster tests and the bootstrap allow for the {_comparison_clusters(answer)}"


def _comparison_clusters(answer: Comparison) -> str:
    return amount(answer.clusters or 0, "cluster")


@NOTES
def too_few_clusters(answer: Comparison, least_pvalue: float) -> str:  # noqa: ARG001  (for those who read values)
    return f"so few clusters cannot reach {confidence(answer.alpha)} confidence, whichever system is better"


@NOTES
def too_few_items_differ(answer: Comparison, differing: int, least_pvalue: float) -> str:
    how_many = f"only {amount(differing, 'item')}" if differing else "no item"
    return (
        f"the systems differ on {how_many}: no p-value below {least_pvalue:.3g} "
        f"can come out of {answer.test}, so {confidence(answer.alpha)} confidence cannot be reached"
    )


@NOTES
def no_width_although_items_vary(answer: Comparison, unit: str) -> str:
    return (
        f"the interval has no width although {unit}s vary: so many differ by the same that both bounds of "
        f"{answer.interval.shown_method} are that number; the mean is not that certain"
    )


@NOTES
def no_width(answer: Comparison, unit: str, units: int, share: float) -> str:
    alike = (
        f"every {unit} differs by the same"
        if answer.metric == "mean"
        else f"every {unit} has the same influence on both {answer.metric}"
    )
    return (
        f"{alike}, so the interval has no width; that is not certainty: {amount(units, unit)} like these still allow "
        f"that up to {percent(share, 2)} of all {unit}s differ otherwise"
    )


@NOTES
def no_bounds(answer: Comparison, unit: str, units: int, differing: int) -> str:
    way_out = f"; {option('test', 'paired_t')} takes their spread as it is seen" if unit == "item" else ""
    if unit == "item" and differing < units:
        found = f"the systems differ on {thousands(differing)} of {amount(units, 'item')}, and too many resamples hold none of these"
    elif "too_few_to_resample" in codes(answer.reasons):
        found, way_out = f"{amount(units, unit)} are too few to resample", ""
    else:
        found = f"too many resamples of these {amount(units, unit)} have no spread"
    return f"{found}, so the effect has no bounds: no difference is claimed, nor excluded{way_out}"


@NOTES
def not_about_means(answer: Comparison, estimand: str) -> str:
    return f"{answer.test} tests the {estimand}: its p-value says nothing about means"


@NOTES
def pvalue_method(_: Comparison, method: str, error: float) -> str:
    return f"p-value by {method}" + (f", off by at most about {error:.1g}" if error > 0.0 else "")


@NOTES
def opposite_directions(answer: Comparison) -> str:
    return f"{answer.test} and the mean difference point in opposite directions; the verdict follows the test"
