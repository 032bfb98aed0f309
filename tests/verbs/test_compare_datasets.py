"""`compare` on several datasets: that it pooled, what each says alone, and what they say together."""

from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from tellapart import Scores, compare
from tellapart.answers.comparison.page_tables import dataset_grid
from tellapart.answers.comparison.texts import across_datasets
from tellapart.answers.parts import codes

BIG, SMALL, WRONG = 0.25, 0.01, -0.01


def suite(gains: list[float], items: int = 60, seed: int = 1) -> Scores:
    """Datasets on which B gains so much on average, to the digit, with a spread of 0.3."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.3, (len(gains), items))
    lifts = noise - noise.mean(axis=1, keepdims=True) + np.array(gains)[:, np.newaxis]
    a = rng.normal(0.5, 0.2, lifts.shape)
    homes = [f"d{i:02d}" for i in range(len(gains)) for _ in range(items)]
    names = [f"q{i}" for _ in gains for i in range(items)]
    return Scores.from_arrays({"a": a.ravel(), "b": (a + lifts).ravel()}, items=names, datasets=homes)


def test_the_report_of_eighteen_datasets() -> None:
    """The sentence of document 001, and every number of it as a field."""
    answer = compare(suite([BIG] * 2 + [SMALL] * 13 + [WRONG] * 3))
    across = answer.across_datasets
    assert across is not None
    assert (across.datasets, across.wins, across.losses, across.ties) == (18, 15, 3, 0)
    assert (across.significant_wins, across.significant_losses) == (2, 0)
    assert (across.wins_low, across.wins_high) == pytest.approx(
        proportion_confint(15, 18, 0.05, method="wilson"), rel=1e-12, abs=0.0
    )
    said = "b is ahead on 15 of 18 datasets (95 % CI of that share [.61, .94]); significantly on 2 before and 2 after Holm."
    assert across.sentence == said
    assert answer.sentence.endswith(said)
    pooled = next(note for note in answer.notes if note.code == "datasets_pooled")
    assert pooled.values == {"datasets": 18}


@pytest.mark.parametrize("test", [None, "wilcoxon"])
def test_each_dataset_is_what_compare_says_of_it_alone(test: str | None) -> None:
    """The same effect, test and p-value; the correction and the level of the interval know of the others."""
    scores = suite([BIG, SMALL, WRONG], items=30)
    answer = compare(scores, test=test)
    assert answer.datasets is not None
    adjusted = multipletests([one.pvalue for one in answer.datasets], method="holm")[1]
    for found, least in zip(answer.datasets, adjusted, strict=True):
        alone = compare(scores.within(found.dataset), test=test)
        assert (found.items, found.effect, found.pvalue, found.test) == (
            alone.items,
            alone.effect,
            alone.pvalue,
            alone.test,
        )
        at_its_step = compare(scores.within(found.dataset), test=test, alpha=1.0 - found.interval.level)
        assert found.interval.low == pytest.approx(at_its_step.interval.low, rel=1e-9, abs=0.0)
        assert found.adjusted_pvalue == pytest.approx(least, rel=1e-12, abs=0.0)
        assert (found.verdict == "b better") == (found.adjusted_pvalue <= 0.05)
        assert alone.datasets is None
        assert "datasets" not in alone.to_dict()


def test_heterogeneity_is_cochrans() -> None:
    """Q of the effects by their squared standard errors, I² from it, and no scatter where Q is small."""
    scores = suite([0.3, 0.0, -0.2])
    found = compare(scores).across_datasets
    assert found is not None
    alone = [compare(scores.within(name)) for name in scores.datasets]
    effects = np.array([one.effect for one in alone])
    weights = np.array([1.0 / (one.standard_error or np.nan) ** 2 for one in alone])
    mean = np.sum(weights * effects) / weights.sum()
    q = np.sum(weights * (effects - mean) ** 2)
    assert found.heterogeneity.q == pytest.approx(q, rel=1e-9, abs=0.0)
    assert found.heterogeneity.i_squared == pytest.approx((q - 2) / q, rel=1e-9, abs=0.0)
    assert found.heterogeneity.tau > 0.1
    even = compare(suite([0.1, 0.1, 0.1])).across_datasets
    assert even is not None
    assert even.heterogeneity.tau == 0.0


def test_the_correction_that_was_used_is_the_one_that_is_named() -> None:
    """In the sentence, and over the column of adjusted p-values."""
    answer = compare(suite([BIG, SMALL]))
    across = answer.across_datasets
    assert across is not None
    assert (across.correction, across.correction_label) == ("holm", "Holm")
    other = replace(across, correction="hommel", correction_label="Hommel")
    assert "after Hommel" in across_datasets(other, "b", 0.05)
    (grid,) = dataset_grid(replace(answer, across_datasets=other))
    assert grid.columns[-1].title == "Hommel"


def test_lower_is_better_counts_the_other_way() -> None:
    """Wins are of the better system, whichever way is up; the sign of effects stays."""
    answer = compare(suite([BIG, BIG, WRONG]), lower_is_better=True)
    across = answer.across_datasets
    assert across is not None
    assert (across.wins, across.losses, across.significant_wins, across.significant_losses) == (1, 2, 0, 2)
    assert answer.datasets is not None
    assert [one.verdict for one in answer.datasets] == ["a better", "a better", "undetermined"]


def test_a_dataset_that_says_nothing_is_named() -> None:
    """One item is no sample: pooled, and left out of the table of datasets."""
    whole = suite([SMALL, SMALL], items=20)
    keep = [i for i, (home, _) in enumerate(whole.items) if home == "d00"] + [20]
    scores = Scores(whole.systems, tuple(whole.items[i] for i in keep), whole.values[:, keep])
    answer = compare(scores)
    assert answer.items == 21
    assert answer.datasets is not None
    assert [one.dataset for one in answer.datasets] == ["d00"]
    assert answer.across_datasets is None
    left_out = next(note for note in answer.notes if note.code == "datasets_left_out")
    assert left_out.values == {"datasets": ["d01"]}


def test_one_dataset_is_not_pooled() -> None:
    """Nor are datasets that only a third system was scored on."""
    whole = suite([SMALL, SMALL], items=20)
    values = np.concatenate([whole.values, whole.values[:1]])
    values[:2, 20:] = np.nan
    scores = Scores(("a", "b", "c"), whole.items, values)
    answer = compare(scores, "a", "b")
    assert answer.datasets is None
    assert "datasets_pooled" not in codes(answer.notes)


def test_intervals_leave_zero_out_exactly_where_the_verdict_names_a_system() -> None:
    """Each is at the level of its Holm step, over many suites near the border."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        answer = compare(suite(list(rng.normal(0.12, 0.08, 6)), items=25))
        assert answer.datasets is not None
        for one in answer.datasets:
            excludes = one.interval.low > 0.0 or one.interval.high < 0.0
            assert excludes == (one.verdict != "undetermined")
            assert excludes == (one.adjusted_pvalue <= 0.05)
