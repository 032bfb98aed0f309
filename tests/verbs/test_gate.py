"""Gates: what passes, what fails, what is left open, and how often."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats
from tests.readers.formats import written

from tellapart import Scores, compare, gate
from tellapart.answers.gate import Gate, GateFailure
from tellapart.answers.page import page_of
from tellapart.answers.parts import codes
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import (
    DataError,
    GateFailed,
    ItemMismatch,
    ReadError,
    TooFew,
    UnknownSystem,
    UsageError,
)
from tellapart.metrics import Metric
from tellapart.verbs.gate import GateQuestion, gated
from tellapart.verbs.gate.checks import Judgement

Drawn = dict[str, Any]
Array = NDArray[np.float64]


def right_or_wrong(rng: np.random.Generator, items: int, loss: float) -> Drawn:
    """A tenth of the items differ, and B loses `loss` more of them than it wins."""
    only_a, only_b = 0.05 + loss / 2.0, 0.05 - loss / 2.0
    kind = rng.random(items)
    both = (rng.random(items) < 0.7).astype(float)
    a = np.where(kind < only_a, 1.0, np.where(kind < only_a + only_b, 0.0, both))
    b = np.where(kind < only_a, 0.0, np.where(kind < only_a + only_b, 1.0, both))
    return {"scores": {"a": a, "b": b}}


def continuous(rng: np.random.Generator, items: int, loss: float) -> Drawn:
    a = rng.normal(0.5, 0.2, items)
    return {"scores": {"a": a, "b": a - loss + rng.normal(0.0, 0.1, items)}}


def leaning_to_losses(rng: np.random.Generator, items: int, loss: float) -> Drawn:
    a = rng.normal(0.5, 0.2, items)
    return {"scores": {"a": a, "b": a - loss + 0.1 * (1.0 - rng.exponential(1.0, items))}}


def in_clusters(rng: np.random.Generator, items: int, loss: float) -> Drawn:
    cluster = np.repeat(np.arange(items // 5), 5)
    shared = rng.normal(0.0, 0.08, items // 5)[cluster]
    a = rng.normal(0.5, 0.2, items)
    return {
        "scores": {"a": a, "b": a - loss + shared + rng.normal(0.0, 0.05, items)},
        "clusters": cluster.tolist(),
    }


def repeated(rng: np.random.Generator, items: int, loss: float) -> Drawn:
    """Three runs of each item, right or wrong, with a chance of its own per item."""
    chance = rng.uniform(0.2, 0.9, items)[:, np.newaxis]
    a, b = rng.random((items, 3)) < chance, rng.random((items, 3)) < chance - loss
    return {"scores": {"a": a.astype(float), "b": b.astype(float)}}


def shares(draw: Any, items: int, loss: float, margin: float, replicates: int) -> dict[str, float]:
    """How often each verdict is reached."""
    rng = np.random.default_rng(20261115)
    asked, found = GateQuestion(margin=margin).comparing(("a", "b")), []
    for _ in range(replicates):
        drawn = draw(rng, items, loss)
        scores = Scores.from_arrays(drawn.pop("scores"), **drawn)
        found.append(Judgement.of(scores, Metric.parse("mean"), asked).check(None).verdict)
    return {verdict: found.count(verdict) / replicates for verdict in ("pass", "fail", "undetermined")}


@pytest.mark.parametrize(
    ("draw", "items", "replicates"),
    [
        (right_or_wrong, 300, 250),
        (continuous, 100, 600),
        (in_clusters, 250, 150),
        (repeated, 120, 60),
        (leaning_to_losses, 80, 40),
    ],
)
def test_a_loss_of_the_margin_hardly_ever_passes(draw: Any, items: int, replicates: int) -> None:
    band = 0.05 + stats.norm.ppf(0.999) * math.sqrt(0.05 * 0.95 / replicates)
    assert shares(draw, items, 0.04, 0.04, replicates)["pass"] <= band


def test_equal_systems_pass_as_often_as_planned() -> None:
    """Students' t: the planned number of items for 80 % power, by the formula of two normal tails."""
    items = math.ceil(0.01 * ((stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) / 0.02) ** 2)
    found = shares(continuous, items, 0.0, 0.02, 800)
    assert found["pass"] == pytest.approx(0.8, abs=0.06)
    assert found["fail"] <= 0.08


