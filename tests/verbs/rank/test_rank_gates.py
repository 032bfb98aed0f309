"""Every system beside a baseline: what is shown of it, adjusted over the systems, and the gates that read it."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare, rank
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.parts import codes
from tellapart.foundation.errors import GateFailed, UsageError

LOSSES = {"even": 0.0, "slightly": -0.1, "far": -0.6, "ahead": 0.6}


def board(seed: int = 0, items: int = 150, losses: dict[str, float] | None = None) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=items)
    return {"base": base} | {
        name: base + loss + rng.normal(0.0, 0.5, items) for name, loss in (losses or LOSSES).items()
    }


def beside(values: dict[str, Any], **options: Any) -> Leaderboard:
    return rank(Scores.from_arrays(values), **{"baseline": "base", "resamples": 999, **options})


def holm(pvalues: list[float]) -> list[float]:
    """Written out: each p-value times those not smaller, never falling."""
    order = sorted(range(len(pvalues)), key=lambda i: pvalues[i])
    found, worst = [0.0] * len(pvalues), 0.0
    for place, i in enumerate(order):
        worst = max(worst, min(1.0, (len(pvalues) - place) * pvalues[i]))
        found[i] = worst
    return found


def test_margin_claims_are_shifted_tests_adjusted_over_systems() -> None:
    """Student's t moved to either margin, by scipy, and Holm's correction; equivalence is adjusted as a claim of its own."""
    values, margin = board(), 0.15
    answer = beside(values, margin=margin)
    differences = [np.asarray(values[p.b]) - values["base"] for p in answer.pairs]
    over = [float(stats.ttest_1samp(d, -margin, alternative="greater").pvalue) for d in differences]
    under = [float(stats.ttest_1samp(d, margin, alternative="less").pvalue) for d in differences]
    both = [max(pair) for pair in zip(over, under, strict=True)]
    for name, expected in (("not_worse", over), ("not_better", under), ("equivalent", both)):
        found = [getattr(p.shown, name).pvalue for p in answer.pairs]
        assert found == pytest.approx(holm(expected), rel=1e-9, abs=0.0)
    assert "margin_claims" in codes(answer.notes)


def test_better_and_worse_are_the_adjusted_pvalues() -> None:
    """On the side that the difference points to; turned round where lower is better."""
    answer, turned = beside(board()), beside(board(), lower_is_better=True)
    for one, other in zip(answer.pairs, sorted(turned.pairs, key=lambda p: -p.effect), strict=True):
        assert one.shown is not None
        assert other.shown is not None
        assert one.shown.better == other.shown.worse
        assert one.shown.not_worse is None
        good = one.shown.better if one.effect > 0.0 else one.shown.worse
        assert good is not None
        assert good.pvalue == one.adjusted_pvalue
    assert {p.b: p.verdict for p in answer.pairs}["ahead"] == "b better"
    assert {p.b: p.verdict for p in turned.pairs}["ahead"] == "a better"


def test_verdicts_and_counts_with_a_margin() -> None:
    """The strongest claim that holds is the verdict, and the separation counts what is within the margin."""
    answer = beside(board(), margin=0.25)
    verdicts = {p.b: p.verdict for p in answer.pairs}
    assert verdicts == {
        "ahead": "b better",
        "even": "equivalent",
        "slightly": "equivalent",
        "far": "a better",
    }
    assert (answer.separation.not_worse, answer.separation.equivalent) == (3, 2)
    assert beside(board()).separation.not_worse is None


def test_lower_is_better_turns_the_margin() -> None:
    """Not worse is then: not above the baseline by more than the margin."""
    up, down = beside(board(), margin=0.2), beside(board(), margin=0.2, lower_is_better=True)
    by_name = {p.b: p.shown for p in down.pairs}
    for pair in up.pairs:
        assert pair.shown is not None
        turned = by_name[pair.b]
        assert turned is not None
        assert (pair.shown.not_worse, pair.shown.not_better) == (turned.not_better, turned.not_worse)


@pytest.mark.parametrize("correction", ["none", "bonferroni", "bh"])
def test_a_named_correction_judges_the_margin_too(correction: str) -> None:
    """Single p-values are taken by the correction that was named; uncorrected they are compare's own."""
    values = board(1)
    answer = beside(values, margin=0.15, correction=correction)
    alone = [compare(Scores.from_arrays(values), a="base", b=p.b, margin=0.15).shown.not_worse for p in answer.pairs]
    raw = [claim.pvalue for claim in alone if claim is not None]
    found = [p.shown.not_worse.pvalue for p in answer.pairs if p.shown and p.shown.not_worse]
    if correction == "none":
        assert found == raw
    else:
        assert all(f >= r for f, r in zip(found, raw, strict=True))
        if correction == "bonferroni":
            assert found == [min(1.0, 4 * r) for r in raw]


