"""Votes whose order was recorded: effect, interval and p weigh both orders alike, and what cannot be told is said."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart import Comparison, Votes, compare, read
from tellapart.data.rater_pairs import VotePair
from tellapart.data.summaries.rater_samples import Crossed
from tellapart.foundation.arrays import floats
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import Degenerate
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics.mean import Mean

ALONE: dict[str, Any] = {}
BY_ITEM: dict[str, Any] = {"item": [i % 20 for i in range(100)]}
CROSSED: dict[str, Any] = {"item": [i % 20 for i in range(100)], "rater": [i // 20 for i in range(100)]}
BY_RATER: dict[str, Any] = {"rater": [i % 8 for i in range(100)]}
KINDS = [ALONE, BY_ITEM, CROSSED, BY_RATER]


def drawn(seed: int = 1, *, b_first: int = 80, advantage: float = 0.65, ties: float = 0.1) -> dict[str, list[str]]:
    """A hundred votes between equal systems."""
    rng = np.random.default_rng(seed)
    first = rng.permutation(["b"] * b_first + ["a"] * (100 - b_first))
    second = np.where(first == "a", "b", "a")
    winner = np.where(rng.random(100) < advantage, first, second)
    winner = np.where(rng.random(100) < ties, "tie", winner)
    return {"winner": winner.tolist(), "first": first.tolist()}


def votes(columns: dict[str, Any], **more: Any) -> Votes:
    return Votes.from_columns(a=["a"] * 100, b=["b"] * 100, **(columns | more))


def noted(answer: Comparison) -> dict[str, dict[str, Any]]:
    return {note.code: note.values for note in answer.notes}


@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_goes_by_both_orders_alike(kind: dict[str, Any]) -> None:
    """Votes that lean to the one shown first, which B was: no difference is claimed, and the share as voted stands beside it."""
    columns = drawn(advantage=0.85, b_first=85, ties=0.0)
    answer, raw = (
        compare(votes(columns, **kind), "a", "b"),
        compare(votes(columns, **kind), "a", "b", order="ignore"),
    )
    assert raw.verdict == "b better"
    assert answer.verdict == "undetermined"
    assert answer.test == ("mixed_model(df=kenward_roger)" if kind not in (ALONE, CROSSED) else answer.test)
    assert answer.measure == "share of votes, both orders alike"
    assert answer.votes is not None
    assert answer.votes.order_adjusted
    share = sum(one == "b" for one in columns["winner"]) / 100.0
    assert answer.votes.raw_share_b == pytest.approx(share)
    assert noted(answer)["order_adjusted"] == {
        "b_first": 85,
        "votes": 100,
        "raw_effect": pytest.approx(2.0 * share - 1.0),
    }
    assert "first_shown_wins" in noted(answer)
    assert raw.votes is not None
    assert not raw.votes.order_adjusted
    assert "order" in raw.signature
    assert "order" not in answer.signature.replace("order_score", "")


def test_the_effect_is_the_mean_of_both_orders() -> None:
    first = ["b"] * 30 + ["a"] * 10
    winner = ["b"] * 24 + ["a"] * 6 + ["a"] * 7 + ["b"] * 3
    answer = compare(Votes.from_columns(a=["a"] * 40, b=["b"] * 40, winner=winner, first=first), "a", "b")
    assert answer.test == "order_score"
    assert answer.effect == pytest.approx(0.5 * ((24 - 6) / 30 + (3 - 7) / 10))
    assert answer.b.mean == pytest.approx(0.5 + answer.effect / 2.0)
    without = compare(votes(drawn()), "a", "b", ties="drop")
    assert without.votes is not None
    assert without.votes.order_adjusted
    assert without.effect != pytest.approx(compare(votes(drawn()), "a", "b").effect)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_decision_and_interval_are_one(kind: dict[str, Any], seed: int) -> None:
    """At zero and at a margin: what p says is what the interval says."""
    columns = drawn(seed, advantage=0.5 + 0.1 * seed)
    winner = ["b" if i % 3 == 0 else one for i, one in enumerate(columns["winner"])]
    given = votes(columns | {"winner": winner}, **kind)
    answer = compare(given, "a", "b", margin=0.4)
    bounds = answer.interval
    assert (bounds.low > 0.0 or bounds.high < 0.0) == bool(rejects(answer.pvalue, answer.alpha))
    assert 0.0 < answer.pvalue < 0.49
    assert answer.effect > 0.0
    assert compare(given, "a", "b", alpha=answer.pvalue * 1.001).interval.low > 0.0
    assert compare(given, "a", "b", alpha=answer.pvalue * 0.999).interval.low < 0.0
    inside = compare(given, "a", "b", alpha=0.1).interval
    assert answer.equivalence is not None
    assert (max(-inside.low, inside.high) < 0.4) == bool(rejects(answer.equivalence.pvalue, answer.alpha))
    assert "test_and_interval_disagree" not in noted(answer)


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_rows_change_nothing(kind: dict[str, Any]) -> None:
    given = votes(drawn(), **kind)
    one, other = compare(given, "a", "b"), compare(given, "b", "a")
    assert other.effect == pytest.approx(-one.effect, abs=1e-9)
    assert other.pvalue == pytest.approx(one.pvalue, rel=1e-6, abs=0.0)
    assert (-other.interval.high, -other.interval.low) == pytest.approx((one.interval.low, one.interval.high), abs=1e-8)
    assert one.votes is not None
    assert other.votes is not None
    assert other.votes.raw_share_b == pytest.approx(1.0 - one.votes.raw_share_b)
    order = np.random.default_rng(0).permutation(100)
    shuffled = {name: [column[i] for i in order] for name, column in (drawn() | kind).items()}
    again = compare(votes(shuffled), "a", "b")
    assert again.effect == pytest.approx(one.effect, abs=1e-12)
    assert again.pvalue == pytest.approx(one.pvalue, rel=1e-9, abs=0.0)
    # Votes of nobody on nothing have no order but the one they are read in.
    assert again.signature == one.signature or not kind


@pytest.mark.parametrize("kind", [ALONE, CROSSED])
def test_an_order_that_cannot_be_told_from_the_systems_is_told(kind: dict[str, Any]) -> None:
    """All votes in one order, or some in none: as they are, with a note that `order=ignore` silences."""
    plain = compare(votes({"winner": drawn()["winner"]}, **kind), "a", "b")
    one_order = {**drawn(), "first": ["b"] * 100}
    partly: dict[str, Any] = {**drawn(), "first": [*drawn()["first"][:97], None, None, None]}
    said = {
        "shown_in_one_order": (one_order, {"first": "b", "votes": 100}),
        "order_partly_known": (partly, {"unknown": 3, "votes": 100}),
    }
    for code, (columns, values) in said.items():
        answer = compare(votes(columns, **kind), "a", "b")
        assert noted(answer)[code] == values
        assert (answer.effect, answer.pvalue) == (plain.effect, plain.pvalue)
        silent = compare(votes(columns, **kind), "a", "b", order="ignore")
        assert code not in noted(silent)
        assert (silent.effect, silent.pvalue) == (plain.effect, plain.pvalue)
        assert all("cannot be separated" not in str(note) for note in silent.notes)
    assert not {*said, "order_adjusted"} & {*noted(plain)}


def test_a_method_that_takes_no_order_decides_as_it_is() -> None:
    """With a note what the effect is with both orders alike; of those that do none is needed."""
    alone, crossed = votes(drawn()), votes(drawn(), **CROSSED)
    answer = compare(alone, "a", "b", test="mcnemar")
    assert noted(answer)["method_takes_no_order"] == {
        "method": "mcnemar(variant=mid_p)",
        "effect": pytest.approx(compare(alone, "a", "b").effect),
    }
    assert "method_takes_no_order" in noted(compare(crossed, "a", "b", test="rater_t"))
    named = compare(crossed, "a", "b", test="mixed_model(df=cochran)")
    assert "order_adjusted" in noted(named)
    every = compare(crossed, "a", "b", test="all").tests
    assert every is not None
    assert [one.test.partition("(")[0] for one in every] == ["mixed_model"]


def test_these_raters_only() -> None:
    """Items are the sample, and the order is taken out all the same."""
    answer = compare(votes(drawn(), **CROSSED), "a", "b", raters_as="fixed")
    assert answer.votes is not None
    assert answer.votes.order_adjusted
    assert answer.ratings is not None
    assert (answer.ratings.mode, answer.items) == ("fixed", 20)
    assert noted(answer)["raters_fixed"] == {"raters": 5}
    by_rater = compare(votes(drawn(), **BY_RATER), "a", "b", raters_as="fixed")
    assert by_rater.test == "order_score"


def test_these_raters_are_not_too_few() -> None:
    """Of others nothing is asked, so that few votes by them are not few raters."""
    columns = {"winner": list("abbabbabbaba"), "first": list("aabbabababab")}
    given = Votes.from_columns(
        a=["a"] * 12,
        b=["b"] * 12,
        item=[i % 6 for i in range(12)],
        rater=[i // 6 for i in range(12)],
        **columns,
    )
    assert "few_raters" in noted(compare(given, "a", "b"))
    assert "few_raters" not in noted(compare(given, "a", "b", raters_as="fixed"))


def test_what_is_needed_is_told() -> None:
    """As many votes as find the effect, or show the margin, at the spread and in the orders seen."""
    answer = compare(votes(drawn()), "a", "b", effect=0.3)
    assert answer.detectable is not None
    assert answer.needed is not None
    assert answer.needed.items == pytest.approx(100.0 * (answer.detectable.effect / 0.3) ** 2, rel=0.05, abs=0.0)
    within = compare(votes(drawn()), "a", "b", margin=0.3).needed
    assert within is not None
    assert within.claim == "equivalence"
    assert within.items > answer.needed.items


def test_an_order_that_decides_all() -> None:
    """Lone votes say that the systems are alike; a model has nothing to measure that by."""
    first = ["a"] * 30 + ["b"] * 70
    alike = compare(votes({"winner": first, "first": first}), "a", "b")
    assert (alike.effect, alike.pvalue) == (0.0, 1.0)
    assert alike.interval.low < 0.0 < alike.interval.high
    with pytest.raises(Degenerate, match="the order of showing decides all votes"):
        compare(votes({"winner": first, "first": first}, **CROSSED), "a", "b")


def test_votes_in_both_orders_of_one_cell_count_alike() -> None:
    """However many there are of each: two of a rater's three votes on an item are as much as the third."""
    pair = VotePair(
        np.array([1.0, 0.0, -1.0, 1.0, -1.0]), np.zeros(5, int), np.array([0, 0, 0, 1, 2]), None, None,
        np.array([1.0, 1.0, 0.0, 1.0, 0.0]),
    )  # fmt: skip
    cells = Crossed.of(pair, Mean())
    assert cells.values.tolist() == [[-0.25, 1.0, -1.0]]
    assert cells.order is not None
    assert cells.order.tolist() == [[0.0, 1.0, -1.0]]
    both = replace(pair, item=np.array([0, 0, 0, 1, 1]))
    assert Crossed.of(both, Mean()).order is None


