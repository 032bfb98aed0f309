"""Which tests a gate takes, which side it reads of them, and the line that says why it failed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, plan
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import GateFailed, UsageError
from tellapart.verbs.gate import GateQuestion, gated


def losing(items: int = 30) -> Scores:
    rng = np.random.default_rng(4)
    a = rng.normal(size=items)
    return Scores.from_arrays({"base": a, "bad": a - 3.0 + rng.normal(0.0, 0.2, items)})


def winning_often_and_losing_much() -> Scores:
    a = np.random.default_rng(5).normal(size=60).round(3)
    return Scores.from_arrays({"old": a, "new": a + np.repeat([0.01, -1.0], [48, 12])})


@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize("test", ["paired_t", "permutation", "both"])
@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_test_of_one_side_is_refused(test: str, side: str, lower_is_better: bool) -> None:
    """With `greater` any loss was let through; with `less` a one-sided p-value was held against twice alpha."""
    asked = GateQuestion(margin=0.5, test=f"{test}(alternative={side})", lower_is_better=lower_is_better)
    with pytest.raises(UsageError, match="tests one") as refused:
        gated(losing(), asked)
    meant = str(refused.value).rpartition("test='")[2].rstrip("'")
    assert gated(losing(), GateQuestion(margin=0.5, test=meant)).verdict == "fail"


def test_tests_of_a_margin_are_of_both_sides() -> None:
    asked = GateQuestion(margin=0.5, test="non_inferiority(test=paired_t)")
    assert gated(losing(), asked).verdict == "fail"


@pytest.fixture
def one_sided(tmp_path: Path) -> str:
    """A plan of 27 items whose test looks at one side."""
    file = str(tmp_path / "plan.json")
    population = "gaussian(sd=1, correlation=0.5, effect=0.5)"
    plan(population, items=27, test="paired_t(alternative=greater)", margin=0.5, save=file)
    return file


def test_a_plan_of_one_side_is_refused_with_a_way_out(one_sided: str) -> None:
    asked = GateQuestion(plan=one_sided).as_planned(["plan"])
    with pytest.raises(UsageError, match=r"The plan has it.*test='paired_t'.*deviation"):
        gated(losing(), asked)
    instead = gated(losing(), GateQuestion(plan=one_sided, test="paired_t").as_planned(["plan", "test"]))
    assert instead.verdict == "fail"
    assert instead.plan is not None
    assert "test" in [one.what for one in instead.plan.deviations]


def test_compare_by_a_plan_of_one_side_advises_what_can_be_done(one_sided: str) -> None:
    answer = compare(losing(), plan=one_sided)
    with pytest.raises(UsageError, match="beside the plan"):
        answer.require(fail_on="worse")
    with pytest.raises(UsageError, match="Leave its alternative out"):
        compare(losing(), test="paired_t(alternative=greater)").require(fail_on="worse")
    named = compare(losing(), plan=one_sided, test="permutation(alternative=greater)")
    with pytest.raises(UsageError, match="Leave its alternative out"):
        named.require(fail_on="worse")


def test_a_candidate_that_the_test_finds_better_does_not_fail() -> None:
    """It wins 48 of 60 items by little: the p-value of that was taken for one of a loss."""
    scores = winning_often_and_losing_much()
    answer = gated(scores, GateQuestion(margin=0.05, test="sign"))
    compared = compare(scores, margin=0.05, test="sign")
    assert compared.verdict == "b better"
    assert answer.verdict == "undetermined"
    assert answer.checks[0].pvalue == compared.pvalue


def failure(answer: Any, *rules: str, **gates: Any) -> str:
    with pytest.raises(GateFailed) as failed:
        answer.require(*rules, **gates)
    return str(failed.value)


def test_a_failed_gate_says_rule_verdict_effect_and_exit_code() -> None:
    answer = add_text(gated(losing(), GateQuestion(margin=0.5)))
    effect = f"−{-answer.effect:.3g}"
    said = "gate failed: fail_on='worse'; fail: bad is worse than base; effect " + effect + "; exit code 1"
    assert failure(answer) == said
    turned = add_text(gated(losing(), GateQuestion(margin=0.5, lower_is_better=True)))
    assert turned.verdict == "pass"


def test_all_rules_that_are_broken_are_named(one_sided: str) -> None:
    answer = compare(losing(), plan=one_sided, alpha=0.1)
    said = failure(answer, "not-worse", fail_on=("deviation",))
    assert said.startswith("gate failed: require='not-worse', fail_on='deviation'; verdict: b not better; ")
    assert "not as planned: alpha: planned 0.05, found 0.1; exit code 1" in said
    kept = add_text(gated(losing(), GateQuestion(plan=one_sided, test="paired_t").as_planned(["plan", "test"])))
    both = failure(kept, fail_on=("deviation",))
    assert both.startswith("gate failed: fail_on='worse', fail_on='deviation'; fail: bad is worse than base; ")
    assert "not as planned: test: planned paired_t(alternative=greater), found paired_t" in both
