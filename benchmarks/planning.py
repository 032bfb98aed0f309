"""Power of McNemar's test and plans of any size beside the time they may take, and a plan from a cold start beside its imports."""

import math
import time
from collections.abc import Callable, Iterator

from benchmarks._clock import command_seconds, seconds
from tellapart import Study, plan, power
from tellapart.methods.significance import TESTS
from tellapart.planning.exact import _wide_region
from tellapart.planning.solved_axes import item_spread
from tellapart.populations import POPULATIONS, Population

MANY = 390_965
IMPORTS = ["-c", "import numpy, scipy.special"]
PLAN = ["-m", "tellapart", "plan", "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01"]
SIZES = (1_000, 3_000, 20_000, 100_000, 1_000_000)
LIMIT = 10.0
"""CPU seconds of a plan by default, whatever is asked and however many items there are."""

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    tests = ("mcnemar(variant=exact)", "mcnemar(variant=mid_p)")
    return [
        *(_limited(f"{test}, 5,000 items", _power(test, 5_000, 0.1, 0.02), 0.005) for test in tests),
        *(_limited(f"{test}, 5,000 items, half differ", _power(test, 5_000, 0.5, 0.05), 0.005) for test in tests),
        *(_limited(f"{test}, {MANY:,} items", _power(test, MANY, 0.1, 0.0014), 0.1) for test in tests),
        *(_limited(f"{test}, effect at {MANY:,} items", _detectable(test), 2.0) for test in tests),
        *_plans(),
        ("plan by formula, cold start (importing numpy and scipy.special)", *_cold(), "at least 0.67"),
    ]


def _limited(what: str, call: Callable[[], object], limit: float) -> Row:
    return f"{what} (limit {limit:g} s)", seconds(call, repeats=3), limit, "at least 1"


def _plans() -> Iterator[Row]:
    """The longest plan of every plain population, of all sizes and questions."""
    for name in POPULATIONS:
        for spelled in () if POPULATIONS[name].by_raters else POPULATIONS[name].examples:
            took, asked = max(
                _timed(spelled, items, solved) for items in SIZES for solved in ("items", "effect", "power")
            )
            yield f"{spelled[:60]}, {asked} (limit {LIMIT:g} s)", took, LIMIT, "at least 1"


def _timed(spelled: str, items: int, solved: str) -> tuple[float, str]:
    """CPU seconds of a plan for an effect that about so many items find eight times in ten."""
    some = Population.parse(spelled)
    effect = float(f"{2.8 * item_spread(some.with_effect(min(1e-6, some.effect_range[1] / 2))) / math.sqrt(items):.3g}")
    population = some.with_effect(None if solved == "effect" else min(effect, 0.9 * some.effect_range[1]))
    whole = max(items // some.unit, 2) * some.unit
    given = {"items": whole, "power": 0.8}
    start = time.process_time()
    plan(population, **{one: value for one, value in given.items() if one != solved})
    return time.process_time() - start, f"{solved} at {items:,} items"


def _power(test: str, items: int, discordance: float, effect: float) -> Callable[[], object]:
    population = f"paired_binary(discordance={discordance}, effect={effect})"
    study = Study(population, TESTS.parse(test), items)

    def anew() -> object:
        _wide_region.cache_clear()
        return power(study)

    return anew


def _detectable(test: str) -> Callable[[], object]:
    def anew() -> object:
        _wide_region.cache_clear()
        return plan("paired_binary(discordance=0.1)", test=test, items=MANY, power=0.8)

    return anew


def _cold() -> tuple[float, float]:
    """CPU seconds of a plan and of its imports alone, run by turns; the least of each."""
    runs = [(command_seconds(*PLAN, "--power", "0.8"), command_seconds(*IMPORTS)) for _ in range(7)]
    return min(ours for ours, _ in runs), min(bare for _, bare in runs)
