"""Agreement coefficients among raters, and of a judge model with people."""

from collections.abc import Callable, Sequence
from functools import cache
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from tellapart.answers.agreement import Agreement, AgreementValue
from tellapart.answers.parts import Note
from tellapart.data.ratings import Ratings
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.foundation.errors import TooFew, Unsuitable, UsageError
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import fingerprint, stream
from tellapart.foundation.surfaces import option
from tellapart.methods.reliability import COEFFICIENTS, Coefficient, UnitRatings
from tellapart.methods.reliability.coefficient import estimate, resampled_weights
from tellapart.methods.reliability.icc import Icc, spearman_brown
from tellapart.methods.reliability.krippendorff import Krippendorff
from tellapart.readers import read
from tellapart.readers.tables.assembly import Read
from tellapart.verbs.agreement.question import AgreementQuestion
from tellapart.verbs.agreement.units import Units, agreement_value, judged, no_raters, with_correctable
from tellapart.verbs.given_scores import Frame
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.signature import sign
from tellapart.verbs.workers import add_worker_notes, use_workers

# What should be known beside the coefficients, as codes and values.

NEARLY_ALL = 0.9
"""Share of the commonest rating from which chance agrees nearly as well as anybody."""

FEW_UNITS = 20
"""Units with two ratings below which quantiles of resamples are rough."""


def notes_of(units: Units, values: tuple[AgreementValue, ...]) -> tuple[Note, ...]:
    table = units.table
    single, paired = int((table.per_unit == 1).sum()), int((table.per_unit > 1).sum())
    notes = [Note("single_ratings", {"units": single})] if single else []
    if 0 < paired < FEW_UNITS:
        notes.append(Note("few_units", {"units": paired}))
    common = float(table.counts.sum(axis=0).max() / table.per_unit.sum()) if table.few_levels else 0.0
    if NEARLY_ALL <= common < 1.0:
        notes.append(Note("nearly_all_the_same", {"share": common}))
    if any(value.value is None for value in values):
        notes.append(Note("undefined_agreement"))
    if not values:
        notes.append(Note("no_shared_units"))
    if units.repeats:
        notes.append(Note("repeats_averaged", {"ratings": units.repeats}))
    return (*notes, Note("not_about_differences"))


GivenRatings: TypeAlias = Ratings | Votes | str | PathLike[str] | Sequence[str | PathLike[str]] | Frame

CELLS = 3_000_000
"""Ratings of all resamples that variance components are fitted to: a second or two."""

FEWEST_RESAMPLES = 100


def measure_agreement(ratings: Any, question: AgreementQuestion) -> Agreement:
    """How far do raters agree on the same units?

    >>> table = Ratings.from_arrays({"old": [[1, 0, 1, 0], [1, 0, 1, 1]], "new": [[1, 1, 1, 0], [1, 1, 1, 0]]})
    >>> measure_agreement(table, AgreementQuestion()).coefficients[0].coefficient
    'krippendorff(level=nominal)'
    """
    with use_workers(question) as runner:
        return add_worker_notes(_agreed(ratings, question), runner)


def _agreed(ratings: Any, question: AgreementQuestion) -> Agreement:
    everybody = Units.of(ratings)
    everybody.refuse_too_few()
    units, people = everybody, np.ones(len(everybody.raters), dtype=bool)
    if question.reference_raters:
        people = everybody.among(question.reference_raters)
        if people.all():
            raise UsageError(
                f"all raters are named in {option('reference_raters')}; leave out the one to compare with them"
            )
        units = everybody.by(people)
    values = _values(units, question)
    table = units.table
    return Agreement(
        subject=units.subject,
        units=len(units.values),
        raters=len(units.raters),
        ratings=int(table.per_unit.sum()),
        missing_share=float(np.isnan(units.values).mean()),
        ratings_per_unit=table.typical,
        single_units=int((table.per_unit == 1).sum()),
        equal_share=_equal_share(table),
        level=question.level,
        coefficients=values,
        reference_raters=units.raters if question.reference_raters else (),
        judges=tuple(with_correctable(judged(everybody, people, default_of(table), question), ratings, units.raters))
        if question.reference_raters
        else (),
        notes=notes_of(units, values),
        signature=_signature(everybody, question),
    )


