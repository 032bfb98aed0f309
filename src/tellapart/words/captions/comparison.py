"""What the charts of a comparison find."""

from collections.abc import Callable

from tellapart.results.comparison import Comparison
from tellapart.wording import confidence_interval, decimals_between, one_line, percent, signed, significant


def difference(answer: Comparison) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    found = answer.interval
    places = decimals_between(found.low, found.high)
    side = "excludes" if found.low > 0.0 or found.high < 0.0 else "holds"
    bounds = confidence_interval(found.level, found.low, found.high)
    said = f"{b} − {a} is {signed(answer.effect, places)}; its {bounds} {side} 0."
    return " ".join(filter(None, [said, _margin(answer), _reach(answer)]))


def _margin(answer: Comparison) -> str:
    return "" if answer.margin is None else f"The margin is ±{answer.margin:g}."


def _reach(answer: Comparison) -> str:
    found = answer.detectable
    if found is None:
        return ""
    return (
        f"A true difference of ±{significant(found.effect)} would be found with {percent(found.power)} power."
    )


CAPTIONS: dict[str, Callable[[Comparison], str]] = {"difference": difference}
