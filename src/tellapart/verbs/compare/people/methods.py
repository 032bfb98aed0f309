"""What ratings and shared votes are judged by: chosen by how many raters and items there are, with what was named in its place."""

from tellapart.choosing.pairs import Choice
from tellapart.choosing.raters import FEW_LEVELS, suited_to_raters
from tellapart.doors import option
from tellapart.errors import Unsuitable
from tellapart.intervals import Interval
from tellapart.results.note import Note
from tellapart.significance import TESTS, Procedure
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.crossed import Crossed
from tellapart.verbs.compare.question import CompareQuestion


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
            f"{method} is for scores of items, and these are by several people; leave {option(what)} out, or pass "
            f"{option('raters_as', 'fixed')} to speak of these raters only"
        )
