"""The notes on what items detect, and on how many it takes."""

from tellapart.doors import option
from tellapart.results.comparison import Comparison
from tellapart.wording import exact, one_line, percent, significant, thousands
from tellapart.words.sayings import Sayings

BY_PLAN: Sayings[Comparison] = Sayings()


@BY_PLAN
def untold_by_test(_answer: Comparison, label: str, instead: str) -> str:
    return (
        f"what these items detect, and how many an effect or a margin takes, is not told for the {label}: {option('test', instead)} tells it at once, "
        "and finds nearly the same where differences are not skewed"
    )


@BY_PLAN
def none_detectable(_answer: Comparison, test: str, items: int, effect: float, power: float) -> str:
    return (
        f"{thousands(items)} items find no effect between 0 and {effect:.4g}, the largest that such items can have, with {percent(power)} "
        f"power by {test}"
    )


@BY_PLAN
def detectable_by_side(
    answer: Comparison, b_higher: float | None, b_lower: float | None, power: float
) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    sides = (b_higher, f"{b} scores higher than {a}"), (b_lower, f"{b} scores lower")
    found = "; ".join(f"if {side}, {_found(effect, power)}" for effect, side in sides)
    both = "" if b_higher is None or b_lower is None else ". The larger is found either way"
    return f"what is detectable depends on the side: {found}{both}"


def _found(effect: float | None, power: float) -> str:
    if effect is None:
        return f"none that such items can have is found with {percent(power)} power"
    return f"an effect of {significant(effect)}" if effect > 0.0 else "an effect of any size"


@BY_PLAN
def no_items_find_effect(_answer: Comparison, test: str, effect: float, power: float) -> str:
    return (
        f"no number of items that anybody evaluates finds an effect of {effect:g} with {percent(power)} power by {test}: items like "
        "these do not have it, or it is too small"
    )


@BY_PLAN
def resamples_tell_no_items(_answer: Comparison, effect: float | None, margin: float | None) -> str:
    sought = f"find an effect of {effect:g}" if effect is not None else f"exclude a difference of {margin:g}"
    return f"these items do not tell how many would {sought}: too few of them differ, or there are too few, to resample"


@BY_PLAN
def items_do_not_vary(_answer: Comparison, test: str, effect: float) -> str:
    return f"how many items find an effect of {exact(effect)} is not told by these: nothing varies that {test} measures by"
