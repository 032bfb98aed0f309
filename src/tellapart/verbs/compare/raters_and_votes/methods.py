"""Choice of the test and the interval for ratings and votes, by the numbers of raters and items."""

import numpy as np

from tellapart.answers.parts import Note
from tellapart.choosing.pairs import FEW_LEVELS, Choice, suited_to_raters
from tellapart.data.rater_pairs import RatedPair
from tellapart.data.ratings import Ratings
from tellapart.data.summaries.rater_samples import ByRaters, Crossed
from tellapart.foundation.errors import DataError, Degenerate, TooFew, Unsuitable, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals import Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.metrics import Metric
from tellapart.verbs.compare.question import CompareQuestion

# What raters cannot tell, with the way out.


def refuse_other_questions(question: CompareQuestion) -> None:
    """Refuse options for scores of items alone."""
    if question.metric is not None and not Metric.parse(question.metric).linear:
        raise Unsuitable(f"ratings and votes are averaged; leave {option('metric')} out")
    if question.by is not None or question.labels is not None:
        asked = "by" if question.by is not None else "labels"
        raise UsageError(f"groups are compared on scores, not on ratings or votes; leave {option(asked)} out")


def refuse_ties(question: CompareQuestion) -> None:
    """Two equal ratings are a difference of 0 like any other."""
    if question.ties != "half":
        raise UsageError(
            f"{option('ties')} is for votes, and these are ratings; leave it out: equal ratings count as a difference of 0"
        )


def refuse_clusters(ratings: Ratings, *, may_fix: bool = True) -> None:
    """The model has raters and items, and no place for clusters of items; one item in each is none."""
    if ratings.clusters is None or len(np.unique(ratings.clusters)) == len(ratings.items):
        return
    key = None if ratings.reading is None else ratings.reading.cluster
    named, clusters = ("", "…") if key is None else (f" ({key})", key)
    # A log knows its items by this name, whatever its column is called.
    of_log = ratings.reading is not None and not ratings.reading.plain
    items, which = ("item", "") if of_log else ("…", " (the columns of clusters and of items)")
    fixed = (
        f"; or {option('raters_as', 'fixed')} to keep the clusters and speak of these raters only" if may_fix else ""
    )
    raise Unsuitable(
        f"{amount(len(ratings.items), 'item')} come in {amount(len(np.unique(ratings.clusters)), 'cluster')}{named}, "
        f"which a model of raters and items cannot use. Pass {option('cluster', 'none')} to take items as "
        f"independent{fixed}; or make each cluster an item, on which a rater's ratings are averaged: "
        f"{option('column', f'item={clusters}')} {option('column', f'run={items}')}{which}"
    )


def refuse_unrated(pair: RatedPair, names: tuple[str, str]) -> None:
    """Each system has ratings, of two items at least."""
    for name, which in zip(names, (~pair.of_b, pair.of_b), strict=True):
        if not which.any():
            raise TooFew(f"system {name!r} has no rating; check the column of systems")
    if len(pair.items) < 2:
        raise TooFew(
            f"{names[0]!r} and {names[1]!r} were rated on {amount(len(pair.items), 'item')}; at least two are needed to see how ratings vary. "
            "Check the column of items"
        )


def refuse_few_raters(pair: RatedPair) -> None:
    """One rater tells nothing of others."""
    if len(pair.raters) < 2:
        raise TooFew(
            f"both systems were rated by {pair.raters[0]!r} alone; at least two raters are needed to speak of others. Pass "
            f"{option('raters_as', 'fixed')} to speak of this rater only"
        )


def refuse_own_raters(pair: RatedPair, names: tuple[str, str]) -> None:
    """A rater each: a difference of systems cannot be told from one of raters."""
    raters = [np.unique(pair.rater[which]).tolist() for which in (~pair.of_b, pair.of_b)]
    if all(len(own) == 1 for own in raters) and raters[0] != raters[1]:
        (first,), (second,) = raters
        raise DataError(
            f"system {names[0]!r} was rated by {pair.raters[first]!r} alone and {names[1]!r} by {pair.raters[second]!r} alone: "
            "a difference between systems may be one between raters. Have one of them rate both systems, or more raters each"
        )


def refuse_order_alone(votes: Crossed, error: float) -> None:
    """Where the order leaves nothing of votes that vary, nothing is left to measure a difference by, not even none."""
    if votes.order is not None and error == 0.0 and np.nanmax(votes.values) > np.nanmin(votes.values):
        raise Degenerate(
            "the order of showing decides all votes, so nothing else can be measured. Show both orders to more "
            f"raters, or count votes as they are: {option('order', 'ignore')}"
        )


def choose_by_raters(sample: ByRaters, question: CompareQuestion) -> Choice:
    """Test and interval, and why these."""
    test, bounds = question.named_test, question.named_interval
    if test is None:
        found, reasons = _default(sample)
        if bounds is not None:
            reasons = (*reasons, Note("named_interval"))
    else:
        found = test
        reasons = (Note("named_test" if bounds is None else "named_test_and_interval"),)
    interval = Interval.parse(found.interval) if bounds is None else bounds
    _refuse_other(found, "test")
    _refuse_other(interval, "interval")
    return Choice(found, interval, reasons)


def _default(sample: ByRaters) -> tuple[Procedure, tuple[Note, ...]]:
    # Raters' averages take no order; the model does.
    alone = one_rater_per_item(sample) and not in_both_orders(sample)
    test = TESTS.parse(suited_to_raters(sample.raters, sample.items, one_rater_per_item=alone))
    levels = {"raters": sample.raters, "items": sample.items}
    if alone:
        return test, (Note("one_rater_per_item", levels),)
    code = "many_raters" if min(levels.values()) >= FEW_LEVELS else "few_raters_or_items"
    return test, (Note(code, {**levels, "below": FEW_LEVELS}),)


def one_rater_per_item(sample: ByRaters) -> bool:
    """Whether no item was rated by two: then raters' averages are independent, whatever items do."""
    return isinstance(sample, Crossed) and int(sample.rated.sum(axis=-2).max(initial=0)) == 1


def in_both_orders(sample: ByRaters) -> bool:
    """Whether votes showed their systems in both orders, which the model tells apart."""
    return isinstance(sample, Crossed) and sample.order is not None


def _refuse_other(method: Procedure | Interval, what: str) -> None:
    if not issubclass(method.needs, ByRaters):
        raise Unsuitable(
            f"{method} is for scores, and these are ratings or votes by several people; leave {option(what)} out, or "
            f"pass {option('raters_as', 'fixed')} to speak of these raters only"
        )
