"""`compare` on votes: counted where each stands alone, judged like ratings where they share raters or items."""

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.numerics.frontier import FOLDER

from tellapart import Comparison, Votes, agreement, compare, rank, read
from tellapart.answers.parts import codes
from tellapart.foundation.errors import Degenerate, TooFew, UnknownSystem, UsageError

EXAMPLE = Path(__file__).parents[2] / "examples" / "votes.csv"


def votes(wins_b: int, wins_a: int, ties: int, **columns: Any) -> Votes:
    winners = ["b"] * wins_b + ["a"] * wins_a + ["tie"] * ties
    return Votes.from_columns(a=["a"] * len(winners), b=["b"] * len(winners), winner=winners, **columns)


def noted(answer: Comparison) -> dict[str, dict[str, Any]]:
    return {note.code: note.values for note in answer.notes}


def test_counted_votes_agree_with_other_programs(oracle: Path) -> None:
    """p, effects, Tango's and Wilson's bounds and Davidson's numbers of eight tables."""
    with (oracle / "votes_counts.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cases = list(dict.fromkeys(row["case"] for row in rows))
    assert len(cases) == 8
    for case in cases:
        known = {row["quantity"]: float(row["value"]) for row in rows if row["case"] == case}
        counts = tuple(int(n) for n in case.partition("=")[2].split("-"))
        half = compare(votes(*counts), "a", "b")
        assert half.test == "mcnemar(variant=mid_p)"
        assert half.pvalue == pytest.approx(known.get("p_mid_p", 1.0), abs=1e-10)
        assert half.effect == pytest.approx(known["effect_ties_half"], abs=1e-10)
        assert half.b.mean == pytest.approx(known["share_ties_half"], abs=1e-10)
        if "effect_half_tango_low" in known:
            bounds = known["effect_half_tango_low"], known["effect_half_tango_high"]
            assert (half.interval.low, half.interval.high) == pytest.approx(bounds, abs=1e-8)
        assert half.votes is not None
        if "davidson_log_odds" in known:
            assert half.votes.log_odds == pytest.approx(known["davidson_log_odds"], abs=1e-10)
            assert half.votes.nu == pytest.approx(known["davidson_nu"], abs=1e-10)
        if counts[0] + counts[1] == 0:
            continue
        drop = compare(votes(*counts), "a", "b", ties="drop")
        assert drop.pvalue == half.pvalue
        assert drop.effect == pytest.approx(known["effect_ties_drop"], abs=1e-10)
        bounds = known["share_drop_wilson_low"], known["share_drop_wilson_high"]
        assert (drop.b.interval.low, drop.b.interval.high) == pytest.approx(bounds, abs=1e-10)


def test_clustered_votes_agree_with_lme4(oracle: Path) -> None:
    """Effect, error, degrees of freedom, spreads, and what the order did."""
    with (oracle / "votes_clustered.csv").open(newline="", encoding="utf-8") as file:
        known = {row["quantity"]: float(row["value"]) for row in csv.DictReader(file)}
    answer = compare(oracle / "votes_data.csv", "A", "B", order="ignore")
    found, counted = answer.ratings, answer.votes
    assert found is not None
    assert counted is not None
    assert answer.test == "mixed_model(df=kenward_roger)"
    assert answer.effect == pytest.approx(known["effect_crossed"], abs=1e-5)
    assert (found.se, found.se_adjusted) == pytest.approx((known["se_crossed"], known["se_kenward_roger"]), abs=1e-5)
    assert found.df == pytest.approx(known["df_kenward_roger"], abs=0.02)
    assert answer.pvalue == pytest.approx(known["p_kenward_roger"], abs=1e-5)
    for name, spread in (
        ("rater_effect_sd", "rater"),
        ("item_effect_sd", "item"),
        ("residual_sd", "residual"),
    ):
        assert found.sds[name] ** 2 == pytest.approx(known[f"variance_{spread}"], abs=2e-5)
    assert (counted.wins_b, counted.wins_a, counted.ties) == (105, 82, 47)
    assert found.plain_difference == pytest.approx(known["effect_all_votes"])
    assert (counted.first_wins, counted.b_first) == (known["first_shown_wins"], known["b_shown_first"])
    assert counted.first_pvalue == pytest.approx(known["p_first_shown_exact"], abs=1e-10)
    assert noted(answer)["first_shown_wins"]["decided"] == known["decided_votes"]
    adjusted = compare(oracle / "votes_data.csv", "A", "B")
    assert adjusted.effect == pytest.approx(known["effect_order_balanced"], abs=1e-5)


def test_fields() -> None:
    """As they are promised, in JSON."""
    found = compare(votes(6, 3, 2, first=["a", "b"] * 5 + [None]), "a", "b").to_dict()["votes"]
    assert [*found] == [
        *("wins_a", "wins_b", "ties", "ties_rule", "first_wins", "first_pvalue", "b_first", "log_odds", "nu"),
        *("raw_share_b", "order_adjusted"),
    ]
    assert (found["wins_a"], found["wins_b"], found["ties"], found["ties_rule"]) == (3, 6, 2, "half")
    assert found["log_odds"] == pytest.approx(math.log(2.0))
    assert found["nu"] == pytest.approx(2.0 / math.sqrt(18.0))
    assert found["b_first"] == 5
    assert (found["raw_share_b"], found["order_adjusted"]) == (pytest.approx(7.0 / 11.0), False)


def test_order_of_showing() -> None:
    """Exact binomial p of the one shown first."""
    first = ["b"] * 30 + ["a"] * 10
    winner = ["b"] * 24 + ["a"] * 6 + ["a"] * 7 + ["b"] * 3
    answer = compare(Votes.from_columns(a=["a"] * 40, b=["b"] * 40, winner=winner, first=first), "a", "b")
    assert answer.votes is not None
    assert answer.votes.first_wins == 31
    assert answer.votes.first_pvalue == pytest.approx(stats.binomtest(31, 40).pvalue)
    even = compare(votes(5, 5, 0, first=["a", "b"] * 5), "a", "b")
    assert "order_of_no_effect" in noted(even)
    assert "first_shown_wins" not in noted(compare(votes(5, 5, 0), "a", "b"))


def test_votes_that_share_raters_or_items() -> None:
    """Items alone make a model with every vote its own rater; raters alone a t test over them."""
    rng = np.random.default_rng(0)
    winners = rng.choice(["a", "b", "tie"], size=60).tolist()
    columns: dict[str, Any] = {"a": ["a"] * 60, "b": ["b"] * 60, "winner": winners}
    by_item = compare(Votes.from_columns(**columns, item=[i // 4 for i in range(60)]), "a", "b")
    assert by_item.test == "mixed_model(df=kenward_roger)"
    assert by_item.items == 15
    by_rater = compare(Votes.from_columns(**columns, rater=[i // 6 for i in range(60)]), "a", "b")
    assert by_rater.test == "rater_t"
    values = np.array([{"a": -1.0, "b": 1.0, "tie": 0.0}[one] for one in winners]).reshape(10, 6)
    assert by_rater.pvalue == pytest.approx(stats.ttest_1samp(values.mean(axis=1), 0.0).pvalue)
    alone = compare(Votes.from_columns(**columns, rater=list(range(60)), item=list(range(60))), "a", "b")
    assert alone.test == "mcnemar(variant=mid_p)"
    assert codes(alone.reasons) == ("votes_counted",)


def test_swapped_systems_negate() -> None:
    """Counted or judged, what holds of B − A turns round."""
    for given in (votes(60, 40, 20), read(EXAMPLE)):
        one, other = compare(given, *given.systems), compare(given, *given.systems[::-1])
        assert other.effect == pytest.approx(-one.effect)
        assert other.pvalue == pytest.approx(one.pvalue)
        assert (other.interval.low, other.interval.high) == pytest.approx((-one.interval.high, -one.interval.low))
        assert one.votes is not None
        assert other.votes is not None
        assert (one.votes.wins_a, one.votes.first_wins) == (other.votes.wins_b, other.votes.first_wins)


def test_these_raters_only() -> None:
    """Averaged within items, and then as for scores."""
    answer = compare(EXAMPLE, "base", "new", raters_as="fixed", order="ignore")
    pair = read(EXAMPLE).pair("base", "new")
    means = np.array([pair.values[pair.item == item].mean() for item in range(40)])
    assert answer.effect == pytest.approx(means.mean())
    assert answer.items == 40
    assert noted(answer)["raters_fixed"] == {"raters": 12}
    assert answer.votes is not None


def test_votes_of_one_rater() -> None:
    """Counted as if nobody were named, with a note by whom; both orders of an item are still one item's."""
    answer = compare(votes(6, 3, 1, rater=["judge"] * 10, item=list(range(10))), "a", "b")
    assert answer.test == "mcnemar(variant=mid_p)"
    assert noted(answer)["one_rater"] == {"rater": "judge"}
    twice = compare(
        votes(6, 4, 0, rater=["judge"] * 10, item=[i // 2 for i in range(10)], first=["a", "b"] * 5), "a", "b"
    )
    assert twice.test == "mixed_model(df=cochran)"
    assert twice.items == 5
    assert twice.ratings is not None
    assert twice.ratings.raters == 1
    assert codes(twice.reasons) == ("items_of_one_rater",)


@pytest.mark.parametrize(("named", "supposed"), [("item", "rater"), ("rater", "item")])
def test_what_no_column_says_is_supposed_aloud(named: str, supposed: str) -> None:
    """Each vote is of a rater, or on an item, of its own; no sentence counts those as if they were seen."""
    answer = compare(votes(7, 5, 2, **{named: [f"x{i // 2}" for i in range(14)]}), "a", "b")
    assert noted(answer)[f"each_vote_own_{supposed}"] == {"votes": 14}
    assert f"each_vote_own_{named}" not in noted(answer)
    assert f"14 {supposed}s" not in answer.sentence
    assert f"7 {named}s" in answer.sentence


def test_repeated_votes_are_told() -> None:
    """A rater who votes on an item in both orders is averaged, and neither is a rater more."""
    raters, items = ["r0", "r0", "r1", "r1", "r2", "r2", "r0", "r1"], [0, 0, 0, 1, 1, 2, 2, 2]
    given = votes(5, 3, 0, rater=raters, item=items, first=["a", "b"] * 4)
    answer = compare(given, "a", "b")
    assert noted(answer)["repeated_votes_averaged"] == {"votes": 1}
    told = {note.code: note.values for note in agreement(given).notes}
    assert told["repeats_averaged"] == {"ratings": 1}
    once = compare(votes(5, 3, 0, rater=["x", "y"] * 4, item=[i // 2 for i in range(8)]), "a", "b")
    assert "repeated_votes_averaged" not in noted(once)


def test_shares_of_votes_are_shares() -> None:
    """However little few raters and items say: no interval reaches beyond all votes, and no effect beyond them is called detectable."""
    answer = compare(votes(5, 3, 0, rater=["x", "y"] * 4, item=[i // 2 for i in range(8)]), "a", "b")
    assert (answer.interval.low, answer.interval.high) == (-1.0, 1.0)
    assert (answer.a.interval.low, answer.a.interval.high) == (0.0, 1.0)
    assert answer.detectable is None


def test_sentences_speak_of_votes() -> None:
    """Not of items, where there are none."""
    answer = compare(votes(60, 40, 20), "a", "b")
    assert "120 votes" in answer.sentence
    assert "items" not in answer.sentence + answer.headline + answer.to_settle
    assert "100 votes" in compare(votes(60, 40, 20), "a", "b", ties="drop").sentence


def test_refusals() -> None:
    """One line with the way out."""
    three = Votes.from_columns(a=["x", "x", "y"], b=["y", "z", "z"], winner=["x", "x", "tie"])
    with pytest.raises(UsageError, match="3 systems were found") as refused:
        compare(three)
    assert "rank" not in str(refused.value)
    with pytest.raises(TooFew, match="one vote is between 'x' and 'y'"):
        compare(three, "x", "y")
    with pytest.raises(TooFew, match="all votes are on one item"):
        compare(votes(3, 2, 0, item=["q"] * 5), "a", "b")
    with pytest.raises(Degenerate, match="all votes fall alike"):
        compare(votes(6, 0, 0, item=[i // 2 for i in range(6)]), "a", "b")
    with pytest.raises(UnknownSystem, match="no system is called 'w'"):
        compare(three, "x", "w")
    with pytest.raises(TooFew, match="leave ties='drop' out"):
        compare(votes(0, 0, 10), "a", "b", ties="drop")
    with pytest.raises(UsageError, match="leave ties='drop' out"):
        compare(votes(5, 2, 3), "a", "b", ties="drop", margin=0.1)


@pytest.mark.parametrize("by", ["none", "rater", "item", "both"])
def test_asked_clusters_are_those_of_a_board_of_the_two(by: str) -> None:
    """`--cluster` says which votes go together, in `compare` as in `rank`; it was once read and left aside."""
    path = FOLDER / "data" / "twoway6.csv"
    votes: Any = read(path, columns={"cluster": by})
    alone = compare(votes, a="s1", b="s2")
    board: Any = rank(votes, systems="s1,s2")
    assert board.pairs[0].pvalue == alone.pvalue
    unasked = compare(path, a="s1", b="s2")
    assert (alone.pvalue == unasked.pvalue) == (by == "both")


def test_clusters_without_a_column_and_controls_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("a,b,winner,longer\n" + "old,new,new,1\nold,new,old,-1\n" * 9, encoding="utf-8")
    with pytest.raises(UsageError, match="no column says the rater"):
        compare(read(path, columns={"cluster": "rater"}), a="old", b="new")
    with pytest.raises(UsageError, match=r"rank.*control.*systems"):
        compare(read(path, columns={"control": "longer"}), a="old", b="new")
