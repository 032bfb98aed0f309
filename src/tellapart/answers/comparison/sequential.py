"""Sentences about an anytime-valid comparison: headline, result sentence and notes."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, thousands
from tellapart.foundation.surfaces import option

SEQUENTIAL: NoteTexts[Comparison] = NoteTexts()

Names = tuple[str, str]


def anytime_headline(answer: Comparison, claim: str, names: Names) -> str:
    """The verdict with its reach; `claim` is the headline of an answer that looks once."""
    found = answer.sequential
    assert found is not None, "asked at any moment"
    if answer.verdict == "undetermined":
        if found.benchmark_items == found.items:
            return f"{claim}: {thousands(found.items)} of {amount(found.items, 'item')} of the benchmark were run"
        return f"undetermined so far ({amount(found.items, 'item')}): going on is allowed, and stopping too"
    if found.benchmark_items is None:
        return f"{claim}, whenever you stop looking"
    if answer.verdict in {"a better", "b better"}:
        a, b = names
        claim = f"{b if answer.verdict == 'b better' else a} is ahead"
    whatever = f", whatever the {amount(found.left, 'item')} left show" if found.left and found.certain else ""
    return f"{claim} on the {amount(found.benchmark_items, 'item')} of this benchmark{whatever}"


def anytime_reach(answer: Comparison) -> str:
    """What the claim is about, for the sentence to quote."""
    found = answer.sequential
    if found is None:
        return ""
    if found.benchmark_items is None:
        return "Valid at whatever moment one stops, for items like these."
    return (
        f"Valid at whatever moment one stops, for the {amount(found.benchmark_items, 'item')} of this benchmark alone."
    )


@SEQUENTIAL
def items_waiting(_: Comparison, items: int) -> str:
    return (
        f"{amount(items, 'item')} completed before an earlier one of the order {'wait' if items > 1 else 'waits'}: items that finish quickly "
        "are no random sample"
    )


@SEQUENTIAL
def order_taken_as_random(_: Comparison) -> str:
    return (
        "items are taken in the order of their rows, as if that were random: it is not where they are sorted, or where quick ones come first. "
        f"Run them in a random order, and pass it: {option('item_order', 'FILE')}"
    )


@SEQUENTIAL
def claims_about_benchmark(_: Comparison, items: int) -> str:
    return f"the claim is what all {amount(items, 'item')} of this benchmark will show; about other items like them it says nothing"


@SEQUENTIAL
def early_estimate(_: Comparison) -> str:
    return "an estimate at a moment that was chosen because it looked good tends to be too large"


@SEQUENTIAL
def peeking(_: Comparison, items: int, planned: int) -> str:
    return (
        f"{thousands(items)} of {thousands(planned)} planned items: looked at five times like this, a difference that is not there is claimed about "
        f"14 times in 100, twenty times 22. Wait for all of them, or ask without the plan for an answer that holds at any moment: {option('anytime')}"
    )


@SEQUENTIAL
def bets_untuned(_: Comparison) -> str:
    return (
        f"{option('effect')} does not change the bets: how much items vary would have to be known before they are seen"
    )
