"""What each interval says of itself, which verbs and reports go by."""

from tellapart.methods.intervals import INTERVALS
from tellapart.metrics import METRICS

ALL = [INTERVALS.parse(name) for name in INTERVALS]


def test_who_sees_clusters() -> None:
    """The cluster intervals need them; the bootstrap, and those of seeds and of judges, take them where they are known."""
    assert {interval.name for interval in ALL if interval.needs_clusters} == {
        "cluster_t",
        "cluster_sign_flip",
    }
    for metric in map(METRICS.parse, METRICS):
        assert {interval.name for interval in ALL if interval.sees_clusters(metric)} == {
            "cluster_t",
            "cluster_sign_flip",
            "bootstrap",
            "both",
            "judge_regression",
            "seeds_t",
        }


def test_what_they_bound() -> None:
    """Differences of means, except the pseudo-median and the shares of one system."""
    about = {interval.name: interval.target for interval in ALL if interval.target != "mean difference"}
    shares = ("wilson", "clopper_pearson", "jeffreys", "agresti_coull")
    assert about == {
        **dict.fromkeys(shares, "share of items right"),
        "hodges_lehmann": "pseudo-median of the differences",
    }
    assert {interval.name for interval in ALL if interval.needs.systems == 1} == set(shares)


def test_labels() -> None:
    """The names that reports print."""
    assert {interval.name: interval.label for interval in ALL} == {
        "student_t": "Student's t",
        "mixed_model": "mixed model, Kenward–Roger",
        "order_score": "score, both orders alike",
        "rater_t": "t over raters",
        "seeds_t": "t over seeds and items",
        "betting": "confidence sequence",
        "judge_regression": "regression on the judge",
        "cluster_t": "cluster t",
        "bootstrap": "studentised bootstrap",
        "hodges_lehmann": "Hodges–Lehmann",
        "tango": "Tango score",
        "newcombe": "Newcombe hybrid score (method 10)",
        "wald": "Wald",
        "bonett_price": "Bonett–Price",
        "welch_t": "Welch t",
        "newcombe_independent": "Newcombe hybrid score",
        "wilson": "Wilson",
        "clopper_pearson": "Clopper–Pearson",
        "jeffreys": "Jeffreys",
        "agresti_coull": "Agresti–Coull",
        "cluster_sign_flip": "cluster sign-flip",
        "both": "the wider of Student's t and studentised bootstrap",
    }
