"""How many items the effect or the margin that was asked about would take; never from the observed effect.

As what is detectable it is about the test that was run, by the engines of `plan`; where none answers in a moment, a note says which
question does.
"""

import math

from tellapart.distributions.noncentral_t import t_items
from tellapart.distributions.tails import Alternative
from tellapart.results.comparison import Needed
from tellapart.results.note import Note, TestedClaim
from tellapart.significance import Procedure
from tellapart.significance.inverses import BOTH, inverse
from tellapart.significance.margins import Equivalence, Margin, NonInferiority
from tellapart.summaries import Discordance, SeparateCounts
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap, of_difference
from tellapart.verbs.compare.detectable import T_TESTS, counts_right, untold
from tellapart.verbs.compare.spread import UnitSpread, unit_spread
from tellapart.verbs.judged import POWER

WORTH_PRINTING = 1e6
"""A spread of so many effects (or margins) asks for more than a trillion items: no number worth printing."""


def needed(analysis: Analysis, effect: float | None, *, named: bool) -> Needed | Note | None:
    """Items that the effect or the margin that was asked about would take; None if neither was.

    `named` says that the user named the test, which then judges the margin too.
    """
    if effect is not None:
        test = of_difference(analysis.test)
        return _for_effect(analysis, test, abs(effect)) or _none_finds(analysis, test, abs(effect))
    claim = analysis.test.claim
    if analysis.margin is None or (claim == "non-inferiority" and analysis.rejected):
        return None
    return for_margin(analysis, analysis.margin, margin_test(analysis, analysis.margin, named=named))


def _for_effect(analysis: Analysis, test: Procedure, size: float) -> Needed | Note | None:
    """Items to find a true effect of this size with 80 % power, at the spread seen here."""
    if deciding_bootstrap(test) is None:
        return _effect_by_engine(analysis, test, size)
    from tellapart.verbs.compare.resampled_effect import items_for_effect  # noqa: PLC0415  (few comparisons resample)

    items = items_for_effect(analysis, test, size, POWER)
    if items is None:
        return Note("resamples_tell_no_items", {"effect": size, "margin": None})
    return settled_by("difference", size, items)


def _effect_by_engine(analysis: Analysis, test: Procedure, size: float) -> Needed | Note | None:
    if test.name in T_TESTS:
        found = unit_spread(analysis)
        if not 0.0 < found.sd < WORTH_PRINTING * size:
            return None
        return settled_by("difference", size, _t_items(analysis, found, size, test.alternative))
    if test.needs is SeparateCounts:
        from tellapart.verbs.compare.separate_items import items_apart  # noqa: PLC0415  (t tests need no engine)

        return settled_by("difference", size, items_apart(analysis, test, size, POWER))
    from tellapart.verbs.compare import planned_items  # noqa: PLC0415  (as above)

    if counts_right(analysis, test):
        return settled_by("difference", size, planned_items.by_counts(analysis, test, size, POWER))
    return untold(analysis, test)


def _none_finds(analysis: Analysis, test: Procedure, size: float) -> Note:
    """That no number of items does; where nothing varies, that these tell nothing of others."""
    if test.name in T_TESTS and not unit_spread(analysis).sd > 0.0:
        return Note("items_do_not_vary", {"test": str(test), "effect": size})
    return Note("no_items_find_effect", {"test": str(test), "effect": size, "power": POWER})


def _t_items(analysis: Analysis, unit: UnitSpread, size: float, alternative: Alternative) -> float:
    """In whole clusters like those seen, where there are any."""
    units = t_items(size, unit.sd, POWER, analysis.alpha, alternative, unit.df_share)[1]
    return float(units) * unit.items


def _t_items_within(analysis: Analysis, unit: UnitSpread, test: Equivalence | NonInferiority) -> float:
    """The same for a margin: equal systems are as far above a limit of non-inferiority as an effect of that size is above 0."""
    if isinstance(test, NonInferiority):
        return _t_items(analysis, unit, test.known_margin, "greater")
    from tellapart.distributions.equivalence_items import equivalence_items  # noqa: PLC0415  (few ask about a margin)

    units = equivalence_items(test.known_margin, unit.sd, POWER, analysis.alpha, unit.df_share)
    return units * unit.items


def margin_test(
    analysis: Analysis, margin: float, *, named: bool, kind: type[Equivalence | NonInferiority] = Equivalence
) -> Procedure | None:
    """What judges the margin: the test that was named or combines both, else the one that inverts the printed interval."""
    if isinstance(analysis.test, Margin):
        return analysis.test
    moved = named or analysis.test.name == BOTH
    judge = analysis.test if moved else inverse(str(analysis.interval))
    return None if judge is None else kind(judge.replace(alternative="two-sided"), margin=margin)


def for_margin(analysis: Analysis, margin: float, test: Procedure | None) -> Needed | Note | None:
    """Items to show the margin claim with 80 % power if the true effect is zero."""
    if not isinstance(test, Equivalence | NonInferiority) or deciding_bootstrap(test.test) is None:
        return _margin_by_engine(analysis, margin, test)
    from tellapart.verbs.compare.resampled_effect import items_for_margin  # noqa: PLC0415  (as above)

    items = items_for_margin(analysis, test, POWER)
    if items is None:
        return Note("resamples_tell_no_items", {"effect": None, "margin": margin})
    return settled_by(test.claim, margin, items)


def _margin_by_engine(analysis: Analysis, margin: float, test: Procedure | None) -> Needed | Note | None:
    from tellapart.verbs.compare import planned_items  # noqa: PLC0415  (as above)

    claim: TestedClaim = "equivalence" if test is None else test.claim
    if isinstance(test, Equivalence | NonInferiority) and test.test.name in T_TESTS:
        found = unit_spread(analysis)
        if not 0.0 < found.sd < WORTH_PRINTING * margin:
            return None
        return settled_by(claim, margin, _t_items_within(analysis, found, test))
    if isinstance(test, Equivalence | NonInferiority) and test.needs is SeparateCounts:
        from tellapart.verbs.compare.separate_items import items_apart_within  # noqa: PLC0415  (as above)

        return settled_by(claim, margin, items_apart_within(analysis, test, POWER))
    if isinstance(test, Equivalence | NonInferiority) and test.needs is Discordance:
        return settled_by(claim, margin, planned_items.shares_within_margin(analysis, test, POWER))
    return untold(analysis, of_difference(analysis.test))


def settled_by(claim: TestedClaim, size: float, items: float | None) -> Needed | None:
    if items is None or not items < WORTH_PRINTING**2:
        return None
    return Needed(claim, size, max(2, math.ceil(items)), POWER)