def test_one_other_system_is_judged_as_compare_does() -> None:
    """Margin and all."""
    values = {name: row for name, row in board().items() if name in {"base", "slightly"}}
    (pair,) = beside(values, margin=0.2).pairs
    alone = compare(Scores.from_arrays(values), a="base", b="slightly", margin=0.2)
    assert (pair.shown, pair.verdict) == (alone.shown, alone.verdict)


def test_false_margin_claims_are_rare_on_whole_boards() -> None:
    """Four systems exactly at the margin, two on each side: at most about 5 in 100 boards claim any of them within it."""
    edges = {"low1": -0.2, "low2": -0.2, "high1": 0.2, "high2": 0.2}
    boards, false = 400, {"not_worse": 0, "equivalent": 0}
    for seed in range(boards):
        answer = beside(board(seed, 60, edges), margin=0.2, resamples=99)
        shown = {p.b: p.shown for p in answer.pairs}
        false["not_worse"] += any(s is not None and s.holds("not_worse") for n, s in shown.items() if "low" in n)
        false["equivalent"] += any(s is not None and s.holds("equivalent") for s in shown.values())
    # Three standard errors of a share of 5 % of 400.
    assert all(count <= 33 for count in false.values()), false
    assert false["not_worse"] > 3


GATES: list[tuple[tuple[Any, ...], tuple[Any, ...], dict[str, float], bool]] = [
    (("better",), (), {"ahead": 0.6, "too": 0.5}, True),
    (("better",), (), {"ahead": 0.6, "even": 0.0}, False),
    (("not-worse",), (), {"even": 0.0, "ahead": 0.6}, True),
    (("not-worse",), (), {"even": 0.0, "far": -0.6}, False),
    (("equivalent",), (), {"even": 0.0, "slightly": -0.1}, True),
    (("equivalent",), (), {"even": 0.0, "ahead": 0.6}, False),
    ((), ("worse",), {"even": 0.0, "far": -0.6}, False),
    ((), ("worse",), {"even": 0.0, "slightly": -0.1}, True),
    ((), ("not-better",), {"ahead": 0.6, "even": 0.0}, False),
    ((), ("undetermined",), {"ahead": 0.6, "far": -0.6}, True),
    (("not-worse",), ("worse",), {"even": 0.0, "far": -0.6}, False),
]


@pytest.mark.parametrize(("required", "failing", "losses", "passes"), GATES)
def test_gates(required: tuple[Any, ...], failing: tuple[Any, ...], losses: dict[str, float], *, passes: bool) -> None:
    """A requirement is one of every system other than the baseline, a failure is one of any."""
    answer = beside(board(losses=losses), margin=0.25)
    if passes:
        answer.require(*required, fail_on=failing)
        return
    with pytest.raises(GateFailed) as failed:
        answer.require(*required, fail_on=failing)
    assert "\n" not in str(failed.value)
    worst = min(losses, key=lambda name: losses[name])
    assert ("far" in losses) <= (f"{worst} worse" in str(failed.value))


def test_a_failed_gate_names_five_systems_and_counts_the_rest() -> None:
    """However many fail, it is one line."""
    answer = beside(board(losses={f"s{i}": -0.8 for i in range(8)}))
    with pytest.raises(GateFailed) as failed:
        answer.require("better")
    assert str(failed.value).count("worse, effect") == 5
    assert "and 3 more systems" in str(failed.value)


def test_gates_that_cannot_be_asked() -> None:
    """Without a baseline, without a margin that a claim needs, and a margin without a baseline or on different scales."""
    plain = rank(Scores.from_arrays(board()), resamples=99)
    with pytest.raises(UsageError, match="baseline"):
        plain.require("better")
    with pytest.raises(UsageError, match="margin"):
        beside(board()).require("not-worse")
    with pytest.raises(UsageError, match="baseline"):
        rank(Scores.from_arrays(board()), margin=0.1)
    homes = ["shares", "stars"] * 75
    scaled = {name: row * np.tile([1.0, 40.0], 75) for name, row in board().items()}
    with pytest.raises(UsageError, match="different scales"):
        rank(Scores.from_arrays(scaled, datasets=homes), baseline="base", margin=0.1)


def test_claims_never_contradict_each_other() -> None:
    """Equivalent is never shown without not worse and not better."""
    for seed, margin in ((s, m) for s in range(10) for m in (0.05, 0.15, 0.3)):
        for pair in beside(board(seed, 60), margin=margin, resamples=99).pairs:
            assert pair.shown is not None
            order = [pair.shown.not_worse, pair.shown.equivalent, pair.shown.not_better]
            pvalues = [claim.pvalue for claim in order if claim is not None]
            assert pvalues[1] >= max(pvalues[0], pvalues[2])
