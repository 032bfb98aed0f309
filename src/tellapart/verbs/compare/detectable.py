"""What this many items could have shown; never from the observed effect.

It is about the test that was run, by the engines of `plan`; where none answers in a moment, a note says which question does.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from tellapart.arrays import BoolArray
from tellapart.decision import rejects
from tellapart.distributions.noncentral_t import t_shift
from tellapart.results.comparison import Detectable
from tellapart.results.note import Note
from tellapart.significance import Procedure
from tellapart.significance.inverses import BOTH
from tellapart.summaries import Discordance, SeparateCounts
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap, of_difference
from tellapart.verbs.compare.sides import Found
from tellapart.verbs.compare.spread import error_and_df
from tellapart.verbs.judged import POWER

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
    if deciding_bootstrap(test) is not None:
        from tellapart.verbs.compare.resampled_effect import (  # noqa: PLC0415  (t tests need none)
            detectable_by_resamples,
        )

        return detectable_by_resamples(analysis, test, POWER)
    if test.name in T_TESTS or test.name == BOTH:
        return (_by_t(analysis, test),)
    if counts_right(analysis, test):
        from tellapart.verbs.compare.planned_effect import by_counts  # noqa: PLC0415  (t tests need no engine)

        return (by_counts(analysis, test, POWER),)
    if test.needs is SeparateCounts:
        from tellapart.verbs.compare.separate_items import detectable_apart  # noqa: PLC0415  (as above)

        return detectable_apart(analysis, test, POWER)
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
