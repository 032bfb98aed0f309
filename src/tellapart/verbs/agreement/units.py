"""Ratings and votes as one table of units and raters."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tellapart.answers.agreement import AgreementValue, JudgeAgreement, JudgeBias
from tellapart.data.ratings import Ratings
from tellapart.data.votes import NO_SYSTEM, Votes
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray, mean_and_variance
from tellapart.foundation.errors import TooFew, Unsuitable, UsageError, nearest
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.methods.reliability import Coefficient, UnitRatings
from tellapart.methods.reliability.coefficient import BoundedCoefficient, estimate, resampled_weights
from tellapart.numerics.null_laws.tails import t_quantile
from tellapart.verbs.agreement.question import AgreementQuestion
from tellapart.verbs.judged_scores import correctable, judged_by_raters


def no_raters() -> Unsuitable:
    """The error for scores, which have no raters."""
    return Unsuitable(
        "these scores have no raters, or only one, and agreement takes two or more raters of the same items. If a "
        f"column says who rated, name it: {option('column', 'rater=…')}"
    )


@dataclass(frozen=True, eq=False)
class Units:
    """Ratings by unit and rater: `values` is `(unit, rater)`, NaN where there is none.

    `system` is what each unit is about, a place in `systems`: a system, or two of them that were voted on.
    """

    values: FloatArray
    raters: tuple[str, ...]
    system: IntArray
    systems: tuple[str, ...]
    subject: Literal["ratings", "votes"]
    repeats: int = 0
    """How many were averaged into others, by the same rater of the same unit."""

    @classmethod
    def of(cls, given: Any) -> "Units":
        """From ratings or votes; scores do not say who gave them."""
        if isinstance(given, Ratings):
            return _of_ratings(given)
        if isinstance(given, Votes):
            return _of_votes(given)
        raise no_raters()

    def by(self, chosen: BoolArray) -> "Units":
        """Only these raters, and the units that they rated."""
        values = self.values[:, chosen]
        rated = ~np.isnan(values).all(axis=1)
        raters = tuple(name for name, kept in zip(self.raters, chosen.tolist(), strict=True) if kept)
        return Units(values[rated], raters, self.system[rated], self.systems, self.subject, self.repeats)

    def among(self, names: tuple[str, ...]) -> BoolArray:
        """Which raters have these names; all of them have to be known."""
        for name in names:
            if name not in self.raters:
                raise UsageError(f"no rater is called {name!r}; {nearest(name, self.raters)}")
        return np.isin(self.raters, names)

    @property
    def table(self) -> UnitRatings:
        return UnitRatings(self.values)

    def refuse_too_few(self) -> None:
        if len(self.raters) < 2:
            raise TooFew(f"only {self.raters[0]!r} rated; agreement takes two or more raters of the same items")
        if len(self.values) < 2:
            raise TooFew("only one unit was rated; agreement takes two or more")
        if not (self.table.per_unit > 1).any():
            raise Unsuitable(
                "nothing was rated by two raters: each system's output for an item has one rating. Have some items rated by "
                "several raters"
            )


def _of_ratings(ratings: Ratings) -> Units:
    by_name, names = _in_order_of_names(ratings.systems)
    unit, place = np.unique(by_name[ratings.system] * len(ratings.items) + ratings.item, return_inverse=True)
    values = np.full((len(unit), len(ratings.raters)), np.nan)
    values[place, ratings.rater] = ratings.values
    repeats = 0 if ratings.repeats is None else int(np.sum(ratings.repeats - 1))
    return Units(values, ratings.raters, unit // len(ratings.items), names, "ratings", repeats)


def _in_order_of_names(systems: tuple[str, ...]) -> tuple[IntArray, tuple[str, ...]]:
    """Where each system comes by name, and the names so: the order of rows in a file leaves no trace in what is resampled."""
    order = np.argsort(np.array(systems), kind="stable")
    return np.argsort(order), tuple(systems[place] for place in order.tolist())


def _of_votes(votes: Votes) -> Units:
    """1 where the later system of a pair won, −1 where the earlier did; votes in both orders are averaged."""
    if votes.item is None or votes.rater is None:
        lacking = "item" if votes.item is None else "rater"
        raise Unsuitable(
            f"these votes do not say which {lacking} they are {'on' if lacking == 'item' else 'by'}; agreement takes "
            f"several raters on the same items. Name the column: {option('column', f'{lacking}=…')}"
        )
    by_name, systems = _in_order_of_names(votes.systems)
    a, b = by_name[votes.a], by_name[votes.b]
    late = np.maximum(a, b)
    value = np.where(votes.winner == NO_SYSTEM, 0.0, np.where(by_name[votes.winner] == late, 1.0, -1.0))
    pairs, pair = np.unique(np.minimum(a, b) * len(systems) + late, return_inverse=True)
    unit, place = np.unique(pair * len(votes.items) + votes.item, return_inverse=True)
    shape = (len(unit), len(votes.raters))
    cell = place * shape[1] + votes.rater
    often = np.bincount(cell, minlength=shape[0] * shape[1]).astype(np.float64)
    sums = np.bincount(cell, weights=value, minlength=shape[0] * shape[1])
    values = np.divide(sums, often, out=np.full(sums.shape, np.nan), where=often > 0).reshape(shape)
    heard = ~np.isnan(values).all(axis=0)
    names = tuple(f"{systems[code % len(systems)]} over {systems[code // len(systems)]}" for code in pairs.tolist())
    raters = tuple(name for name, kept in zip(votes.raters, heard.tolist(), strict=True) if kept)
    repeats = int(np.maximum(often - 1.0, 0.0).sum())
    return Units(values[:, heard], raters, unit // len(votes.items), names, "votes", repeats)


# Judges beside people: how far each agrees with one of them, and which systems it rates higher or lower
# than they do.


def judged(
    units: Units, people: BoolArray, coefficient: Coefficient, question: AgreementQuestion
) -> tuple[JudgeAgreement, ...]:
    """Everybody who is not among the people, against them."""
    places = np.flatnonzero(~people).tolist()
    each = with_progress("judging judges", places, len(places)) if len(places) > 1 else places
    return tuple(_judge(units, place, people, coefficient, question) for place in each)


def _judge(
    units: Units, place: int, people: BoolArray, coefficient: Coefficient, question: AgreementQuestion
) -> JudgeAgreement:
    by_people = units.values[:, people]
    shared = ~np.isnan(units.values[:, place]) & ~np.isnan(by_people).all(axis=1)
    if not shared.any():
        raise Unsuitable(
            f"{units.raters[place]!r} and the reference raters share no rated output; have the judge rate what they rated, or leave this judge out"
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


def with_correctable(
    judges: tuple[JudgeAgreement, ...], given: Any, people: tuple[str, ...]
) -> Iterator[JudgeAgreement]:
    """Each judge with the two systems of most units, where people labelled enough of these to correct it by."""
    for judge in judges:
        most = sorted(judge.bias, key=lambda one: -one.items)
        if len(most) > 1 and isinstance(given, Ratings) and not any("," in name for name in people):
            names = most[0].system, most[1].system
            found = correctable(judged_by_raters(given, judge.rater, people), names)
            yield judge if found is None else replace(judge, correctable=names)
        else:
            yield judge


def _with_one_of_them(
    own: FloatArray, theirs: FloatArray, weights: FloatArray, coefficient: Coefficient, level: float
) -> AgreementValue:
    """Every rating of a person beside the judge's of the same unit; units are resampled whole."""
    unit, person = np.nonzero(~np.isnan(theirs))
    pairs = UnitRatings(np.stack([own[unit], theirs[unit, person]], axis=1))
    return agreement_value(coefficient, estimate(coefficient, pairs, weights[:, unit], level), len(weights))


