"""Detectable effect and required items of a comparison, at its observed spread; never from the observed effect.

It is about the test that was run, by the engines of `plan`; where none answers in a moment, a note says which question does.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from tellapart.answers.comparison import Detectable, Needed
from tellapart.answers.parts import Note, TestedClaim
from tellapart.data.summaries import Discordance, Independent, SeparateCounts
from tellapart.foundation.arrays import BoolArray
from tellapart.foundation.decision import rejects
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.margins import Equivalence, Margin, NonInferiority
from tellapart.methods.significance.procedure import BOTH
from tellapart.numerics.moments import cluster_error, welch
from tellapart.numerics.null_laws.noncentral_t import equivalence_items, t_items, t_shift
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.verbs import compare as package
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap, difference_test
from tellapart.verbs.compare.methods import Found
from tellapart.verbs.judging_options import POWER

# How much the effect varies from sample to sample, as the scores show it.


def error_and_df(analysis: Analysis) -> tuple[float, float]:
    """The standard error of the effect and its degrees of freedom, with the clusters where there are any."""
    if not analysis.paired:
        sample = Independent.of(analysis.pair, analysis.metric)
        _, error, df = welch(sample.a, sample.b)
        return float(error), float(df)
    differences = analysis.differences
    if differences.clusters is not None:
        _, error, df = cluster_error(differences.values, differences.clusters, "cr2", differences.scale)
        return float(error), float(df)
    _, variance = differences.moments
    return float(np.sqrt(variance / differences.items)), differences.items - 1.0


@dataclass(frozen=True)
class UnitSpread:
    """The unit in which more items would come, and how the effect varies with their number."""

    sd: float
    """Standard deviation of a unit's difference that the standard error implies.

    It carries the design effect of clusters, and of systems on different items the way that items are split.
    """
    df_share: float
    """The degrees of freedom that a unit adds; in all those of the units less one."""
    items: float
    """Of a unit, on average: one, or those of a cluster."""


def unit_spread(analysis: Analysis) -> UnitSpread:
    """Of whole clusters where the error is taken between them, else of items, both systems' together where these are different ones."""
    error, df = error_and_df(analysis)
    clusters = analysis.clusters if analysis.paired else None
    units = analysis.items if clusters is None else clusters
    return UnitSpread(error * math.sqrt(units), (df + 1.0) / units, analysis.items / units)


T_TESTS = "paired_t", "cluster_t", "welch_t"
"""Tests whose ratio is held against Student's law: noncentral t says what they find."""


def detectable(analysis: Analysis) -> tuple[Found, ...]:
    """The smallest effect that the test finds with 80 % power; a note where `plan` must be asked, or beside it where sides differ.

    None where too few items, or clusters, or items that differ can show nothing at all.
    """
    if difference_test(analysis.test).ordered:
        return (None,)
    if any(map(partial(_shows_nothing, analysis), _won_alike(analysis))):
        return (None,)
    return _by_engine(analysis, difference_test(analysis.test))


def _won_alike(analysis: Analysis) -> Iterator[BoolArray]:
    """Items of which one system may win all: those there are, and those that differ where the test looks at items alone."""
    yield np.ones(analysis.items, dtype=np.bool_)
    if analysis.paired and not analysis.test.needs_clusters:
        yield analysis.differing


def _shows_nothing(analysis: Analysis, won: BoolArray) -> bool:
    least = analysis.least_pvalue(won)
    return least is not None and not rejects(least, analysis.alpha)


def _by_engine(analysis: Analysis, test: Procedure) -> tuple[Found, ...]:
    if deciding_bootstrap(test) is not None:
        return package.detectable_by_resamples(analysis, test, POWER)
    if analysis.seeded:
        return (package.seeds_detectable(analysis, test, POWER),)
    if test.name in T_TESTS or test.name == BOTH:
        return (_by_t(analysis, test),)
    if counts_right(analysis, test):
        return (package.effect_by_counts(analysis, test, POWER),)
    if test.needs is SeparateCounts:
        return package.detectable_apart(analysis, test, POWER)
    return (untold(analysis, test),)


def untold(analysis: Analysis, test: Procedure) -> Note:
    """That only a simulation says what this test finds, and which test says it at once."""
    return Note("untold_by_test", {"label": test.label, "instead": str(analysis.margin_stand_in)})


def counts_right(analysis: Analysis, test: Procedure) -> bool:
    """Whether the items that each system alone got right decide; of such scores that is what signs are too."""
    return test.needs is Discordance or (test.name == "sign" and analysis.discordance is not None)


def _by_t(analysis: Analysis, test: Procedure) -> Detectable | None:
    error, df = error_and_df(analysis)
    if not error > 0.0:
        return None
    effect = abs(float(t_shift(POWER, df, analysis.alpha, test.alternative))) * error
    return Detectable(effect, POWER, None if analysis.correlation is None else "correlation", "formula")