def pairs(draws: int, b_first: float) -> Any:
    """Votes of eight raters on 25 items between equal systems, who lean their own ways; the first wins four of five."""
    rng = np.random.default_rng(7)
    rater, item = np.repeat(np.arange(8), 25), np.tile(np.arange(25), 8)
    for _ in range(draws):
        first = 1.0 * (rng.permutation(200) < 200 * b_first)
        own = 0.5 * rng.normal(size=8)[rater] + 0.5 * rng.normal(size=25)[item] + rng.normal(size=200)
        yield VotePair(np.sign(own + 1.03 * (2.0 * first - 1.0)), rater, item, None, None, floats(first))


@pytest.mark.parametrize("b_first", [0.8, 0.95])
def test_raters_and_items_keep_the_level_too(b_first: float) -> None:
    """Of 100 evaluations; without the order most of them claim a difference (the control)."""
    test = TESTS.parse("mixed_model")
    found = [test.apply(Crossed.of(one, Mean()), stream(0)).pvalue for one in pairs(100, b_first)]
    raw = [test.apply(Crossed.of(replace(one, b_first=None), Mean()), stream(0)).pvalue for one in pairs(15, b_first)]
    assert np.mean(rejects(np.array(found), 0.05)) <= 0.11
    assert np.mean(rejects(np.array(raw), 0.05)) >= 0.6


@pytest.mark.parametrize(("one", "other"), [("model_a", "model_b"), ("left", "right"), ("system_a", "system_b")])
def test_columns_of_systems_say_no_order(one: str, other: str, tmp_path: Any) -> None:
    """What a table names first was not for that shown first."""
    path = tmp_path / "votes.csv"
    rows = [f"{a},{b},{winner}" for a, b, winner in (("x", "y", one), ("y", "x", other), ("x", "y", "tie")) * 10]
    path.write_text("\n".join([f"{one},{other},winner", *rows]) + "\n")
    assert read(path).first is None
    assert compare(path).test == "mcnemar(variant=mid_p)"
