"""The worked examples of CONTRIBUTING.md: each registers itself, is under every law of its kind, and answers."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.laws import test_effects, test_intervals, test_metrics, test_populations, test_tests
from tests.laws.law import Laws
from tests.laws.setting import Setting, settings

import tellapart
from tellapart.foundation.spelling import Registry
from tellapart.methods.effects import EFFECTS
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.populations import POPULATIONS

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture
def contributed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the example under a heading, for as long as a test lasts, and give what it registered."""

    def run(heading: str, registry: Registry[Any]) -> Any:
        monkeypatch.setattr(registry, "_known", dict(registry._known))
        before = set(registry)
        block = re.findall(r"```python\n(.*?)```", TEXT.partition(f"## Add {heading} in one file")[2], re.DOTALL)[0]
        module = ModuleType("contributed")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(block, "CONTRIBUTING.md", "exec"), module.__dict__)  # noqa: S102  (our own text)
        (name,) = set(registry) - before
        return registry[name]

    return run


def obeys(laws: Laws, cases: list[Any]) -> None:
    tried = laws.tried_in(cases)
    assert len(tried) >= 5
    for law, case in tried:
        law.check(case)


def can_be_learnt_from(plug_in: type) -> bool:
    told = " ".join((plug_in.__doc__ or "").split())
    return len(told) > 200 and "wrong choice" in told and re.search(r"\(\d{4}\)", told) is not None


@pytest.mark.parametrize(
    ("heading", "registry", "laws"),
    [
        ("a test", TESTS, test_tests.LAWS),
        ("an interval", INTERVALS, test_intervals.LAWS),
        ("an effect size", EFFECTS, test_effects.LAWS),
    ],
)
def test_methods_obey(heading: str, registry: Any, laws: Laws, contributed: Any) -> None:
    """With every metric, with and without clusters, as they declare."""
    plug_in = contributed(heading, registry)
    obeys(laws, settings([plug_in()]))
    assert can_be_learnt_from(plug_in)


def test_the_metric_obeys(contributed: Any) -> None:
    """Its gradient is the derivative of its value, and so on."""
    plug_in = contributed("a metric", METRICS)
    obeys(test_metrics.LAWS, [Setting(None, plug_in())])
    assert can_be_learnt_from(plug_in)


def test_the_population_obeys(contributed: Any) -> None:
    """On its example, as every population is."""
    plug_in = contributed("a population", POPULATIONS)
    obeys(test_populations.LAWS, [POPULATIONS.parse(example) for example in plug_in.examples])


def test_they_answer(contributed: Any) -> None:
    """Named like any other, in a comparison of numbers, of counts, and in a plan."""
    for heading, registry in (("a test", TESTS), ("an interval", INTERVALS), ("an effect size", EFFECTS)):
        contributed(heading, registry)
    rng = np.random.default_rng(0)
    scores = tellapart.Scores.from_arrays({"a": rng.random(80), "b": rng.random(80) + 0.1})
    answer = tellapart.compare(scores, test="paired_z(alternative=greater)", interval="paired_z")
    assert answer.pvalue is not None
    assert answer.pvalue < 0.05 < answer.interval.high
    contributed("a metric", METRICS)
    counts = {name: rng.integers(0, 5, size=(80, 1, 2)).astype(float) for name in ("a", "b")}
    found = tellapart.compare(tellapart.Scores.from_arrays(counts, parts=("tp", "fn")), metric="miss_rate")
    expected = [counts[name][..., 1].sum() / counts[name].sum() for name in ("a", "b")]
    assert found.effect == pytest.approx(expected[1] - expected[0])
    contributed("a population", POPULATIONS)
    plan = tellapart.plan("steady(sd=0.2, apart=0.1, effect=0.02)", power=0.8)
    known = tellapart.plan("gaussian(sd=0.0707106781, correlation=0, effect=0.02)", power=0.8)
    # The one is simulated, the other has a formula.
    assert plan.rows[0].items == pytest.approx(known.rows[0].items, rel=0.05, abs=0.0)
