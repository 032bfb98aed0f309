"""Leaderboards over several datasets."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.parts import AcrossResult
from tellapart.answers.page import page_of
from tellapart.answers.parts import codes
from tellapart.data.scores import Scores
from tellapart.verbs.rank import rank

SIZES = {"easy": 40, "hard": 60, "odd": 30, "plain": 50}


def suite(gaps: dict[str, float], factor: float = 1.0, seed: int = 0) -> tuple[dict[str, Any], list[str]]:
    """Three systems: 'old', 'new' = old + a gap per dataset, and 'noise'; the dataset 'odd' is in another unit."""
    rng = np.random.default_rng(seed)
    homes = [name for name, size in SIZES.items() for _ in range(size)]
    unit = np.array([factor if home == "odd" else 1.0 for home in homes])
    gap = np.array([gaps.get(home, 0.0) for home in homes])
    common = rng.normal(size=len(homes))
    rows = {name: 0.5 * rng.normal(size=len(homes)) + common for name in ("old", "new", "noise")}
    rows["new"] = rows["new"] + gap
    return {name: unit * row for name, row in rows.items()}, homes


def ranked(values: dict[str, Any], homes: list[str], **options: Any) -> Leaderboard:
    scores = Scores.from_arrays(values, items=range(len(homes)), datasets=homes)
    return rank(scores, datasets=True, **{"resamples": 999, **options})


def across(board: Leaderboard, a: str, b: str) -> tuple[AcrossResult, float]:
    """The pair, and whether its sides are as asked (1) or swapped (−1)."""
    assert board.datasets is not None
    for found in board.datasets.across:
        if {found.a, found.b} == {a, b}:
            return found, 1.0 if found.a == a else -1.0
    raise AssertionError("no such pair")


def test_each_dataset_alone() -> None:
    """The leaderboard within a dataset is the leaderboard of its items."""
    values, homes = suite({"easy": 0.6})
    board = ranked(values, homes)
    assert board.datasets is not None
    assert [d.name for d in board.datasets.within] == sorted(SIZES)
    easy = np.array(homes) == "easy"
    alone = rank(
        Scores.from_arrays({n: v[easy] for n, v in values.items()}, items=np.flatnonzero(easy).tolist()),
        resamples=999,
    )
    within = board.datasets.within[0]
    assert [s.name for s in within.systems] == [s.name for s in alone.systems]
    assert [s.mean for s in within.systems] == pytest.approx([s.mean for s in alone.systems], rel=1e-12, abs=0.0)
    for p, q in zip(within.pairs, alone.pairs, strict=True):
        assert p.adjusted_pvalue == pytest.approx(q.adjusted_pvalue, abs=0.06)


def test_pooled_datasets_are_said() -> None:
    """Unless each was asked for, or there is one."""
    values, homes = suite({})
    together = Scores.from_arrays(values, items=range(len(homes)), datasets=homes)
    (pooled,) = (note for note in rank(together, resamples=999).notes if note.code == "datasets_pooled")
    assert pooled.values == {"datasets": 4}
    assert "datasets_pooled" not in codes(ranked(values, homes).notes)
    assert "datasets_pooled" not in codes(rank(together.within("easy"), resamples=999).notes)


def test_suite_means() -> None:
    """Equal weights average datasets; item weights average items, as the main table does."""
    values, homes = suite(dict.fromkeys(SIZES, 0.2) | {"hard": 0.8})
    board = ranked(values, homes)
    pair, sign = across(board, "old", "new")
    difference = sign * (values["new"] - values["old"])
    by_dataset = [difference[np.array(homes) == name].mean() for name in SIZES]
    assert pair.equal_weight.effect == pytest.approx(np.mean(by_dataset), rel=1e-9, abs=0.0)
    assert pair.item_weight.effect == pytest.approx(difference.mean(), rel=1e-9, abs=0.0)
    assert pair.new_dataset.mean.low < pair.new_dataset.mean.effect < pair.new_dataset.mean.high
    assert pair.new_dataset.prediction_low is not None
    assert pair.new_dataset.prediction_low <= pair.new_dataset.mean.low
    assert pair.equal_weight.adjusted_pvalue >= pair.equal_weight.pvalue


def test_counts_of_significant_datasets_are_corrected() -> None:
    """Wins that hold after correction over pairs and datasets are counted, plain wins are only counted as wins."""
    values, homes = suite({"easy": 0.9, "hard": 0.9, "odd": 0.9})
    pair, sign = across(ranked(values, homes), "old", "new")
    assert sign == 1.0
    assert pair.datasets == 4
    assert pair.significant_wins == 3
    assert pair.significant_losses == 0
    assert pair.wins_at_least == 3
    assert pair.losses_at_least == 0
    assert pair.wins.wins + pair.wins.losses + pair.wins.ties == 4
    assert pair.wins.low is not None
    assert pair.wins.low < pair.wins.wins / 4 <= (pair.wins.high or 0.0)


def test_effects_that_differ_between_datasets() -> None:
    """Opposite effects leave heterogeneity, and no claim about a new dataset."""
    values, homes = suite({"easy": 1.0, "hard": -1.0, "odd": 1.0, "plain": -1.0})
    pair, _ = across(ranked(values, homes), "old", "new")
    assert pair.heterogeneity.i_squared > 0.9
    assert pair.heterogeneity.pvalue < 1e-6
    assert pair.new_dataset.mean.pvalue > 0.1
    assert pair.significant_wins == pair.significant_losses == 2


def test_different_scales_are_never_averaged_raw() -> None:
    """A dataset in another unit changes neither p-values nor effects across: scores are standardised, and that is said."""
    gaps = dict.fromkeys(SIZES, 0.3)
    one, other = (ranked(*suite(gaps, factor)) for factor in (1000.0, 10.0**5))
    assert one.datasets is not None
    assert one.datasets.unit == "standardised"
    assert "standardised" in codes(one.notes)
    assert [p.adjusted_pvalue for p in one.pairs] == [p.adjusted_pvalue for p in other.pairs]
    assert across(one, "old", "new")[0].equal_weight.effect == pytest.approx(
        across(other, "old", "new")[0].equal_weight.effect, rel=1e-9, abs=0.0
    )


def test_scales_matter_without_datasets_too() -> None:
    """The plain leaderboard does not average different scales raw either."""
    values, homes = suite({}, 1000.0)
    board = rank(Scores.from_arrays(values, items=range(len(homes)), datasets=homes), resamples=999)
    assert board.datasets is None
    assert "standardised" in codes(board.notes)


def test_stouffer_combines_the_datasets() -> None:
    """The combined p-value is the weighted z of the datasets' t tests."""
    values, homes = suite(dict.fromkeys(SIZES, 0.15))
    pair, sign = across(ranked(values, homes), "old", "new")
    difference = sign * (values["new"] - values["old"])
    parts = [difference[np.array(homes) == name] for name in sorted(SIZES)]
    z = [stats.norm.isf(stats.ttest_1samp(d, 0, alternative="greater").pvalue) for d in parts]
    weights = np.sqrt([len(d) for d in parts])
    combined = weights @ z / np.sqrt(np.sum(weights**2))
    assert pair.stouffer_pvalue == pytest.approx(2 * stats.norm.sf(abs(combined)), rel=1e-8, abs=0.0)