def test_the_needed_items_let_equal_systems_pass() -> None:
    drawn = continuous(np.random.default_rng(3), 60, 0.01)
    answer = gated(Scores.from_arrays(drawn["scores"]), GateQuestion(margin=0.02))
    assert answer.verdict == "undetermined"
    assert answer.needed_items is not None
    spread = answer.comparison.sd_difference
    assert spread is not None
    by_normal = (spread * (stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) / 0.02) ** 2
    assert answer.needed_items == pytest.approx(by_normal, rel=0.03, abs=0.0)


def differences(effect: float, items: int = 400) -> Scores:
    rng = np.random.default_rng(7)
    a = rng.normal(0.5, 0.2, items)
    noise = rng.normal(0.0, 0.1, items)
    return Scores.from_arrays({"old": a, "new": a + effect + noise - noise.mean()})


@pytest.mark.parametrize(
    ("effect", "verdict"), [(0.0, "pass"), (-0.005, "undetermined"), (-0.05, "fail"), (0.05, "pass")]
)
def test_verdicts(effect: float, verdict: str) -> None:
    scores = differences(effect)
    answer = gated(scores, GateQuestion(margin=0.012))
    compared = compare(scores, margin=0.012, alpha=0.1)
    assert answer.verdict == verdict
    assert (answer.low, answer.high) == pytest.approx((compared.interval.low, compared.interval.high))
    assert answer.level == 0.95
    assert answer.comparison.pvalue == compare(scores).pvalue
    a, b = scores.values[:, :, 0, 0]
    bound = stats.ttest_rel(b, a).confidence_interval(0.9)
    assert (answer.low, answer.high) == pytest.approx((bound.low, bound.high))
    assert (answer.checks[0].not_worse_pvalue <= 0.05) == (verdict == "pass")


def test_a_small_loss_that_is_shown_but_within_the_margin_passes() -> None:
    answer = gated(differences(-0.02), GateQuestion(margin=0.05))
    assert answer.comparison.verdict == "a better"
    assert answer.verdict == "pass"


def test_lower_is_better_counts_towards_better() -> None:
    scores = differences(-0.05)
    up, down = (gated(scores, GateQuestion(margin=0.02, lower_is_better=lower)) for lower in (False, True))
    assert (up.verdict, down.verdict) == ("fail", "pass")
    assert (down.low, down.effect, down.high) == pytest.approx((-up.high, -up.effect, -up.low))
    assert down.comparison.effect == up.comparison.effect


def test_requirements() -> None:
    fails, open_, passes = (gated(differences(effect), GateQuestion(margin=0.012)) for effect in (-0.05, -0.005, 0.0))
    passes.require(("undetermined",))
    open_.require()
    refused: list[tuple[Gate, tuple[GateFailure, ...]]] = [
        (fails, ("worse",)),
        (open_, ("undetermined",)),
        (fails, ()),
    ]
    for answer, rules in refused:
        with pytest.raises(GateFailed):
            answer.require(rules)


def frame(scores: dict[str, Any]) -> Any:
    return pl.DataFrame(scores)


def test_sides_may_call_their_systems_alike() -> None:
    items = [f"q{i}" for i in range(50)]
    old = frame({"system": ["m"] * 50, "item": items, "score": [0.5] * 25 + [0.6] * 25})
    new = frame({"system": ["m"] * 50, "item": items[::-1], "score": [0.61] * 25 + [0.49, 0.51] * 12 + [0.5]})
    answer = gate(old, new, margin=0.5)
    assert (answer.baseline, answer.candidate) == ("m (baseline)", "m (candidate)")
    assert answer.verdict == "pass"
    assert answer.effect == pytest.approx(0.005, abs=0.002)


def test_several_systems_on_a_side_are_asked_for() -> None:
    items = [f"q{i}" for i in range(30)]
    rng = np.random.default_rng(1)
    both = frame({"item": items, "x": rng.random(30), "y": rng.random(30)})
    one = frame({"system": ["x"] * 30, "item": items, "score": rng.random(30)})
    with pytest.raises(DataError, match=r"'x', 'y'.* If they are systems, name one"):
        gate(both, one, margin=0.1)
    long = frame({"system": ["x", "y"] * 15, "item": items, "score": rng.random(30)})
    with pytest.raises(UsageError, match="baseline holds 2 systems"):
        gate(long, one, margin=0.1)
    with pytest.raises(UnknownSystem, match="baseline"):
        gate(both, one, margin=0.1, a="z")
    assert gate(both, one, margin=0.9, a="y").baseline == "y"


