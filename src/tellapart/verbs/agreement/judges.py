"""Judges beside people: how far each agrees with one of them, and which systems it rates higher or lower than they do."""

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.distributions.moments import mean_and_variance
from tellapart.distributions.student import t_quantile
from tellapart.errors import Unsuitable
from tellapart.progress import stepped
from tellapart.reliability import Coefficient, UnitRatings
from tellapart.reliability.resampled_units import BoundedCoefficient, estimate, resampled_weights
from tellapart.results.agreement import AgreementValue, JudgeAgreement, JudgeBias
from tellapart.seeds import stream
from tellapart.verbs.agreement.question import AgreementQuestion
from tellapart.verbs.agreement.units import Units


def judged(
    units: Units, people: BoolArray, coefficient: Coefficient, question: AgreementQuestion
) -> tuple[JudgeAgreement, ...]:
    """Everybody who is not among the people, against them."""
    places = np.flatnonzero(~people).tolist()
    each = stepped("judging judges", places, len(places)) if len(places) > 1 else places
    return tuple(_judge(units, place, people, coefficient, question) for place in each)


def _judge(
    units: Units, place: int, people: BoolArray, coefficient: Coefficient, question: AgreementQuestion
) -> JudgeAgreement:
    by_people = units.values[:, people]
    shared = ~np.isnan(units.values[:, place]) & ~np.isnan(by_people).all(axis=1)
    if not shared.any():
        raise Unsuitable(
            f"{units.raters[place]!r} and the reference raters rated nothing in common; have the judge rate what they rated, or leave it out"
        )
    own, theirs, system = units.values[shared, place], by_people[shared], units.system[shared]
    weights = resampled_weights(len(own), question.resamples, stream(question.seed))
    return JudgeAgreement(
        rater=units.raters[place],
        units=len(own),
        agreement=_with_one_of_them(own, theirs, weights, coefficient, question.level),
        people=_among_them(theirs, weights, coefficient, question.level),
        bias=tuple(
            _bias(units.systems[code], own[system == code], theirs[system == code], question.level)
            for code in np.unique(system).tolist()
        ),
    )


def _with_one_of_them(
    own: FloatArray, theirs: FloatArray, weights: FloatArray, coefficient: Coefficient, level: float
) -> AgreementValue:
    """Every rating of a person beside the judge's of the same unit; units are resampled whole."""
    unit, person = np.nonzero(~np.isnan(theirs))
    pairs = UnitRatings(np.stack([own[unit], theirs[unit, person]], axis=1))
    return told_value(coefficient, estimate(coefficient, pairs, weights[:, unit], level), len(weights))


def _among_them(
    theirs: FloatArray, weights: FloatArray, coefficient: Coefficient, level: float
) -> AgreementValue | None:
    table = UnitRatings(theirs[:, ~np.isnan(theirs).all(axis=0)])
    if not (table.per_unit > 1).any():
        return None
    return told_value(coefficient, estimate(coefficient, table, weights, level), len(weights))


def _bias(system: str, own: FloatArray, theirs: FloatArray, level: float) -> JudgeBias:
    """The judge less the mean of these people, with Student's interval over items."""
    differences = own - np.nanmean(theirs, axis=1)
    mean, variance = mean_and_variance(differences)
    items = len(differences)
    if items < 2:
        return JudgeBias(system, float(mean), None, None, items)
    half_width = float(t_quantile((1.0 + level) / 2.0, items - 1.0) * np.sqrt(variance / items))
    return JudgeBias(system, float(mean), float(mean) - half_width, float(mean) + half_width, items)


def told_value(coefficient: Coefficient, found: BoundedCoefficient, resamples: int) -> AgreementValue:
    """Plain numbers, None where there is none."""
    value, low, high = (
        None if np.isnan(number) else number for number in (found.value, found.low, found.high)
    )
    return AgreementValue(str(coefficient), coefficient.label, value, low, high, resamples)