def test_a_system_without_a_dataset() -> None:
    """Pairwise, a system that skipped a dataset is compared on the others."""
    values, homes = suite(dict.fromkeys(SIZES, 0.4))
    values["noise"] = np.where(np.array(homes) == "hard", np.nan, values["noise"])
    board = ranked(values, homes, missing="pairwise")
    assert board.datasets is not None
    sizes = {d.name: len(d.systems) for d in board.datasets.within}
    assert sizes == {"easy": 3, "hard": 2, "odd": 3, "plain": 3}
    assert across(board, "old", "new")[0].datasets == 4
    assert across(board, "old", "noise")[0].datasets == 3


def test_one_dataset() -> None:
    """Across needs two datasets, and the notes say so."""
    values, homes = suite({})
    board = ranked(values, ["only"] * len(homes))
    assert board.datasets is not None
    assert board.datasets.across == ()
    assert [n.values for n in board.notes if n.code == "too_few_datasets"] == [{"datasets": 1}]


@pytest.mark.parametrize("factor", [2.0**-300, 2.0**300])
def test_units_do_not_matter_across(factor: float) -> None:
    """Very small and very large scores have the same p-values, heterogeneity and counts across datasets."""
    values, homes = suite({"easy": 1.0, "hard": -0.5})
    one = across(ranked(values, homes), "old", "new")[0]
    other = across(ranked({n: factor * v for n, v in values.items()}, homes), "old", "new")[0]
    for part in ("equal_weight", "item_weight"):
        assert getattr(other, part).pvalue == pytest.approx(getattr(one, part).pvalue, rel=1e-9, abs=0.0)
        assert getattr(other, part).effect / factor == pytest.approx(getattr(one, part).effect, rel=1e-9, abs=0.0)
    assert other.new_dataset.mean.pvalue == pytest.approx(one.new_dataset.mean.pvalue, rel=1e-9, abs=0.0)
    assert other.heterogeneity.tau / factor == pytest.approx(one.heterogeneity.tau, rel=1e-9, abs=0.0)
    assert other.significant_wins == one.significant_wins


def test_twins_across_datasets() -> None:
    """Identical systems have effect 0 and p = 1 on every summary."""
    values, homes = suite({})
    values["twin"] = values["old"].copy()
    pair, _ = across(ranked(values, homes), "old", "twin")
    assert pair.equal_weight.effect == 0.0
    assert pair.equal_weight.pvalue == pair.new_dataset.mean.pvalue == pair.stouffer_pvalue == 1.0
    assert pair.wins.low is None
    assert pair.significant_wins == pair.wins_at_least == 0


