"""What a comparison shows, and the gates that read it."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Comparison, Scores, compare, rank
from tellapart.foundation.decision import ClaimResult
from tellapart.foundation.errors import GateFailed, UsageError

N = 200


def scores(effect: float, seed: int = 0, sd: float = 0.1) -> Scores:
    """Continuous differences of which the mean is exactly the effect."""
    rng = np.random.default_rng(seed)
    a, d = rng.random(N), rng.normal(size=N)
    d = (d - d.mean()) / d.std(ddof=1) * sd + effect
    return Scores.from_arrays({"a": a, "b": a + d})


def right_or_wrong(wins: int, losses: int, items: int = 400, high: float = 1.0, low: float = 0.0) -> Scores:
    a = np.full(items, low)
    b = a.copy()
    a[:losses], b[losses : losses + wins] = high, high
    return Scores.from_arrays({"a": a, "b": b})


CASES: list[tuple[float, str]] = [
    (0.05, "b better"),
    (-0.05, "a better"),
    (0.0, "equivalent"),
    (0.0125, "b not worse"),
    (-0.0125, "b not better"),
]


@pytest.mark.parametrize(("effect", "said"), CASES)
@pytest.mark.parametrize("lower_is_better", [False, True])
def test_five_verdicts(effect: float, said: str, lower_is_better: bool) -> None:
    """Non-inferiority that is shown and a disaster are no longer the same; lower is better mirrors all of it."""
    answer = compare(scores(-effect if lower_is_better else effect), margin=0.02, lower_is_better=lower_is_better)
    assert answer.verdict == said


@pytest.mark.parametrize("effect", [0.05, 0.012, 0.0, -0.012, -0.05])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_every_claim_has_its_own_pvalue(effect: float, alpha: float) -> None:
    """The p-values are those of one-sided t tests at the margin, and a claim holds where p is at most alpha."""
    given = scores(effect)
    d = (given.values[1] - given.values[0])[:, 0, 0]
    answer = compare(given, margin=0.02, alpha=alpha)
    two_sided = stats.ttest_1samp(d, 0.0).pvalue
    above = stats.ttest_1samp(d, -0.02, alternative="greater").pvalue
    below = stats.ttest_1samp(d, 0.02, alternative="less").pvalue
    expected = {
        "better": two_sided if effect > 0.0 else 1.0,
        "worse": two_sided if effect < 0.0 else 1.0,
        "not_worse": above,
        "not_better": below,
        "equivalent": max(above, below),
    }
    for name, pvalue in expected.items():
        found: ClaimResult = getattr(answer.shown, name)
        if d.mean() != 0.0 or name not in {"better", "worse"}:
            assert found.pvalue == pytest.approx(pvalue, rel=1e-6, abs=0.0)
        assert found.holds == (found.pvalue <= alpha)


def test_without_a_margin_margins_are_not_asked_about() -> None:
    shown = compare(scores(0.05)).shown
    assert (shown.not_worse, shown.not_better, shown.equivalent) == (None, None, None)
    assert compare(scores(0.05)).to_dict()["shown"]["not_worse"] is None


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_one_sided_test_shows_its_own_side_only(alternative: str, lower_is_better: bool) -> None:
    answer = compare(scores(0.05), test=f"paired_t(alternative={alternative})", lower_is_better=lower_is_better)
    own, other = ("better", "worse") if (alternative == "greater") != lower_is_better else ("worse", "better")
    assert getattr(answer.shown, own) == ClaimResult(answer.pvalue <= 0.05, answer.pvalue)
    assert getattr(answer.shown, other) is None


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_gate_on_the_side_that_a_one_sided_test_does_not_look_at_is_refused(*, lower_is_better: bool) -> None:
    """It passed, or failed, whatever the scores were: B three standard errors worse let `--fail-on worse` pass."""
    for_better, for_worse = ("less", "greater") if lower_is_better else ("greater", "less")
    up, down = (
        compare(scores(0.05), test=f"paired_t(alternative={side})", lower_is_better=lower_is_better)
        for side in (for_better, for_worse)
    )
    with pytest.raises(UsageError, match="cannot show"):
        up.require(fail_on="worse")
    with pytest.raises(UsageError, match="cannot show"):
        down.require("better")
    with pytest.raises(UsageError, match="cannot show"):
        down.require(fail_on="not-better")
    assert up.shown.worse is None
    assert down.shown.better is None


def test_a_margin_fills_a_margin_test_that_has_none() -> None:
    """`non_inferiority` with --margin is `non_inferiority(margin=…)`; with neither it says what to give."""
    given = scores(0.0)
    assert (
        compare(given, test="non_inferiority", margin=0.03).pvalue
        == compare(given, test="non_inferiority(margin=0.03)").pvalue
    )
    with pytest.raises(UsageError, match=r"needs a margin.*margin=…"):
        compare(given, test="equivalence")


@pytest.mark.parametrize(("wins", "losses"), [(30, 18), (20, 20), (5, 31)])
def test_right_or_wrong_margins_go_by_tango(wins: int, losses: int) -> None:
    """Nothing named: the p-value of a margin claim is the alpha at which Tango's one-sided bound touches the margin."""
    answer = compare(right_or_wrong(wins, losses), margin=0.05)
    assert answer.shown.not_worse is not None
    for step, inside in ((-1e-6, False), (1e-6, True)):
        alpha = answer.shown.not_worse.pvalue + step
        if 1e-6 < alpha < 0.25:
            assert (compare(right_or_wrong(wins, losses), alpha=2 * alpha).interval.low > -0.05) == inside


