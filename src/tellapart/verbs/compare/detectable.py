"""What this many items could have shown, and how many more would settle the question; never from the observed effect.

Both are about the test that was run, by the engines of `plan`; where none answers in a moment, a note says which question does.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from tellapart.arrays import BoolArray
from tellapart.decision import rejects
from tellapart.distributions.noncentral_t import t_items, t_shift
from tellapart.distributions.tails import Alternative
from tellapart.results.comparison import Detectable, Needed
from tellapart.results.note import Note, TestedClaim
from tellapart.significance import Procedure
from tellapart.significance.cautious import Cautious, inverse
from tellapart.significance.margins import Equivalence, Margin, NonInferiority
from tellapart.summaries import Discordance, SeparateCounts
from tellapart.verbs.compare.analysis import Analysis, of_difference
from tellapart.verbs.compare.sides import Found
from tellapart.verbs.compare.spread import UnitSpread, error_and_df, unit_spread
from tellapart.verbs.judged import POWER

WORTH_PRINTING = 1e6
"""A spread of so many effects (or margins) asks for more than a trillion items: no number worth printing."""

T_TESTS = "paired_t", "cluster_t", "welch_t"
"""Tests whose ratio is held against Student's law: noncentral t says what they find."""


def detectable(analysis: Analysis) -> tuple[Found, ...]:
    """The smallest effect that the test finds with 80 % power; a note where `plan` must be asked, or beside it where sides differ.

    None where too few items, or clusters, or items that differ can show nothing at all.
    """
    if any(map(partial(_shows_nothing, analysis), _won_alike(analysis))):
        return (None,)
    return _by_engine(analysis, of_difference(analysis.test))


def _won_alike(analysis: Analysis) -> Iterator[BoolArray]:
    """Items of which one system may win all: those there are, and those that differ where the test looks at items alone."""
    yield np.ones(analysis.items, dtype=np.bool_)
    if analysis.paired and not analysis.test.needs_clusters:
        yield analysis.differing


def _shows_nothing(analysis: Analysis, won: BoolArray) -> bool:
    least = analysis.least_pvalue(won)
    return least is not None and not rejects(least, analysis.alpha)


def _by_engine(analysis: Analysis, test: Procedure) -> tuple[Found, ...]:
    if test.name in T_TESTS:
        return (_by_t(analysis, test),)
    if _counts_right(analysis, test):
        from tellapart.verbs.compare.planned_effect import by_counts  # noqa: PLC0415  (t tests need no engine)

        return (by_counts(analysis, test, POWER),)
    if test.needs is SeparateCounts:
        from tellapart.verbs.compare.separate_items import detectable_apart  # noqa: PLC0415  (as above)

        return detectable_apart(analysis, test, POWER)
    if test.name == "sign":
        from tellapart.verbs.compare.piloted_effect import by_signs  # noqa: PLC0415  (as above)

        return by_signs(analysis, test, POWER)
    near = _by_t(analysis, test)
    if near is None:
        return (None,)
    from tellapart.verbs.compare.simulated_effect import by_simulation  # noqa: PLC0415  (as above)

    return by_simulation(analysis, test, POWER, near.effect)


def _counts_right(analysis: Analysis, test: Procedure) -> bool:
    """Whether the items that each system alone got right decide; of such scores that is what signs are too."""
    return test.needs is Discordance or (test.name == "sign" and analysis.discordance is not None)


def _by_t(analysis: Analysis, test: Procedure) -> Detectable | None:
    error, df = error_and_df(analysis)
    if not error > 0.0:
        return None
    effect = abs(float(t_shift(POWER, df, analysis.alpha, test.alternative))) * error
    return Detectable(effect, POWER, None if analysis.correlation is None else "correlation", "formula")


def needed(analysis: Analysis, effect: float | None, *, named: bool) -> Needed | Note | None:
    """Items that the effect or the margin that was asked about would take; None if neither was.

    `named` says that the user named the test, which then judges the margin too.
    """
    if effect is not None:
        test = of_difference(analysis.test)
        none = Note("no_items_find_effect", {"test": str(test), "effect": abs(effect), "power": POWER})
        return _for_effect(analysis, test, abs(effect)) or none
    claim = analysis.test.claim
    if analysis.margin is None or (claim == "non-inferiority" and analysis.rejected):
        return None
    return for_margin(analysis, analysis.margin, margin_test(analysis, analysis.margin, named=named))


def _for_effect(analysis: Analysis, test: Procedure, size: float) -> Needed | Note | None:
    """Items to find a true effect of this size with 80 % power, at the spread seen here."""
    if test.name in T_TESTS:
        found = unit_spread(analysis)
        if not 0.0 < found.sd < WORTH_PRINTING * size:
            return None
        return _settled_by("difference", size, _t_items(analysis, found, size, test.alternative))
    if test.needs is SeparateCounts:
        from tellapart.verbs.compare.separate_items import items_apart  # noqa: PLC0415  (as above)

        return _settled_by("difference", size, items_apart(analysis, test, size, POWER))
    from tellapart.verbs.compare import planned_items  # noqa: PLC0415  (as above)

    if test.needs is Discordance or test.name == "sign":
        return _settled_by("difference", size, planned_items.by_counts(analysis, test, size, POWER))
    from tellapart.verbs.compare.by_pilot import ask_items_for_effect  # noqa: PLC0415  (as above)

    return ask_items_for_effect(analysis, test, size, POWER)


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
    moved = named or isinstance(analysis.test, Cautious)
    judge = analysis.test if moved else inverse(str(analysis.interval))
    return None if judge is None else kind(judge.replace(alternative="two-sided"), margin=margin)


def for_margin(analysis: Analysis, margin: float, test: Procedure | None) -> Needed | Note | None:
    """Items to show the margin claim with 80 % power if the true effect is zero."""
    from tellapart.verbs.compare import planned_items  # noqa: PLC0415  (as above)

    claim: TestedClaim = "equivalence" if test is None else test.claim
    if isinstance(test, Equivalence | NonInferiority) and test.test.name in T_TESTS:
        found = unit_spread(analysis)
        if not 0.0 < found.sd < WORTH_PRINTING * margin:
            return None
        return _settled_by(claim, margin, _t_items_within(analysis, found, test))
    if isinstance(test, Equivalence | NonInferiority) and test.needs is SeparateCounts:
        from tellapart.verbs.compare.separate_items import items_apart_within  # noqa: PLC0415  (as above)

        return _settled_by(claim, margin, items_apart_within(analysis, test, POWER))
    if isinstance(test, Equivalence | NonInferiority) and test.needs is Discordance:
        return _settled_by(claim, margin, planned_items.shares_within_margin(analysis, test, POWER))
    from tellapart.verbs.compare.by_pilot import ask_items_for_margin  # noqa: PLC0415  (as above)

    return ask_items_for_margin(analysis, test or analysis.test, margin, POWER)


def _settled_by(claim: TestedClaim, size: float, items: float | None) -> Needed | None:
    if items is None or not items < WORTH_PRINTING**2:
        return None
    return Needed(claim, size, max(2, math.ceil(items)), POWER)
