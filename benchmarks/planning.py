"""Power of McNemar's test at any size beside the time it may take, and a plan from a cold start beside its imports."""

from collections.abc import Callable

from benchmarks._clock import command_seconds, seconds
from tellapart import Study, plan, power
from tellapart.planning.exact import _wide_region
from tellapart.significance import TESTS

MANY = 390_965
IMPORTS = ["-c", "import numpy, scipy.special"]
PLAN = ["-m", "tellapart", "plan", "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01"]

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    tests = ("mcnemar(variant=exact)", "mcnemar(variant=mid_p)")
    return [
        *(_limited(f"{test}, 5,000 items", _power(test, 5_000, 0.1, 0.02), 0.005) for test in tests),
        *(
            _limited(f"{test}, 5,000 items, half differ", _power(test, 5_000, 0.5, 0.05), 0.005)
            for test in tests
        ),
        *(_limited(f"{test}, {MANY:,} items", _power(test, MANY, 0.1, 0.0014), 0.1) for test in tests),
        *(_limited(f"{test}, effect at {MANY:,} items", _detectable(test), 2.0) for test in tests),
        ("plan by formula, cold start (importing numpy and scipy.special)", *_cold(), "at least 0.67"),
    ]


def _limited(what: str, call: Callable[[], object], limit: float) -> Row:
    return f"{what} (limit {limit:g} s)", seconds(call, repeats=3), limit, "at least 1"


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