def test_an_interval_without_a_test_is_searched() -> None:
    """Newcombe's interval has no test of its own: the alpha at which its bound touches the margin is found by halves."""
    given = right_or_wrong(30, 18)
    found = compare(given, margin=0.05, interval="newcombe").shown.not_worse
    assert found is not None
    touching = compare(given, alpha=2 * found.pvalue, interval="newcombe").interval.low
    assert touching == pytest.approx(-0.05, abs=1e-6)


GATES: list[tuple[float, dict[str, Any], str]] = [
    (0.05, {"required": ("better",)}, ""),
    (0.05, {"required": ("better", "not-worse")}, ""),
    (0.0, {"required": ("better",)}, "better"),
    (0.0, {"required": ("not-worse", "equivalent")}, ""),
    (-0.05, {"required": ("not-worse",)}, "not-worse"),
    (-0.05, {"fail_on": ("worse",)}, "worse"),
    (-0.0145, {"fail_on": ("worse",)}, "worse"),
    (0.0, {"fail_on": ("not-better",)}, "not-better"),
    (0.0, {"fail_on": ("undetermined",)}, ""),
    (0.05, {"required": ("better", "equivalent"), "fail_on": ("worse",)}, "equivalent"),
]


def pass_through(answer: Comparison, required: tuple[Any, ...] = (), fail_on: tuple[Any, ...] = ()) -> None:
    answer.require(*required, fail_on=fail_on)


@pytest.mark.parametrize(("effect", "gate", "broken"), GATES)
def test_gates(effect: float, gate: dict[str, Any], broken: str) -> None:
    """All of several gates must hold; the message names the rule, the verdict, the effect and the exit code."""
    answer = compare(scores(effect), margin=0.02)
    if not broken:
        pass_through(answer, **gate)
        return
    with pytest.raises(GateFailed) as failure:
        pass_through(answer, **gate)
    message = failure.value.message_for("command line")
    assert failure.value.exit_code == 1
    assert all(part in message for part in (broken, answer.verdict, "exit code 1"))


def test_worse_within_the_margin_passes() -> None:
    """B is shown to be worse, and shown to be worse by less than the margin: that gate holds."""
    answer = compare(scores(-0.02), margin=0.05)
    assert answer.shown.holds("worse")
    assert answer.shown.holds("not_worse")
    answer.require("not-worse", fail_on=("worse",))


@pytest.mark.parametrize("claim", ["not-worse", "equivalent"])
def test_what_needs_a_margin_says_so(claim: Any) -> None:
    with pytest.raises(UsageError, match="needs a margin"):
        compare(scores(0.0)).require(claim)


def test_one_rule_may_be_given_alone() -> None:
    """A string is that rule, and not its letters, of which none would ever be broken."""
    with pytest.raises(GateFailed):
        compare(scores(-0.05)).require(fail_on="worse")
    compare(scores(0.05)).require(fail_on="worse")


@pytest.mark.parametrize("gate", [{"required": ("bettr",)}, {"fail_on": ("wrose",)}, {"fail_on": "wrose"}])
def test_a_rule_that_is_misspelled_is_refused(gate: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="did you mean"):
        pass_through(compare(scores(0.05)), **gate)
    with pytest.raises(UsageError, match="did you mean"):
        pass_through(rank({"a": [0.1, 0.4, 0.3], "b": [0.2, 0.3, 0.5]}, baseline="a"), **gate)  # type: ignore[arg-type]  # boards have gates too


@pytest.mark.parametrize("gate", ["require", "fail_on"])
@pytest.mark.parametrize("ask", [compare, rank])
def test_gates_are_asked_of_the_answer(ask: Any, gate: str) -> None:
    with pytest.raises(TypeError, match=r"ask its answer: \.require\("):
        ask({"a": [0.1, 0.4, 0.3], "b": [0.2, 0.3, 0.5]}, **{gate: "better"})
