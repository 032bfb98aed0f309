"""Evidence and notes of a sequential comparison, which is valid at any stopping time."""

from collections.abc import Iterator

from tellapart.answers.comparison import Sequential
from tellapart.answers.parts import Note
from tellapart.foundation.decision import EstablishedClaims, verdict
from tellapart.methods.significance.betting import Betting
from tellapart.numerics.betting import CERTAIN
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.question import CompareQuestion


def sequential_result(analysis: Analysis, waiting: int) -> Sequential:
    test, sample = _bets(analysis), analysis.sample(analysis.test)
    above, below = (float(one) for one in test.evidence(sample, 0.0))
    return Sequential(
        kind="anytime",
        about="items like these" if test.benchmark is None else "benchmark",
        certain=max(above, below) >= CERTAIN or analysis.items == test.benchmark,
        items=analysis.items,
        waiting=waiting,
        evidence_above=None if above >= CERTAIN else above,
        evidence_below=None if below >= CERTAIN else below,
        benchmark_items=test.benchmark,
    )


def sequential_notes(
    analysis: Analysis, question: CompareQuestion, shown: EstablishedClaims, waiting: int
) -> Iterator[Note]:
    """On the order of items, the benchmark, and estimates after an early stop."""
    test = _bets(analysis)
    complete = analysis.items == test.benchmark
    if waiting:
        yield Note("items_waiting", {"items": waiting})
    if question.item_order is None and not complete:
        yield Note("order_taken_as_random")
    if test.benchmark is not None:
        yield Note("claims_about_benchmark", {"items": test.benchmark})
    if verdict(shown) != "undetermined" and not complete:
        yield Note("early_estimate")
    if question.effect is not None:
        yield Note("bets_untuned")


def _bets(analysis: Analysis) -> Betting:
    test = difference_test(analysis.test)
    assert isinstance(test, Betting), "bets alone hold at any moment"
    return test
