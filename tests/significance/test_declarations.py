"""What each test says of itself, which verbs, plans and reports go by."""

import pytest

from tellapart.choosing.pairs import suited_to_raters
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

MEAN, F1 = METRICS.parse("mean"), METRICS.parse("f1")
PLAIN = [TESTS.parse(name) for name in TESTS if TESTS[name].claim == "difference"]


def names(which: object) -> set[str]:
    return {test.name for test in PLAIN if which(test)}  # type: ignore[operator]


def test_who_counts_signs() -> None:
    """Those whose p-value has a floor that the number of items, or clusters, that differ sets."""
    found = names(lambda test: test.counts_signs)
    assert found == {
        "permutation",
        "sign",
        "wilcoxon",
        "mcnemar",
        "cluster_sign_flip",
        "rater_sign_flip",
    }


def test_who_sees_clusters() -> None:
    """Those of clusters, of seeds and of judges and the bootstrap do, permutation of metrics that are no means, others never."""
    of_clusters = {"cluster_t", "cluster_sign_flip"}
    always = of_clusters | {"bootstrap", "both", "judge_regression", "seeds_t"}
    assert names(lambda test: test.needs_clusters) == of_clusters
    assert names(lambda test: test.sees_clusters(MEAN)) == always
    assert names(lambda test: test.sees_clusters(F1)) == always | {"permutation"}


def test_what_they_are_about() -> None:
    """All are about the mean difference, except those of ranks and of signs; all claim a difference."""
    about = {test.name: test.estimand for test in PLAIN if test.estimand != "mean difference"}
    assert about == {
        "wilcoxon": "pseudo-median of the differences",
        "sign": "share of items won",
        "rater_sign_flip": "mean difference on these items",
    }
    assert {test.claim for test in PLAIN} == {"difference"}
    claims = {name: TESTS[name].claim for name in TESTS if name not in {test.name for test in PLAIN}}
    assert claims == {"equivalence": "equivalence", "non_inferiority": "non-inferiority"}


def test_what_stands_beside_them() -> None:
    """The interval printed beside each, and the test that has an answer where it has none."""
    beside = {test.name: (test.interval, test.advice) for test in PLAIN}
    assert beside == {
        "paired_t": ("student_t", "permutation"),
        "sign": ("student_t", "permutation"),
        "wilcoxon": ("hodges_lehmann", "permutation"),
        "permutation": ("bootstrap(kind=studentised)", "permutation"),
        "bootstrap": ("bootstrap(kind=studentised)", "permutation"),
        "mcnemar": ("tango", "sign"),
        "cluster_t": ("cluster_t(variance=cr2)", "cluster_sign_flip"),
        "cluster_sign_flip": ("cluster_t(variance=cr2)", "permutation"),
        "welch_t": ("welch_t", "two_proportion_z"),
        "two_proportion_z": ("newcombe_independent", "welch_t"),
        "both": ("both(first=student_t, second=bootstrap(kind=studentised))", "permutation"),
        "mixed_model": ("mixed_model(df=kenward_roger)", "rater_sign_flip"),
        "order_score": ("order_score", "mcnemar"),
        "rater_sign_flip": ("rater_t", "permutation"),
        "rater_t": ("rater_t", "rater_sign_flip"),
        "seeds_t": ("seeds_t(df=satterthwaite)", "paired_t"),
        "betting": ("betting", "permutation"),
        "judge_regression": ("judge_regression", "paired_t"),
    }


def test_which_draw_again() -> None:
    """Tests that take long in a simulation say so; all others, whose laws are computed, say that they do not."""
    said = {test.name: test.resampling for test in PLAIN}
    assert {name for name, draws in said.items() if draws} == {"bootstrap", "both"}
    assert all(isinstance(draws, bool) for draws in said.values())


@pytest.mark.parametrize(
    ("test", "times"),
    [
        ("bootstrap", 9_999),
        ("bootstrap(resamples=499)", 499),
        ("permutation", 0),
        ("permutation(resamples=250)", 250),
        ("both", 9_999),
        ("both(first=paired_t, second=bootstrap(resamples=199))", 199),
        ("both(first=paired_t, second=cluster_t)", 0),
        ("equivalence(test=bootstrap(resamples=499), margin=0.1)", 499),
        ("non_inferiority(test=paired_t, margin=0.1)", 0),
        ("wilcoxon", 0),
    ],
)
def test_how_often_they_draw_again(test: str, times: int) -> None:
    """As often as their options say, the more often of two; a test whose law is computed never does."""
    found = TESTS.parse(test)
    assert (found.resample_count, found.resampling) == (times, times > 0)
    assert isinstance(found.resample_count, int)


@pytest.mark.parametrize(
    ("raters", "items", "alone", "test"),
    [
        (6, 6, False, "mixed_model(df=kenward_roger)"),
        (5, 6, False, "mixed_model(df=cochran)"),
        (6, 5, False, "mixed_model(df=cochran)"),
        (60, 60, True, "rater_t"),
    ],
)
def test_what_suits_so_many_raters_and_items(raters: int, items: int, alone: bool, test: str) -> None:
    """Few levels have Cochran's degrees of freedom; where each item has one rater, raters are the sample."""
    assert suited_to_raters(raters, items, one_rater_per_item=alone) == test


def test_labels() -> None:
    """The names that reports print."""
    assert {test.name: test.label for test in PLAIN} == {
        "paired_t": "paired t",
        "sign": "sign test",
        "wilcoxon": "Wilcoxon signed-rank",
        "permutation": "permutation test",
        "bootstrap": "studentised bootstrap",
        "mcnemar": "McNemar mid-p",
        "cluster_t": "cluster t",
        "cluster_sign_flip": "cluster sign-flip",
        "welch_t": "Welch t",
        "two_proportion_z": "two-proportion z",
        "both": "paired t and studentised bootstrap, larger p",
        "mixed_model": "mixed model, Kenward–Roger",
        "order_score": "score test of both orders alike",
        "rater_sign_flip": "rater sign-flip, on these items",
        "rater_t": "t over raters",
        "seeds_t": "t over seeds and items",
        "betting": "betting",
        "judge_regression": "regression on the judge",
    }
