"""`compare` on ratings by several raters: which test, what is said, what is refused."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Comparison, Ratings, compare, rank, read
from tellapart.answers.parts import codes
from tellapart.foundation.errors import DataError, TellapartError, TooFew, Unsuitable, UsageError

EXAMPLE = Path(__file__).parents[2] / "examples" / "ratings.csv"


def made(raters: int = 8, items: int = 20, effect: float = 0.5, seed: int = 0) -> dict[str, Any]:
    """Two systems `(rater, item)`, with levels and differences of raters and of items."""
    rng = np.random.default_rng(seed)
    level = rng.normal(size=(raters, 1)) + rng.normal(size=(1, items))
    own = effect + 0.3 * rng.normal(size=(raters, 1)) + 0.3 * rng.normal(size=(1, items))
    a, b = (level + side * own + 0.5 * rng.normal(size=(raters, items)) for side in (-0.5, 0.5))
    return {"a": a, "b": b}


def noted(answer: Comparison) -> dict[str, dict[str, Any]]:
    return {note.code: note.values for note in answer.notes}


@pytest.mark.parametrize(
    ("raters", "items", "test", "reason"),
    [
        (6, 6, "mixed_model(df=kenward_roger)", "many_raters"),
        (5, 30, "mixed_model(df=cochran)", "few_raters_or_items"),
        (30, 5, "mixed_model(df=cochran)", "few_raters_or_items"),
        (2, 2, "mixed_model(df=cochran)", "few_raters_or_items"),
    ],
)
def test_the_test_is_chosen_by_raters_and_items(raters: int, items: int, test: str, reason: str) -> None:
    """Six of each for Kenward and Roger, fewer for Cochran; the interval is the test's own."""
    answer = compare(Ratings.from_arrays(made(raters, items)))
    assert (answer.test, answer.interval.method, codes(answer.reasons)) == (test, test, (reason,))
    assert ("few_raters" in noted(answer)) == (raters < 15)


def test_one_rater_per_item() -> None:
    """Student's t over raters."""
    ratings = {name: np.where(np.arange(6)[:, None] == np.arange(18) % 6, x, np.nan) for name, x in made(6, 18).items()}
    answer = compare(Ratings.from_arrays(ratings))
    assert (answer.test, codes(answer.reasons)) == ("rater_t", ("one_rater_per_item",))
    assert answer.ratings is not None
    assert answer.ratings.df == 5.0
    means = np.nanmean(ratings["b"] - ratings["a"], axis=1)
    assert answer.effect == pytest.approx(means.mean())
    assert answer.b.mean - answer.a.mean == pytest.approx(answer.effect)


def test_fields() -> None:
    """Raters, items, ratings and pairs; spreads and shares; both errors; the plain difference."""
    data = made()
    answer = compare(Ratings.from_arrays(data))
    found = answer.to_dict()["ratings"]
    assert [*found] == [
        *(
            "raters",
            "items",
            "ratings",
            "pairs",
            "mode",
            "sds",
            "shares",
            "se",
            "se_adjusted",
            "df",
            "singular",
        ),
        *("plain_difference", "dropped_terms"),
    ]
    assert (found["raters"], found["items"], found["ratings"], found["pairs"]) == (8, 20, 320, 160)
    assert (found["mode"], found["dropped_terms"], found["singular"]) == ("paired", [], [])
    assert set(found["sds"]) == {"rater_effect_sd", "item_effect_sd", "residual_sd"}
    assert sum(found["shares"].values()) == pytest.approx(1.0)
    assert found["plain_difference"] == pytest.approx(np.mean(data["b"] - data["a"])) == pytest.approx(answer.effect)
    differences = data["b"] - data["a"]
    rest = differences - differences.mean(axis=0) - differences.mean(axis=1, keepdims=True) + differences.mean()
    assert found["sds"]["residual_sd"] == pytest.approx(np.sqrt((rest**2).sum() / (7 * 19) / 2.0))
    assert answer.standard_error == found["se_adjusted"] == pytest.approx(found["se"])
    assert "ratings" not in compare({"a": [1.0, 2.0, 3.0], "b": [2.0, 2.0, 5.0]}).to_dict()


def test_systems_have_averages_with_intervals() -> None:
    """Of complete ratings the interval of a system is that of the model of its own ratings."""
    data = made()
    answer = compare(Ratings.from_arrays(data))
    alone = compare(Ratings.from_arrays({"zero": np.zeros((8, 20)), "b": data["b"]}))
    assert answer.b.mean == pytest.approx(data["b"].mean())
    assert (answer.b.interval.low, answer.b.interval.high) == pytest.approx((alone.interval.low, alone.interval.high))


def test_swapped_systems_negate() -> None:
    """Everything about B − A turns round, and the p-value stays."""
    ratings = Ratings.from_arrays(made())
    one, other = compare(ratings, "a", "b"), compare(ratings, "b", "a")
    assert other.effect == -one.effect
    assert (other.interval.low, other.interval.high) == pytest.approx((-one.interval.high, -one.interval.low))
    assert other.pvalue == pytest.approx(one.pvalue, rel=1e-12, abs=0.0)
    assert {one.verdict, other.verdict} == {"b better", "a better"}