def test_lower_is_better_across() -> None:
    """Wins are wins in the direction that is better."""
    values, homes = suite({"easy": -0.9, "hard": -0.9})
    board = ranked(values, homes, lower_is_better=True)
    pair, sign = across(board, "old", "new")
    assert sign == 1.0
    assert pair.significant_wins == 2
    assert pair.wins_at_least == 2
    assert pair.equal_weight.effect < 0.0


def test_clusters_over_several_datasets_are_said() -> None:
    """Datasets that share clusters are not independent, and the notes say so; clusters within datasets are fine."""
    values, homes = suite({})
    scores = {
        name: Scores.from_arrays(values, items=range(len(homes)), datasets=homes, clusters=codes)
        for name, codes in (
            ("across", [i % 12 for i in range(len(homes))]),
            ("within", [i // 5 for i in range(len(homes))]),
        )
    }
    said = {
        name: "clusters_span_datasets" in codes(rank(s, datasets=True, resamples=299).notes)
        for name, s in scores.items()
    }
    assert said == {"across": True, "within": False}


def test_a_new_dataset_is_predicted_and_not_the_mean() -> None:
    """The page has both intervals under their own names; with two datasets nothing is predicted, and that is said."""
    values, homes = suite({"easy": 0.9, "hard": 0.1})
    board = ranked(values, homes)
    grid = next(grid for grid in page_of(board).grids if grid.caption.startswith("across"))
    mean, new = (grid.titles.index(title) for title in ("mean of such, 95 % CI", "a new dataset, 95 %"))
    pair = next(p for p in board.datasets.across if p.b == board.systems[0].name) if board.datasets else None
    assert pair is not None
    assert grid.rows[0][mean].values == (pair.new_dataset.mean.low, pair.new_dataset.mean.high)
    assert grid.rows[0][new].values == (pair.new_dataset.prediction_low, pair.new_dataset.prediction_high)
    assert "no_prediction" not in codes(board.notes)
    across_all = () if board.datasets is None else board.datasets.across
    alike = sum(p.heterogeneity.i_squared < 0.5 for p in across_all)
    assert [n.values["pairs"] for n in board.notes if n.code == "narrow_predictions"] == [alike]
    kept = np.isin(homes, ["easy", "hard"])
    two = ranked({name: row[kept] for name, row in values.items()}, [h for h, k in zip(homes, kept, strict=True) if k])
    grid = next(grid for grid in page_of(two).grids if grid.caption.startswith("across"))
    assert grid.rows[0][new].text == "none"
    assert "no_prediction" in codes(two.notes)
    assert two.to_dict()["datasets"]["across"][0]["new_dataset"]["prediction_low"] is None


def test_datasets_that_agree_to_the_digit() -> None:
    """The same items twice are two datasets with one effect; that is no certainty about a third."""
    values, homes = suite({"easy": 0.4})
    first = np.array(homes) == "easy"
    twice = {name: np.concatenate([row[first]] * 2) for name, row in values.items()}
    pair, _ = across(ranked(twice, ["one"] * 40 + ["two"] * 40), "old", "new")
    new = pair.new_dataset
    assert new.mean.low < new.mean.effect < new.mean.high
    assert new.mean.high - new.mean.low > pair.equal_weight.high - pair.equal_weight.low
    assert 0.0 < new.mean.pvalue <= new.mean.adjusted_pvalue <= 1.0


@pytest.mark.parametrize("factor", [1.0, 1000.0])
def test_one_item_in_another_unit(factor: float) -> None:
    """A dataset of one item is brought to the common scale too, whatever its unit."""
    rng = np.random.default_rng(2)
    values = {name: np.append(0.9 * rng.random(60), factor * (5000.0 + i)) for i, name in enumerate("abc")}
    board = ranked(values, ["many"] * 60 + ["one"])
    assert board.datasets is not None
    assert board.datasets.unit == "standardised"
    assert board.datasets.left_out == ("one",)
    spans = [abs(pair.effect) for pair in board.pairs]
    assert max(spans) < 1.0


def test_a_constant_gap_across_datasets() -> None:
    """Rounding in a constant difference is not taken for a tiny error."""
    row = np.random.default_rng(3).normal(size=40)
    third = np.where(np.arange(40) % 7 == 0, np.nan, row)
    values = {"old": row, "new": row + 0.1, "third": third}
    pair, _ = across(ranked(values, ["one"] * 20 + ["two"] * 20, missing="pairwise"), "old", "new")
    assert pair.equal_weight.high - pair.equal_weight.low > 1e-3


@pytest.mark.parametrize(
    ("correction", "said"),
    [
        ("max_t", "corrected over pairs and, by Bonferroni, over datasets"),
        ("bh", "over pairs by Benjamini–Hochberg, a screen"),
        ("none", "not over pairs"),
    ],
)
def test_how_counts_are_corrected_is_said(correction: str, said: str) -> None:
    """Counts of significant datasets inherit the correction that was asked for, and the note does not promise another."""
    board = ranked(*suite({"easy": 0.9}), correction=correction)
    (note,) = (note for note in board.notes if note.code == "across_datasets")
    assert said in note.text