def _among_them(
    theirs: FloatArray, weights: FloatArray, coefficient: Coefficient, level: float
) -> AgreementValue | None:
    table = UnitRatings(theirs[:, ~np.isnan(theirs).all(axis=0)])
    if not (table.per_unit > 1).any():
        return None
    return agreement_value(coefficient, estimate(coefficient, table, weights, level), len(weights))


def _bias(system: str, own: FloatArray, theirs: FloatArray, level: float) -> JudgeBias:
    """The judge less the mean of these people, with Student's interval over items."""
    differences = own - np.nanmean(theirs, axis=1)
    mean, variance = mean_and_variance(differences)
    items = len(differences)
    if items < 2:
        return JudgeBias(system, float(mean), None, None, items)
    half_width = float(t_quantile((1.0 + level) / 2.0, items - 1.0) * np.sqrt(variance / items))
    return JudgeBias(system, float(mean), float(mean) - half_width, float(mean) + half_width, items)


def agreement_value(coefficient: Coefficient, found: BoundedCoefficient, resamples: int) -> AgreementValue:
    """Plain numbers, None where there is none."""
    value, low, high = (None if np.isnan(number) else number for number in (found.value, found.low, found.high))
    return AgreementValue(str(coefficient), coefficient.label, value, low, high, resamples)
