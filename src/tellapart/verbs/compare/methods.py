"""Choice of the test and the interval for two systems: the defaults, or those named by the user."""

import math
from dataclasses import replace
from typing import Literal

from tellapart.answers.comparison import Detectable
from tellapart.answers.parts import Note
from tellapart.choosing.pairs import Choice, ScoreProfile, choose
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals import Interval
from tellapart.methods.significance import Procedure
from tellapart.metrics import Metric
from tellapart.numerics.resampling.bootstrap_ranks import AT_FIRST, AUTOMATIC, MOST_RESAMPLES
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap
from tellapart.verbs.compare.question import CompareQuestion

# What a two-sided test finds on each side: where differences lean, an effect to one side takes more than
# one to the other.

Found = Detectable | Note | None
"""The detectable effect on one side; a note why there is none, or None where that has a note of its own."""
WORTH_SAYING = 1.1
"""By which factor the effects of both sides differ at least for both to be said."""


def on_sides(higher: Found, lower: Found | Literal["untested"] = "untested") -> tuple[Found, ...]:
    """The effect detected whichever system is better, the larger of two, and a note of each side where they differ.

    Which system is called A changes nothing about the number. A single side that is tested speaks for itself.
    """
    if lower == "untested":
        return (higher,)
    known = [one for one in (higher, lower) if isinstance(one, Detectable)]
    if len(known) == 2:
        small, large = sorted(known, key=lambda one: one.effect)
        return (large, _each_side(higher, lower, large)) if large.effect > WORTH_SAYING * small.effect else (large,)
    notes = [one for one in (higher, lower) if isinstance(one, Note)]
    if known:
        return known[0], _each_side(higher, lower, known[0])
    return (max(notes, key=lambda note: float(note.values["effect"])),) if notes else (None,)


def _each_side(higher: Found, lower: Found, said: Detectable) -> Note:
    b_higher, b_lower = (side.effect if isinstance(side, Detectable) else None for side in (higher, lower))
    return Note("detectable_by_side", {"b_higher": b_higher, "b_lower": b_lower, "power": said.power})


FOR_A_FAMILY = 8.0
"""Times the inverse of a family's smallest level, that many resamples: the level is then four of the smallest p-values there can be."""


def analyse(pair: Pair, metric: Metric, question: CompareQuestion) -> tuple[Analysis, tuple[Note, ...]]:
    """Two systems' scores with the methods they are judged by, and why these."""
    sample = PairedSample(pair, metric)
    choice = choose_methods(sample, question)
    interval, margin = Interval.parse(choice.interval), question.margin_of(choice.test)
    analysis = Analysis(pair, metric, choice.test, interval, question.alpha, margin, question.seed, made=sample.made)
    return enough_for_family(analysis, 1), choice.reasons


def enough_for_family(analysis: Analysis, tests: int) -> Analysis:
    """The analysis with the resamples that alpha over this many tests takes, where the bootstrap decides."""
    resamples = math.ceil(FOR_A_FAMILY * tests / analysis.alpha) - 1
    bootstrap = deciding_bootstrap(analysis.test)
    if bootstrap is None or bootstrap.resamples != AUTOMATIC or resamples <= AT_FIRST:
        return analysis
    more, drawn = f"resamples={min(resamples, MOST_RESAMPLES)}", f"bootstrap(kind={bootstrap.kind}"
    test, interval = (str(one).replace(f"{drawn})", f"{drawn}, {more})") for one in (analysis.test, analysis.interval))
    return replace(analysis, test=Procedure.parse(test), interval=Interval.parse(interval))


def choose_methods(sample: PairedSample, question: CompareQuestion) -> Choice:
    """The default choice, with what was named in its place and the reason replaced by that."""
    test, interval = question.named_test, question.named_interval
    if test is None:
        choice = choose(ScoreProfile.of(sample))
        if interval is not None:
            choice = Choice(choice.test, interval, (*choice.reasons, Note("named_interval")))
    elif interval is None:
        interval = Interval.parse(test.interval)
        choice = Choice(test, interval, (Note("anytime" if question.anytime else "named_test"),))
    else:
        choice = Choice(test, interval, (Note("named_test_and_interval"),))
    if interval is not None:
        _check_interval(choice.test, interval)
    return choice


def _check_interval(test: Procedure, interval: Interval) -> None:
    instead = f"leave {option('interval')} out, which gives {test.interval}"
    if interval.needs.systems == 1:
        raise UsageError(f"{interval} is for one system's share of right answers, not for a difference; {instead}")
    if interval.needs.paired != test.needs.paired:
        items = "the same items" if interval.needs.paired else "different items"
        raise Unsuitable(f"{interval} is for systems scored on {items}, and {test} is not; {instead}")