def default_of(table: UnitRatings) -> Coefficient:
    """Two levels are labels, up to ten whole ones are in an order, others are on a scale."""
    if len(table.levels) <= 2:
        return Krippendorff("nominal")
    return Krippendorff("ordinal" if table.few_levels and table.whole else "interval")


def _values(units: Units, question: AgreementQuestion) -> tuple[AgreementValue, ...]:
    table = units.table
    if not (table.per_unit > 1).any():
        # People who share no unit have no agreement of their own to show; a judge may still be held against each.
        return ()
    weights = resampled_weights(len(units.values), question.resamples, stream(question.seed))
    asked = _asked(table, question)
    drawn = {True: weights[: max(FEWEST_RESAMPLES, CELLS // table.ratings.size)], False: weights}
    # One fit of variances serves the means of any number of ratings.
    of_one = cache(lambda: estimate(Icc(1.0), table, drawn[True], question.level))
    # A single coefficient tells by itself how far it is.
    each = with_progress("drawing units again", asked, len(asked)) if len(asked) > 1 else asked
    return tuple(
        agreement_value(
            one,
            spearman_brown(of_one(), one.k) if isinstance(one, Icc) else estimate(one, table, weights, question.level),
            len(drawn[isinstance(one, Icc)]),
        )
        for one in each
    )


def _asked(table: UnitRatings, question: AgreementQuestion) -> list[Coefficient]:
    """Those named, or all that fit: the default, the same at other levels, kappas, and intraclass correlations."""
    if question.coefficient:
        named = [COEFFICIENTS.parse(spelling) for spelling in question.coefficient]
        for one in named:
            if not one.fits(table):
                fitting = ", ".join(str(other) for other in _fitting(table))
                raise Unsuitable(f"{one} is not defined for these ratings; these are: {fitting}")
        return named
    return _fitting(table)


def _fitting(table: UnitRatings) -> list[Coefficient]:
    kappas = [
        "cohen_kappa(weights=none)",
        "cohen_kappa(weights=linear)",
        "cohen_kappa(weights=quadratic)",
        "fleiss_kappa",
    ]
    if len(table.levels) <= 2:
        # Of two labels all differences are the same: weights and levels change nothing.
        others: list[Coefficient] = [COEFFICIENTS.parse(name) for name in ("cohen_kappa(weights=none)", "fleiss_kappa")]
    else:
        others = [Krippendorff(level) for level in ("nominal", "ordinal", "interval")]
        others += [COEFFICIENTS.parse(name) for name in kappas]
    scales: list[Coefficient] = [Icc(1.0), *([Icc(table.typical)] if table.typical > 1.0 else [])]
    default = default_of(table)
    return [one for one in (default, *(other for other in others if other != default), *scales) if one.fits(table)]


def _equal_share(table: UnitRatings) -> float | None:
    """Of pairs of ratings of a unit; units count by their pairs."""
    if not table.few_levels:
        return None
    pairs = (table.per_unit * (table.per_unit - 1.0)).sum()
    return float((table.counts * (table.counts - 1.0)).sum() / pairs) if pairs else None


def _signature(units: Units, question: AgreementQuestion) -> str:
    data = fingerprint([repr(units.values.shape).encode(), np.ascontiguousarray(units.values).tobytes()])
    return sign(
        "agreement",
        data,
        reference_raters=", ".join(question.reference_raters) or None,
        coefficient=", ".join(question.coefficient) or None,
        level=question.level,
        resamples=question.resamples,
        seed=question.seed,
    )


def read_raters(reading: Callable[[], Read]) -> Read:
    """Ratings as read; scores of a single system lack raters here, not another system."""
    try:
        return reading()
    except TooFew:
        raise no_raters() from None


def _given(ratings: GivenRatings, question: AgreementQuestion) -> Agreement:
    """How far do raters agree on the same units, a system's output for an item or a vote between two systems on one?

    `ratings` are ratings or votes already read, a file, several, or a frame. Every coefficient that fits comes with an interval by
    resampled units; with `reference_raters` everybody else is held against these people.
    """
    known = isinstance(ratings, Ratings | Votes | Scores)
    return measure_agreement(ratings if known else read_raters(lambda: read(ratings)), question)


agreement = python_verb("agreement", AgreementQuestion, _given)