def test_items_that_vanished_are_refused_and_new_ones_left_out() -> None:
    rng = np.random.default_rng(2)
    items = [f"q{i}" for i in range(40)]
    whole = frame({"item": items, "score": rng.random(40)})
    part = frame({"item": items[:30], "score": rng.random(30)})
    with pytest.raises(ItemMismatch, match=r"lacks 10 of the 40 items"):
        gate(whole, part, margin=0.1)
    assert gate(whole, part, margin=0.1, missing="drop").items == 30
    answer = gate(part, whole, margin=0.1)
    assert answer.items == 30
    assert [(note.code, note.values) for note in answer.notes] == [("new_items_left_out", {"items": 10})]


def datasets(effects: dict[str, float]) -> Scores:
    rng = np.random.default_rng(11)
    a = rng.normal(0.5, 0.2, 100 * len(effects))
    home = [name for name in effects for _ in range(100)]
    noise = rng.normal(0.0, 0.1, (len(effects), 100))
    steps = np.repeat(list(effects.values()), 100) + (noise - noise.mean(axis=1, keepdims=True)).ravel()
    return Scores.from_arrays({"old": a, "new": a + steps}, datasets=home)


def test_each_dataset_must_pass() -> None:
    answer = gated(datasets({"x": 0.0, "y": 0.01, "z": -0.08}), GateQuestion(margin=0.03, each="dataset"))
    assert [check.verdict for check in answer.checks] == ["pass", "pass", "fail"]
    assert answer.verdict == "fail"
    raw = [check.pvalue for check in answer.checks]
    order = np.argsort(raw)
    holm = np.maximum.accumulate(np.sort(raw) * [3, 2, 1]).clip(max=1.0)
    assert [answer.checks[i].adjusted_pvalue for i in order] == pytest.approx(holm.tolist())
    assert answer.checks[2].dataset == "z"


def test_a_failure_among_many_datasets_needs_more() -> None:
    """Just worse by itself, and not among six: left open."""
    effects = dict.fromkeys("uvwxy", 0.0) | {"z": -0.021}
    each = gated(datasets(effects), GateQuestion(margin=0.02, each="dataset"))
    z = each.checks[-1]
    assert z.pvalue <= 0.1 < z.adjusted_pvalue
    assert z.verdict == "undetermined"
    assert gated(datasets(effects).within("z"), GateQuestion(margin=0.02)).verdict == "fail"


def test_each_needs_datasets() -> None:
    with pytest.raises(DataError, match="no item has a dataset"):
        gated(differences(0.0), GateQuestion(margin=0.02, each="dataset"))


@pytest.mark.parametrize("margin", [None, 0.0, -0.1, math.nan])
def test_no_margin_no_pass(margin: float | None) -> None:
    with pytest.raises(UsageError):
        gated(differences(0.0), GateQuestion(margin=margin))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_skewed_losses_pass_no_more_often_than_promised(sign: float) -> None:
    """A candidate that is worse by just the margin, with gains or losses that are skewed: by Student's t alone one in six would pass."""
    passed = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        a = rng.normal(0.5, 0.2, 40)
        b = a - 0.02 + sign * 0.1 * (rng.exponential(1.0, 40) - 1.0)
        answer = gated(Scores.from_arrays({"a": a, "b": b}), GateQuestion(margin=0.02))
        passed += answer.verdict == "pass"
    assert passed <= 0.09 * 300


def test_a_system_that_both_call_alike_may_be_named() -> None:
    rng = np.random.default_rng(1)
    items = [f"q{i}" for i in range(30)]
    old, new = (frame({"item": items, "m": rng.random(30), "k": rng.random(30)}) for _ in range(2))
    answer = gate(old, new, margin=0.9, a="m", b="m")
    assert (answer.baseline, answer.candidate) == ("m (baseline)", "m (candidate)")
    assert answer.effect == pytest.approx(new["m"].mean() - old["m"].mean())


