"""Every registered plug-in, in every variant its choices allow: a new one is under these laws without being listed."""

import itertools
from typing import Any

import numpy as np
import pytest

from tellapart.arrays import FloatArray
from tellapart.effects import EFFECTS
from tellapart.intervals import INTERVALS
from tellapart.metrics import METRICS
from tellapart.scores import Pair
from tellapart.significance import TESTS
from tellapart.spelling import Registry, options
from tellapart.summaries import Summary

RESAMPLES = 499
"""Enough for a law; the default of thousands is for answers."""


def variants(registry: Registry[Any]) -> list[Any]:
    """One instance for each combination of choices, numbers at their default or, where required, at 0.1."""
    found = []
    for name in registry:
        kind = registry[name]
        own = [o for o in options(kind) if o.name != "alternative"]
        fixed: dict[str, Any] = {o.name: 0.1 for o in own if o.required}
        fixed |= {o.name: RESAMPLES for o in own if o.name == "resamples" and o.default}
        choices = {o.name: o.choices for o in own if o.choices}
        found += [
            kind(**fixed, **dict(zip(choices, combination, strict=True)))
            for combination in itertools.product(*choices.values())
        ]
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    kinds: dict[str, list[Any]] = {
        "test": variants(TESTS),
        "difference_test": [t for t in variants(TESTS) if t.claim == "difference"],
        "interval": variants(INTERVALS),
        "metric": variants(METRICS),
        "effect_size": variants(EFFECTS),
    }
    for name, instances in kinds.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, instances, ids=str)


def scores_for(
    needs: type[Summary], rng: np.random.Generator, items: int, batch: tuple[int, ...], effect: float
) -> tuple[FloatArray, FloatArray]:
    """Scores of A and B as the summary wants them: right-or-wrong for counts, correlated normal otherwise."""
    common = rng.normal(size=(*batch, items))
    a, b = (common + 0.7 * rng.normal(size=(*batch, items)) for _ in range(2))
    b = b + effect
    if needs.binary:
        return (a > 0.0).astype(float), (b > 0.0).astype(float)
    return a, b


@pytest.fixture
def make_pair() -> Any:
    """A pair suited to a plug-in: `make_pair(plug_in, items=…, batch=…, effect=…)`."""

    def make(
        plug_in: Any, *, items: int = 60, batch: tuple[int, ...] = (), effect: float = 0.2, seed: int = 1
    ) -> Pair:
        a, b = scores_for(plug_in.needs, np.random.default_rng(seed), items, batch, effect)
        clusters = np.repeat(np.arange(items // 4), 4)[:items] if "cluster" in plug_in.name else None
        return Pair(a[..., np.newaxis, np.newaxis], b[..., np.newaxis, np.newaxis], clusters)

    return make


@pytest.fixture
def summarise() -> Any:
    """The summary that a plug-in needs, of a pair under the plain mean."""
    mean = METRICS.parse("mean")

    def of(plug_in: Any, pair: Pair) -> Summary:
        summary: Summary = plug_in.needs.of(pair.b if plug_in.needs.systems == 1 else pair, mean)
        return summary

    return of