# How many items the effect or the margin that was asked about would take; never from the observed effect.
# As what is detectable it is about the test that was run, by the engines of `plan`; where none answers in a
# moment, a note says which question does.

WORTH_PRINTING = 1e6
"""A spread of this many effects (or margins) needs more than a trillion items, a number not worth printing."""


def needed(analysis: Analysis, effect: float | None, *, named: bool) -> Needed | Note | None:
    """Items that the effect or the margin that was asked about would take; None if neither was.

    `named` says that the user named the test, which then judges the margin too.
    """
    if difference_test(analysis.test).ordered:
        return None
    if effect is not None:
        test = difference_test(analysis.test)
        return _for_effect(analysis, test, abs(effect)) or _none_finds(analysis, test, abs(effect))
    claim = analysis.test.claim
    if analysis.margin is None or (claim == "non-inferiority" and analysis.rejected):
        return None
    return for_margin(analysis, analysis.margin, margin_test(analysis, analysis.margin, named=named))


def _for_effect(analysis: Analysis, test: Procedure, size: float) -> Needed | Note | None:
    """Items to find a true effect of this size with 80 % power, at the spread seen here."""
    if deciding_bootstrap(test) is None:
        return _effect_by_engine(analysis, test, size)

    items = package.items_for_effect(analysis, test, size, POWER)
    if items is None:
        return Note("resamples_tell_no_items", {"effect": size, "margin": None})
    return settled_by("difference", size, items)


def _effect_by_engine(analysis: Analysis, test: Procedure, size: float) -> Needed | Note | None:
    if analysis.seeded:
        return package.seeds_needed(analysis, test, size, POWER)
    if test.name in T_TESTS:
        found = unit_spread(analysis)
        if not 0.0 < found.sd < WORTH_PRINTING * size:
            return None
        return settled_by("difference", size, _t_items(analysis, found, size, test.alternative))
    if test.needs is SeparateCounts:
        return settled_by("difference", size, package.items_apart(analysis, test, size, POWER))

    if counts_right(analysis, test):
        return settled_by("difference", size, package.items_by_counts(analysis, test, size, POWER))
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
    """The items needed to show a margin: equal systems are as far above a limit of non-inferiority as an effect of that size is above 0."""
    if isinstance(test, NonInferiority):
        return _t_items(analysis, unit, test.known_margin, "greater")

    units = equivalence_items(test.known_margin, unit.sd, POWER, analysis.alpha, unit.df_share)
    return units * unit.items


def margin_test(
    analysis: Analysis, margin: float, *, named: bool, kind: type[Equivalence | NonInferiority] = Equivalence
) -> Procedure | None:
    """The test of the margin: the named test or the one that combines both, else the one that inverts the printed interval."""
    if isinstance(analysis.test, Margin):
        return analysis.test
    moved = named or analysis.test.name == BOTH
    judge = str(analysis.test) if moved else analysis.interval.inverse
    return None if judge is None else kind(TESTS.parse(judge).replace(alternative="two-sided"), margin=margin)


def for_margin(analysis: Analysis, margin: float, test: Procedure | None) -> Needed | Note | None:
    """Items to show the margin claim with 80 % power if the true effect is zero."""
    if not isinstance(test, Equivalence | NonInferiority) or deciding_bootstrap(test.test) is None:
        return _margin_by_engine(analysis, margin, test)

    items = package.items_for_margin(analysis, test, POWER)
    if items is None:
        return Note("resamples_tell_no_items", {"effect": None, "margin": margin})
    return settled_by(test.claim, margin, items)


def _margin_by_engine(analysis: Analysis, margin: float, test: Procedure | None) -> Needed | Note | None:

    claim: TestedClaim = "equivalence" if test is None else test.claim
    if analysis.seeded and isinstance(test, Equivalence | NonInferiority):
        return package.seeds_needed_within(analysis, test, POWER)
    if isinstance(test, Equivalence | NonInferiority) and test.test.name in T_TESTS:
        found = unit_spread(analysis)
        if not 0.0 < found.sd < WORTH_PRINTING * margin:
            return None
        return settled_by(claim, margin, _t_items_within(analysis, found, test))
    if isinstance(test, Equivalence | NonInferiority) and test.needs is SeparateCounts:
        return settled_by(claim, margin, package.items_apart_within(analysis, test, POWER))
    if isinstance(test, Equivalence | NonInferiority) and test.needs is Discordance:
        return settled_by(claim, margin, package.shares_within_margin(analysis, test, POWER))
    return untold(analysis, difference_test(analysis.test))


def settled_by(claim: TestedClaim, size: float, items: float | None) -> Needed | None:
    if items is None or not items < WORTH_PRINTING**2:
        return None
    return Needed(claim, size, max(2, math.ceil(items)), POWER)