def test_two_systems_of_one_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    both = frame({"item": [f"q{i}" for i in range(30)], "x": rng.random(30), "y": rng.random(30)})
    file = tmp_path / "both.csv"
    both.write_csv(file)
    answer = gate(file, file, margin=0.9, a="y", b="x")
    assert (answer.baseline, answer.candidate) == ("y", "x")
    alike: list[Any] = [{}, {"a": "x"}, {"a": "x", "b": "x"}]
    for named in alike:
        with pytest.raises(ReadError, match="twice"):
            gate(file, file, margin=0.9, **named)


@pytest.mark.parametrize("option", [{"where": {"filter": "strict"}}, {"where": "filter=strict"}])
def test_a_selection_that_is_not_made_is_refused(option: Any) -> None:
    one = frame({"item": ["a", "b"], "score": [0.1, 0.2], "filter": ["strict", "loose"]})
    with pytest.raises(UsageError, match="where"):
        gate(one, one, margin=0.1, **option)


def test_a_rule_that_is_misspelled_is_refused() -> None:
    answer = gated(differences(0.0), GateQuestion(margin=0.012))
    rules: Any = ("undeterminded",)
    with pytest.raises(UsageError, match="undetermined"):
        answer.require(rules)


def test_each_open_dataset_says_what_would_settle_it() -> None:
    """It needs more items than it has, however many all datasets have together."""
    scores = datasets({"x": 0.01, "y": -0.005})
    answer = gated(scores, GateQuestion(margin=0.02, each="dataset"))
    x, y = answer.checks
    assert (x.verdict, y.verdict) == ("pass", "undetermined")
    assert (x.needed_items, answer.needed_items) == (None, None)
    assert y.needed_items == gated(scores.within("y"), GateQuestion(margin=0.02)).needed_items
    assert y.needed_items is not None
    assert y.items < y.needed_items < answer.items
    assert any(f"{y.needed_items} items of y" in step for step in page_of(add_text(answer)).next_steps)


def test_a_dataset_that_cannot_be_judged_is_named() -> None:
    scores = datasets({"x": 0.0, "y": 0.0})
    lonely = np.array([home == "x" or int(name) == 100 for home, name in scores.items])
    with pytest.raises(TooFew, match="dataset 'y'"):
        gated(scores.only(lonely), GateQuestion(margin=0.04, each="dataset"))


def test_pooled_datasets_are_told_of_where_they_are_not_gated_alone() -> None:
    scores = datasets({"x": 0.0, "y": 0.0})
    pooled, each = (gated(scores, GateQuestion(margin=0.04, each=each)) for each in (None, "dataset"))
    assert [(note.code, note.values) for note in pooled.notes] == [("datasets_pooled", {"datasets": 2})]
    assert "datasets_pooled" not in codes(each.notes)


def test_another_filter_is_no_candidate(tmp_path: Path) -> None:
    """A score by what was extracted loosely says nothing of one by a strict match."""
    files: dict[str, Path] = {}
    for name in ("strict-match", "flexible-extract"):
        scores: dict[str, float | None] = {f"q-{i}": float(i % 2) for i in range(30)}
        log = written.lm_eval(name, scores).replace(b'"none"', f'"{name}"'.encode())
        files[name] = tmp_path / name / f"samples_gsm8k_2026-01-01T00-00-00.{len(files)}.jsonl"
        files[name].parent.mkdir()
        files[name].write_bytes(log)
    with pytest.raises(ReadError, match="filter of the baseline is 'strict-match'"):
        gate(files["strict-match"], files["flexible-extract"], margin=0.5)


def test_failures_of_the_candidate_may_count_as_zero(tmp_path: Path) -> None:
    """A gate that lacks scores because evaluations failed says both ways on, and the second is refused by nothing."""
    files = []
    for name, failed in (("old", ()), ("new", (3, 4))):
        files.append(str(tmp_path / f"{name}.run1.json"))
        scores = {f"q-{n}": None if n in failed else float(n % 3 > 0) for n in range(30)}
        Path(files[-1]).write_bytes(written.swebench(name, scores))
    with pytest.raises(ItemMismatch) as error:
        gate(*files, margin=0.1)
    said = error.value.message_for("command line")
    assert "--missing drop" in said
    assert "--errors zero to count 2 failures as 0" in said
    assert gate(*files, margin=0.1, errors="zero").effect == pytest.approx(-1 / 30)
