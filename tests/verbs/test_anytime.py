"""Answers that hold at any moment: what they claim, in which order items are taken, and what is refused."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, gate, plan
from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import codes
from tellapart.answers.texts import add_text
from tellapart.data.rows import show_item
from tellapart.foundation.errors import DataError, GateFailed, ReadError, TellapartError, Unsuitable, UsageError
from tellapart.render import render
from tellapart.verbs.gate import GateQuestion, gated

RNG = np.random.default_rng(7)
OLD = (RNG.random(300) < 0.6).astype(float)
NEW = np.where(RNG.random(300) < 0.25, 1.0, OLD)
ITEMS = [f"q{i}" for i in range(300)]


def scores(items: int = 300) -> Scores:
    return Scores.from_arrays({"old": OLD[:items], "new": NEW[:items]}, items=ITEMS[:items])


def at_any_time(given: Scores, **options: Any) -> Comparison:
    return add_text(compare(given, "old", "new", anytime=True, **options))


def test_a_claim_holds_whenever_one_stops() -> None:
    answer = at_any_time(scores())
    assert answer.verdict == "b better"
    assert {"order_looks_sorted", "early_estimate"} <= set(codes(answer.notes))
    assert set(codes(answer.reasons)) == {"anytime"}
    found = answer.sequential
    assert found is not None
    assert (found.kind, found.about, found.items, found.benchmark_items) == (
        "anytime",
        "items like these",
        300,
        None,
    )
    assert answer.pvalue == pytest.approx(2.0 * np.exp(-(found.evidence_above or 0.0)), rel=1e-12, abs=0.0)
    assert answer.interval.low > 0.0


def test_before_that_going_on_is_allowed() -> None:
    answer = at_any_time(scores(10))
    assert answer.verdict == "undetermined"
    assert answer.to_settle == ""
    assert "--effect" not in render(answer, "text")
    assert answer.detectable is None


def saved(path: Path, **design: Any) -> str:
    """A plan with a discordance of .2, saved."""
    plan("paired_binary", discordance=0.2, effect=0.1, save=str(path), **design)
    return str(path)


def test_a_plan_tunes_half_of_the_bets(tmp_path: Path) -> None:
    """By its effect and its spread, never by these scores: an effect alone changes nothing, and is told so."""
    tuned = at_any_time(scores(), plan=saved(tmp_path / "plan.json"))
    assert (tuned.test, tuned.interval.method) == ("betting(stake=0.5)", "betting(stake=0.5)")
    assert "bets_untuned" not in codes(tuned.notes)
    usual, alone = at_any_time(scores()), at_any_time(scores(), effect=0.1)
    assert tuned.pvalue < usual.pvalue
    assert (alone.pvalue, alone.interval) == (usual.pvalue, usual.interval)
    assert "bets_untuned" in codes(alone.notes)
    assert alone.needed is None


def test_a_gate_takes_its_bets_from_a_plan_too(tmp_path: Path) -> None:
    asked = GateQuestion(a="old", b="new", margin=0.05, anytime=True)
    planned = replace(asked, plan=saved(tmp_path / "plan.json")).as_planned(["a", "b", "margin", "anytime", "plan"])
    found, usual = gated(scores(), planned), gated(scores(), asked)
    assert found.verdict == usual.verdict == "pass"
    assert found.checks[0].pvalue < usual.checks[0].pvalue


def test_a_plan_that_says_when_to_look_is_not_for_any_moment(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fixes the looks"):
        at_any_time(scores(), plan=saved(tmp_path / "plan.json", looks=3))


def test_p_and_bounds_only_tighten() -> None:
    """Evidence is never lost: later p-values are no larger, and later intervals lie inside earlier ones."""
    answers = [at_any_time(scores(n)) for n in (50, 120, 121, 200, 300)]
    for earlier, later in pairwise(answers):
        assert later.pvalue <= earlier.pvalue
        assert earlier.interval.low <= later.interval.low + 1e-12
        assert later.interval.high <= earlier.interval.high + 1e-12


def test_swapping_systems_mirrors_all() -> None:
    one = at_any_time(scores(), of=400)
    other = compare(scores(), "new", "old", anytime=True, of=400)
    assert other.pvalue == pytest.approx(one.pvalue, rel=1e-12, abs=0.0)
    mirrored = (-other.interval.high, -other.interval.low)
    assert (one.interval.low, one.interval.high) == pytest.approx(mirrored, rel=1e-9, abs=1e-12)


def test_a_benchmark_is_certain_at_its_end() -> None:
    """With all items run the interval is the difference itself, and claims are about these items alone."""
    answer = at_any_time(scores(), of=300)
    found = answer.sequential
    assert found is not None
    assert (found.certain, found.about, found.left) == (True, "benchmark", 0)
    assert (answer.interval.low, answer.interval.high) == pytest.approx((answer.effect,) * 2, rel=1e-12, abs=0.0)
    assert "claims_about_benchmark" in codes(answer.notes)
    assert not {"order_taken_as_random", "order_looks_sorted", "no_width", "early_estimate"} & set(codes(answer.notes))


def test_items_are_taken_in_the_order_of_rows() -> None:
    """Names in another order than rows change nothing; rows in another order do."""
    renamed = Scores.from_arrays({"old": OLD, "new": NEW}, items=ITEMS[::-1])
    assert at_any_time(renamed).interval == at_any_time(scores()).interval
    turned = Scores.from_arrays({"old": OLD[::-1], "new": NEW[::-1]}, items=ITEMS[::-1])
    assert at_any_time(turned).interval != at_any_time(scores()).interval


def test_only_the_complete_beginning_of_an_order_counts(tmp_path: Path) -> None:
    """The first 100 of the order are all there; later ones wait, and the rest of the benchmark has not run."""
    order = tmp_path / "order.txt"
    order.write_text("\n".join([*ITEMS[:100], "q999", *ITEMS[100:]]) + "\n")
    answer = at_any_time(scores(), item_order=str(order), of=301)
    assert answer.sequential is not None
    assert (answer.items, answer.sequential.waiting) == (100, 200)
    assert answer.interval == at_any_time(scores(100), of=301).interval
    assert "items_waiting" in codes(answer.notes)
    assert "order_taken_as_random" not in codes(answer.notes)


SORTED = Scores.from_arrays({"old": OLD[:20], "new": NEW[:20]}, items=ITEMS[:20])
BY_DATASET = Scores.from_arrays({"old": OLD, "new": NEW}, items=ITEMS, datasets=["x"] * 100 + ["y"] * 200)


@pytest.mark.parametrize(("given", "by"), [(SORTED, "name"), (BY_DATASET, "dataset")], ids=["names", "datasets"])
def test_rows_that_look_sorted(given: Scores, by: str, tmp_path: Path) -> None:
    """Early looks see other items then; about a benchmark it fails a gate on deviations, which an order that was followed keeps."""
    answer = at_any_time(given, of=400)
    assert [note.values["by"] for note in answer.notes if note.code == "order_looks_sorted"] == [by]
    assert "order_taken_as_random" not in codes(answer.notes)
    with pytest.raises(GateFailed, match="the order of the items looks sorted"):
        answer.require(fail_on="deviation")
    chance = np.random.default_rng(0)
    order = chance.permutation(given.items if by == "name" else given.items[:250])
    file = tmp_path / "order.txt"
    file.write_text(
        "".join(f"{show_item((home, item))}\n" for home, item in [*order, *set(given.items) - set(map(tuple, order))])
    )
    followed = at_any_time(given, of=400, item_order=str(file))
    assert "order_looks_sorted" not in codes(followed.notes)
    followed.require(fail_on="deviation")


def test_rows_that_do_not_look_sorted() -> None:
    shuffled = [f"q{i}" for i in np.random.default_rng(0).permutation(300)]
    mixed = ["x", "y", "x"] * 100
    for given in (
        Scores.from_arrays({"old": OLD, "new": NEW}, items=shuffled),
        Scores.from_arrays({"old": OLD, "new": NEW}, items=shuffled, datasets=mixed),
        Scores.from_arrays({"old": OLD, "new": NEW}),
        scores(6),
    ):
        assert "order_taken_as_random" in codes(at_any_time(given).notes)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["q0", "q1", "q0"], "item 'q0' comes twice .first as number 1, again as number 3."),
        (["q0", "q1"], "item 'q10' has scores but is not in the order"),
    ],
)
def test_orders_that_cannot_be(lines: list[str], problem: str, tmp_path: Path) -> None:
    order = tmp_path / "order.txt"
    order.write_text("\n".join(lines))
    with pytest.raises(ReadError, match=problem):
        at_any_time(scores(), item_order=str(order))


def test_an_order_that_is_not_there() -> None:
    with pytest.raises(ReadError, match=r"cannot be read .No such file"):
        at_any_time(scores(), item_order="nowhere.txt")


CLUSTERED = Scores.from_arrays({"old": OLD, "new": NEW}, clusters=[f"c{i // 3}" for i in range(300)])
GRADED = Scores.from_arrays({"old": 1.0 + 4.0 * OLD, "new": 1.0 + 4.0 * NEW})
IN_WEEKS = Scores.from_arrays({"old": OLD, "new": NEW}, groups=["w1", "w2"] * 150)
COUNTED = Scores.from_arrays({"old": np.ones((50, 3)), "new": np.ones((50, 3))}, parts=("tp", "fp", "fn"))


@pytest.mark.parametrize(
    ("given", "options", "kind", "problem"),
    [
        (CLUSTERED, {}, Unsuitable, "items come in clusters"),
        (IN_WEEKS, {}, Unsuitable, "changes between groups"),
        (COUNTED, {}, Unsuitable, "bets work on means"),
        (GRADED, {}, DataError, "scores 5 on item .*outside 0 to 1. Say what scores can be"),
        (GRADED, {"range": "1:4"}, DataError, "outside 1 to 4. Widen it"),
        (scores(), {"range": "1:1"}, UsageError, "lowest and the highest possible score"),
        (scores(), {"range": "low:high"}, UsageError, "lowest and the highest possible score"),
        (scores(), {"of": 299}, UsageError, "300 items were scored, more than"),
        (scores(), {"test": "paired_t"}, UsageError, "is valid for one look only"),
        (scores(), {"interval": "tango"}, UsageError, "is valid for one look only"),
    ],
)
def test_refusals(given: Scores, options: dict[str, Any], kind: type[TellapartError], problem: str) -> None:
    with pytest.raises(kind, match=problem):
        at_any_time(given, **options)


@pytest.mark.parametrize("options", [{"of": 400}, {"range": "0:2"}, {"item_order": "order.txt"}])
def test_options_without_anytime(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"only works with .*anytime"):
        compare(scores(), "old", "new", **options)


def test_grades_are_scaled_by_their_range() -> None:
    plain, graded = at_any_time(scores()), at_any_time(GRADED, range="1:5")
    assert graded.pvalue == pytest.approx(plain.pvalue, rel=1e-9, abs=0.0)
    assert graded.interval.low == pytest.approx(4.0 * plain.interval.low, rel=1e-9, abs=0.0)
    assert graded.test == "betting(width=4)"


def test_a_margin_is_held_against_the_same_bets() -> None:
    """Not worse by the margin exactly where the bound at 1 − 2·alpha excludes it."""
    answer = at_any_time(scores(60), margin=0.1)
    assert answer.shown.not_worse is not None
    low = compare(scores(60), "old", "new", anytime=True, alpha=0.1).interval.low
    assert answer.shown.holds("not_worse") == (low > -0.1)


def test_a_gate_passes_at_any_moment(tmp_path: Path) -> None:
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for file, system in zip(files, (OLD, NEW), strict=True):
        rows = (f"{item},{x:g}" for item, x in zip(ITEMS, system, strict=True))
        file.write_text("\n".join(["item,score", *rows]))
    answer = gate(*files, margin=0.05, anytime=True)
    assert answer.verdict == "pass"
    assert answer.comparison.sequential is not None