@pytest.mark.parametrize("seed", range(6))
def test_swapped_single_ratings_negate(seed: int) -> None:
    """Also where so few ratings leave the likelihood nearly flat."""
    rng = np.random.default_rng(seed)
    data = {name: np.where(rng.random((4, 6)) < 0.5, rng.integers(1, 5, size=(4, 6)), np.nan) for name in "ab"}
    ratings = Ratings.from_arrays(data)
    one, other = compare(ratings, "a", "b"), compare(ratings, "b", "a")
    assert one.ratings is not None
    assert one.ratings.mode == "single"
    assert (other.effect, other.pvalue) == pytest.approx((-one.effect, one.pvalue), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("example", ["ratings.csv", "votes.csv"])
def test_order_of_rows_changes_nothing(example: str, tmp_path: Path) -> None:
    """Bit by bit, signature included."""
    given = EXAMPLE.with_name(example)
    head, *rows = given.read_text(encoding="utf-8").splitlines()
    shuffled = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    (tmp_path / "other.csv").write_text("\n".join([head, *shuffled]), encoding="utf-8")
    one, other = (compare(path, "base", "new") for path in (given, tmp_path / "other.csv"))
    # The files have different names, and only those may differ.
    assert replace(one, sources=None) == replace(other, sources=None)


def test_margins() -> None:
    """The model moved to a margin: equivalence by the interval at 90 %."""
    answer = compare(Ratings.from_arrays(made(effect=0.0, seed=2)), margin=1.0)
    assert answer.verdict == "equivalent"
    assert answer.equivalence is not None
    assert answer.equivalence.pvalue < 0.05
    answer.require("equivalent")
    named = compare(Ratings.from_arrays(made(effect=0.0, seed=2)), test="equivalence(test=mixed_model, margin=1)")
    assert named.pvalue == pytest.approx(answer.equivalence.pvalue)


def test_every_test() -> None:
    """Those of ratings, and none of scores."""
    found = compare(EXAMPLE, test="all").tests
    assert found is not None
    assert {one.test.partition("(")[0] for one in found} == {"mixed_model", "rater_t", "rater_sign_flip"}


def test_named_tests_and_what_they_are_about() -> None:
    """Flips of raters are about these items, and the normal law takes spreads for known."""
    flips = compare(EXAMPLE, test="rater_sign_flip")
    assert noted(flips)["on_these_items"] == {"test": "rater_sign_flip"}
    document = compare(EXAMPLE, test="mixed_model(df=normal, fit=ml)")
    assert noted(document)["spreads_taken_for_known"] == {"raters": 5}
    assert document.ratings is not None
    assert document.ratings.se_adjusted is None
    assert document.ratings.df is None
    assert document.pvalue < compare(EXAMPLE).pvalue


def test_lower_is_better() -> None:
    """Turns the verdict, not the sign."""
    ratings = Ratings.from_arrays(made(effect=1.0))
    one, other = compare(ratings), compare(ratings, lower_is_better=True)
    assert one.effect == other.effect
    assert (one.verdict, other.verdict) == ("b better", "a better")


def test_shares_and_boundaries_are_noted() -> None:
    """Where the uncertainty comes from, and spreads that are not seen."""
    rng = np.random.default_rng(7)
    own = rng.normal(size=(3, 1))
    level = rng.normal(size=(3, 50))
    answer = compare(Ratings.from_arrays({"a": level, "b": level + own + 0.01 * rng.normal(size=(3, 50))}))
    share = noted(answer)["uncertainty_share"]
    assert share["of"] == "raters"
    assert share["share"] > 0.99
    flat = rng.normal(size=(4, 12))
    flat -= flat.mean(axis=1, keepdims=True)
    answer = compare(Ratings.from_arrays({"a": np.zeros((4, 12)), "b": flat + 0.1}))
    assert noted(answer)["no_spread_seen"]["sd"] in {"rater_effect_sd", "item_effect_sd"}
    assert answer.ratings is not None
    assert "rater_effect_sd" in answer.ratings.singular
    assert answer.ratings.sds["rater_effect_sd"] == 0.0


def test_these_raters_only() -> None:
    """Averaged within items and then as for scores, with a note whose eyes it is about."""
    answer = compare(EXAMPLE, raters_as="fixed")
    plain = compare(read(EXAMPLE).averaged())
    assert (answer.pvalue, answer.effect, answer.test) == (plain.pvalue, plain.effect, plain.test)
    assert answer.ratings is not None
    assert (answer.ratings.mode, answer.ratings.sds, answer.ratings.se) == ("fixed", {}, None)
    assert noted(answer)["raters_fixed"] == {"raters": 5}
    assert answer.pvalue < compare(EXAMPLE).pvalue


def test_rank_of_these_raters_only() -> None:
    """Refused with the way out, which then works and says whom it is about."""
    with pytest.raises(Unsuitable, match="raters_as='fixed'"):
        rank(EXAMPLE)
    board = rank(EXAMPLE, raters_as="fixed")
    assert "raters_fixed" in codes(board.notes)
    assert board.measure == "rating by these 5 raters"


def test_repeats_are_averaged_and_noted() -> None:
    """Two ratings of a rater on one system and item become their average."""
    data = made(6, 6)
    rater, item = (index.ravel().tolist() for index in np.indices((6, 6)))
    columns: dict[str, Any] = {
        "system": ["a"] * 36 + ["b"] * 36 + ["a"],
        "rater": [*rater, *rater, 0],
        "item": [*item, *item, 0],
        "value": [*data["a"].ravel(), *data["b"].ravel(), data["a"][0, 0]],
    }
    with pytest.raises(DataError, match="already rated"):
        Ratings.from_columns(**columns)
    again = compare(Ratings.from_columns(**columns, run=[1] * 72 + [2]))
    assert noted(again)["repeats_averaged"] == {"ratings": 1}
    assert again.pvalue == compare(Ratings.from_arrays(data)).pvalue


@pytest.mark.parametrize(
    ("ratings", "options", "error", "said"),
    [
        ({"a": [[1, 2]], "b": [[2, 4]]}, {}, TooFew, "rated by '0' alone"),
        ({"a": [[1], [2]], "b": [[2], [4]]}, {}, TooFew, "on 1 item"),
        (
            {"a": [[1, 2], [np.nan] * 2], "b": [[np.nan] * 2, [2, 4]]},
            {},
            DataError,
            "may be one between raters",
        ),
        (
            {"a": [[1, 2], [np.nan] * 2], "b": [[np.nan] * 2, [2, 4]]},
            {"raters_as": "fixed"},
            DataError,
            "may be one between raters",
        ),
        (
            {"a": [[1, 2], [2, 3]], "b": [[2, 4], [3, 3]]},
            {"test": "paired_t"},
            Unsuitable,
            "raters_as='fixed'",
        ),
        (
            {"a": [[1, 2], [2, 3]], "b": [[2, 4], [3, 3]]},
            {"interval": "student_t"},
            Unsuitable,
            "raters_as='fixed'",
        ),
        ({"a": [[1, 2], [2, 3]], "b": [[2, 4], [3, 3]]}, {"metric": "f1"}, Unsuitable, "leave metric"),
        ({"a": [[1, 2], [2, 3]], "b": [[2, 4], [3, 3]]}, {"by": "week"}, UsageError, "leave by"),
        (
            {"a": [[1, 2], [2, 3]], "b": [[1, 2], [2, 3]], "c": [[0, 0], [1, 1]]},
            {},
            UsageError,
            "name two of them",
        ),
        ({"a": [[1, 2], [2, 3]], "b": [[1, 2], [2, 3]]}, {"b": "c"}, DataError, "no system is called 'c'"),
        ({"a": [[1, 2], [2, 3]], "b": [[2, 3], [3, 4]]}, {}, DataError, "rater_sign_flip"),
    ],
)
def test_refusals(ratings: dict[str, Any], options: dict[str, Any], error: type[TellapartError], said: str) -> None:
    """One line with the way out."""
    with pytest.raises(error) as refused:
        compare(Ratings.from_arrays(ratings), **options)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_one_rater_of_a_pair_may_be_spoken_of() -> None:
    """The way out of a single rater works."""
    answer = compare(Ratings.from_arrays({"a": [[1, 2, 4, 3]], "b": [[2, 4, 4, 5]]}), raters_as="fixed")
    assert answer.effect == 1.25


def test_clusters_have_no_place(tmp_path: Path) -> None:
    """A cluster column is refused; as items, with items as runs, clusters are compared."""
    rng = np.random.default_rng(1)
    path = tmp_path / "clustered.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "item", "rater", "cluster", "rating"])
        for item in range(24):
            for rater in range(6):
                for system in "ab":
                    writer.writerow([system, item, rater, item // 3, round(float(rng.normal()), 3)])
    with pytest.raises(Unsuitable, match="24 items come in 8 clusters"):
        compare(path)
    answer = compare(read(path, columns={"item": "cluster", "run": "item"}))
    assert answer.items == 8
    assert compare(read(path, columns={"cluster": "none"})).items == 24
    assert noted(answer)["repeats_averaged"]["ratings"] == 2 * 6 * 16
    assert compare(path, raters_as="fixed").clusters == 8


def test_identical_systems() -> None:
    """Nothing differs: p is 1, and nothing is claimed."""
    same = made()["a"]
    answer = compare(Ratings.from_arrays({"a": same, "b": same}))
    assert (answer.pvalue, answer.effect, answer.verdict) == (1.0, 0.0, "undetermined")
