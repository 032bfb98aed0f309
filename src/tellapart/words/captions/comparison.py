"""What the charts of a comparison find."""

from collections.abc import Callable

from tellapart.results.comparison import Comparison
from tellapart.wording import (
    amount,
    confidence,
    confidence_interval,
    decimals_between,
    number,
    one_line,
    percent,
    signed,
    significant,
    thousands,
)
from tellapart.words.comparison.groups import drift_sentence


def difference(answer: Comparison) -> str:
    a, b = _names(answer)
    found = answer.interval
    places = decimals_between(found.low, found.high)
    side = "excludes" if found.low > 0.0 or found.high < 0.0 else "holds"
    bounds = confidence_interval(found.level, found.low, found.high)
    about = "" if found.target == "mean difference" else f" for the {found.target}"
    said = f"{b} − {a} is {signed(answer.effect, places)}; its {bounds}{about} {side} 0."
    return " ".join(filter(None, [said, _margin(answer), _reach(answer)]))


def _names(answer: Comparison) -> tuple[str, str]:
    return one_line(answer.a.name), one_line(answer.b.name)


def _margin(answer: Comparison) -> str:
    return "" if answer.margin is None else f"The margin is ±{answer.margin:g}."


def _reach(answer: Comparison) -> str:
    found = answer.detectable
    if found is None:
        return ""
    return (
        f"A true difference of {significant(found.effect)} would be found with {percent(found.power)} power."
    )


def items(answer: Comparison) -> str:
    found, (a, b) = answer.difference_bins, _names(answer)
    assert found is not None, "it is drawn"
    of = amount(answer.items, "item")
    return (
        f"Of {of}, {b} scores higher than {a} on {thousands(found.higher)} and lower on {thousands(found.lower)}; "
        f"on {thousands(found.ties)} both score the same."
    )


def scores(answer: Comparison) -> str:
    a, b = _names(answer)
    together = "" if answer.correlation is None else f" Their correlation is {number(answer.correlation, 2)}."
    return f"Above the diagonal {b} scores higher than {a}, below it lower; darker cells hold more items.{together}"


def counts(answer: Comparison) -> str:
    found, (a, b) = answer.counts, _names(answer)
    assert found is not None, "it is drawn"
    return (
        f"{b} alone is right on {amount(found.only_b, 'item')} and {a} alone on {thousands(found.only_a)}; both are right on "
        f"{thousands(found.both_right)} and both wrong on {thousands(found.both_wrong)}. Areas are in proportion."
    )


def datasets(answer: Comparison) -> str:
    assert answer.across_datasets is not None, "it is drawn"
    return f"{answer.across_datasets.sentence} Lines are the intervals of each dataset at the level of its {answer.across_datasets.correction_label} step."


def groups(answer: Comparison) -> str:
    return f"{drift_sentence(answer)} Lines are {confidence(answer.alpha)} intervals of each group alone."


def votes(answer: Comparison) -> str:
    found, (a, b) = answer.votes, _names(answer)
    assert found is not None, "it is drawn"
    return f"{thousands(found.wins_b)} votes went to {b}, {thousands(found.wins_a)} to {a}, and {thousands(found.ties)} were ties."


def spread(answer: Comparison) -> str:
    assert answer.ratings is not None, "it is drawn"
    shares = answer.ratings.shares
    return (
        f"Of the variance of the difference, {percent(shares['raters'], 2)} would go with more raters, {percent(shares['items'], 2)} "
        f"with more items and {percent(shares['rest'], 2)} with more ratings of either kind."
    )


CAPTIONS: dict[str, Callable[[Comparison], str]] = {
    "difference": difference,
    "items": items,
    "scores": scores,
    "counts": counts,
    "datasets": datasets,
    "groups": groups,
    "votes": votes,
    "spread": spread,
}
