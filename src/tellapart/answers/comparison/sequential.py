"""Sentences about a comparison at any moment or at a planned look: headline, result sentence and notes."""

from tellapart.answers.comparison import Comparison, Sequential
from tellapart.answers.plan.grid_texts import SPENDINGS
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, significant, thousands
from tellapart.foundation.surfaces import option

SEQUENTIAL: NoteTexts[Comparison] = NoteTexts()

Names = tuple[str, str]


def sequential_headline(answer: Comparison, claim: str, names: Names) -> str:
    """The verdict with its reach; `claim` is the headline of an answer that looks once."""
    found = answer.sequential
    assert found is not None, "asked at any moment, or at a look"
    if found.kind == "looks":
        return _look_headline(answer, found, claim)
    if answer.verdict == "undetermined":
        if found.benchmark_items == found.items:
            return f"{claim}: {thousands(found.items)} of {amount(found.items, 'item')} of the benchmark were run"
        return f"undetermined so far ({amount(found.items, 'item')}): going on is allowed, and stopping too"
    if found.benchmark_items is None:
        return f"{claim}, whenever you stop looking"
    return _benchmark_headline(answer, found, claim, names)


def _benchmark_headline(answer: Comparison, found: Sequential, claim: str, names: Names) -> str:
    """A claim about the items of a benchmark, with how many of them were run."""
    if answer.verdict in {"a better", "b better"}:
        a, b = names
        claim = f"{b if answer.verdict == 'b better' else a} is ahead"
    if not found.left:
        return f"{claim} on the {amount(found.items, 'item')} of this benchmark"
    whatever = f", whatever the {amount(found.left, 'item')} left show" if found.certain else ""
    return f"{claim} on this benchmark{whatever} ({thousands(found.items)} of {amount(found.benchmark_items or 0, 'item')} were run)"


def _look_headline(answer: Comparison, found: Sequential, claim: str) -> str:
    if answer.verdict != "undetermined":
        return f"{claim}{look_step(answer)}"
    if found.next_items is None:
        return "undetermined: all looks are used"
    return f"undetermined at look {found.look} of {found.looks}: go on to {amount(found.next_items, 'item')}"


def look_step(answer: Comparison) -> str:
    """What follows from a verdict at a planned look."""
    found = answer.sequential
    if found is None or found.kind != "looks":
        return ""
    at = f"look {found.look} of {found.looks}"
    if found.next_items is None:
        return f" ({at}, the last)"
    return f": stop here ({at})" if found.stop else f": go on to {amount(found.next_items, 'item')} ({at})"


def sequential_reach(answer: Comparison) -> str:
    """What the claim is about, for the sentence to quote."""
    found = answer.sequential
    if found is None:
        return ""
    if found.kind == "looks":
        early = " Estimates after an early stop tend to be too large." if found.stop and found.next_items else ""
        return (
            f"Look {found.look} of {found.looks}, after {thousands(found.items)} of {thousands(found.planned_items or 0)} planned items "
            f"({SPENDINGS[found.spending or 'obf']}): interval and p-value hold over all looks.{early}"
        )
    if found.benchmark_items is None:
        return "Valid at whatever moment one stops, for items like these."
    run = "" if not found.left else f", of which {thousands(found.items)} were run"
    return f"Valid at whatever moment one stops, for the {amount(found.benchmark_items, 'item')} of this benchmark alone{run}."


def look_words(answer: Comparison) -> str:
    """What the p-value over all looks comes from."""
    found = answer.sequential
    if found is None or found.kind != "looks":
        return ""
    alone, nominal = significant(found.pvalue_alone or 0.0), significant(found.nominal or 0.0)
    return f" over all looks ({alone} on these items alone, at most {nominal} at this look)"


@SEQUENTIAL
def stopped_before(_: Comparison, look: int, items: int) -> str:
    return f"the claim of look {look} ({amount(items, 'item')}) ended the study and stands; what came later informs"


@SEQUENTIAL
def look_cannot_decide(_: Comparison, least_pvalue: float, nominal: float) -> str:
    return f"no p-value below {least_pvalue:.3g} can come out of these items, and this look asks for at most {significant(nominal)}: it cannot decide"


@SEQUENTIAL
def items_waiting(_: Comparison, items: int) -> str:
    return (
        f"{amount(items, 'item')} completed before an earlier one of the order {'wait' if items > 1 else 'waits'}: "
        "items that finish quickly are not a random sample"
    )


SEQUENTIAL.plain(
    order_taken_as_random=(
        "items are taken in the order of their rows, as if that order were random. It is not if they are sorted, or if quick ones come first: "
        f"run them in a random order and pass it with {option('item_order', 'FILE')}"
    ),
    bets_untuned=(
        f"an effect alone does not change the bets: how differences spread has to be known before. Save a plan that says both, and pass it with "
        f"{option('plan', 'plan.json')}"
    ),
    early_estimate="stopping when the estimate looks good tends to make it too large",
)


@SEQUENTIAL
def order_looks_sorted(_: Comparison, by: str) -> str:
    rows = "dataset by dataset" if by == "dataset" else "sorted by the names of their items"
    return (
        f"rows come {rows}, and bets hold for a random order: what the first items show may not be what the others will. Shuffle the items once, run "
        f"them in that order, and pass it with {option('item_order', 'FILE')}"
    )


@SEQUENTIAL
def claims_about_benchmark(_: Comparison, items: int) -> str:
    return f"the claim is what all {amount(items, 'item')} of this benchmark will show, not about other items like them"


@SEQUENTIAL
def peeking(_: Comparison, items: int, planned: int) -> str:
    return (
        f"{thousands(items)} of {thousands(planned)} planned items: looked at five times like this, a difference that is not there is claimed about "
        f"14 times in 100, twenty times 22. Wait for all of them, or ask without the plan for an answer that holds at any moment: {option('anytime')}"
    )
