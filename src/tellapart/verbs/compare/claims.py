"""Claims that a comparison establishes, each with its p-value: the only basis of the verdict and of gates."""

import math

from tellapart.foundation.decision import EstablishedClaims
from tellapart.foundation.errors import Unsuitable
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.procedure import BOTH
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.question import CompareQuestion

HALVINGS = 40
"""An alpha between 0 and a half is known to 5e-13 then: the smallest alpha that is taken is 1e-12."""


def establish_claims(analysis: Analysis, *, named: bool, lower_is_better: bool) -> EstablishedClaims:
    """Every claim that was asked about; `named` says that the user named the test, which then judges the margin too."""
    above, below = _sides(analysis)
    over, under = margin_pvalues(analysis, named=named)
    if lower_is_better:
        above, below, over, under = below, above, under, over
    both = None if over is None or under is None else max(over, under)
    return EstablishedClaims.at(analysis.alpha, above, below, over, under, both)


def claims_asked(analysis: Analysis, question: CompareQuestion) -> EstablishedClaims:
    """The claims of a comparison, in the direction that is better."""
    named = question.named_test is not None
    return establish_claims(analysis, named=named, lower_is_better=question.lower_is_better)


def _sides(analysis: Analysis) -> tuple[float | None, float | None]:
    """That B − A is above 0, and that it is below: the two-sided p on the side that it points to, and 1 on the other.

    Twice the smaller tail on one side is twice the larger one, hence 1, on the other. A one-sided test knows its own side only.
    """
    plain = difference_test(analysis.test)
    found = analysis.outcome if plain is analysis.test else analysis.run(plain)
    pvalue, direction = float(found.pvalue), float(found.direction)
    if plain.alternative == "greater":
        return pvalue, None
    if plain.alternative == "less":
        return None, pvalue
    return (pvalue if direction > 0.0 else 1.0), (pvalue if direction < 0.0 else 1.0)


def margin_pvalues(analysis: Analysis, *, named: bool) -> tuple[float | None, float | None]:
    """That B − A is above minus the margin, and that it is below the margin."""
    margin = analysis.margin
    if margin is None:
        return None, None
    return _beyond(analysis, -margin, "greater", named=named), _beyond(analysis, margin, "less", named=named)


def spread_is_zero_at_margin(analysis: Analysis, *, named: bool) -> bool:
    """Whether nothing varies by which a difference could be held against the margin."""
    margin = analysis.margin
    if margin is None or analysis.standard_error > 0.0:
        return False
    sides: tuple[tuple[float, Alternative], ...] = ((-margin, "greater"), (margin, "less"))
    return any(math.isnan(_judged(analysis, null, side, named=named)) for null, side in sides)


def _beyond(analysis: Analysis, null: float, side: Alternative, *, named: bool) -> float:
    """The p-value that B − A is beyond `null` on this side.

    Where nothing varies there is no spread to measure it by, however far it is from `null`: then the signs of items, clusters
    or raters decide, and without pairs, which alone have signs, no answer is no claim.
    """
    pvalue = _judged(analysis, null, side, named=named)
    if not math.isnan(pvalue):
        return pvalue
    signs = analysis.signs
    return 1.0 if signs is None else _moved(analysis, signs, null, side)


def _judged(analysis: Analysis, null: float, side: Alternative, *, named: bool) -> float:
    """By the test that was named or combines both, moved to `null`; else by the interval that is printed."""
    if not (named or analysis.test.name == BOTH):
        return _by_interval(analysis, null, side)
    judge = difference_test(analysis.test)
    try:
        return _moved(analysis, judge, null, side)
    except Unsuitable:
        # A metric that cannot be moved there is judged by t.
        return _moved(analysis, analysis.margin_stand_in, null, side)


def _by_interval(analysis: Analysis, null: float, side: Alternative) -> float:
    """The alpha at which the one-sided bound of the interval that is printed touches `null`."""
    inverse = analysis.interval.inverse
    if inverse is None:
        return _touching(analysis, null, side)
    return _moved(analysis, TESTS.parse(inverse), null, side)


def _moved(analysis: Analysis, judge: Procedure, null: float, side: Alternative) -> float:
    sided = judge.replace(alternative=side)
    return float(sided.against(analysis.sample(sided), null, analysis.stream("test")).pvalue)


def _touching(analysis: Analysis, null: float, side: Alternative) -> float:
    """Found by halves, for intervals that no test inverts; a half where even the innermost bound does not reach it."""
    low, high = 0.0, 0.5
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        bounds = analysis.bounds(1.0 - 2.0 * middle)
        outside = bounds.low >= null if side == "greater" else bounds.high <= null
        low, high = (low, middle) if outside else (middle, high)
    return high
