"""`compare`: what it answers, how it chooses, what it refuses."""

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare
from tellapart.errors import Degenerate, ItemMismatch, TooFew, UnknownSystem, Unsuitable, UsageError


def continuous(n: int = 120, effect: float = 0.02, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    common = rng.normal(0.5, 0.15, n)
    return Scores.from_arrays(
        {"old": common + rng.normal(0, 0.05, n), "new": common + effect + rng.normal(0, 0.05, n)},
        measure="nDCG@10",
    )


def binary(n: int = 300, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    base = rng.random(n)
    return Scores.from_arrays(
        {
            "old": (base + 0.2 * rng.random(n) > 0.4).astype(int),
            "new": (base + 0.2 * rng.random(n) > 0.36).astype(int),
        }
    )


def test_the_numbers_are_those_of_scipy() -> None:
    """Effect, p-value and interval of the default test on continuous scores."""
    scores = continuous()
    answer = compare(scores)
    a, b = scores.values[0, :, 0, 0], scores.values[1, :, 0, 0]
    peer = stats.ttest_rel(b, a)
    assert answer.test == "paired_t"
    assert answer.pvalue == pytest.approx(peer.pvalue, rel=1e-9)
    assert (answer.interval.low, answer.interval.high) == pytest.approx(
        tuple(peer.confidence_interval(0.95)), rel=1e-9
    )
    assert answer.effect == pytest.approx((b - a).mean(), rel=1e-12)
    assert answer.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], rel=1e-12)
    assert answer.sd_difference == pytest.approx((b - a).std(ddof=1), rel=1e-12)


def test_json_has_the_contracted_keys_and_is_strict() -> None:
    """Other programs rely on these names; NaN never reaches JSON."""
    keys = [
        "schema",
        "a",
        "b",
        "metric",
        "measure",
        "items",
        "clusters",
        "lost",
        "effect",
        "interval",
        "pvalue",
        "test",
        "correlation",
        "sd_difference",
        "discordance",
        "detectable",
        "effects",
        "equivalence",
        "verdict",
        "sentence",
        "reasons",
        "notes",
        "signature",
    ]
    said = json.loads(compare(continuous(), margin=0.05).to_json(), parse_constant=pytest.fail)
    assert set(keys) <= set(said)
    assert said["schema"] == "tellapart/comparison/1"
    assert set(said["interval"]) == {"low", "high", "level", "method"}
    assert set(said["a"]) == {"name", "mean", "interval"}
    assert set(said["detectable"]) == {"effect", "power"}
    assert set(said["equivalence"]) == {"margin", "pvalue"}
    assert said["discordance"] is None
    assert "tests" not in said


@pytest.mark.parametrize(
    ("scores", "test", "interval"),
    [
        (continuous(120), "paired_t", "student_t"),
        (continuous(49), "permutation", "bootstrap(kind=studentised)"),
        (binary(), "mcnemar(variant=mid_p)", "tango"),
        (Scores.from_arrays({"a": np.arange(80) % 5, "b": np.arange(80) % 7}), "permutation", "bootstrap(kind=studentised)"),
        (Scores.from_arrays({"a": np.arange(80.0) ** 0.5, "b": np.arange(80.0) ** 0.51}, clusters=np.arange(80) // 4), "cluster_t(variance=cr1)", "cluster_t(variance=cr1)"),
        (Scores.from_arrays({"a": np.arange(80.0) ** 0.5, "b": np.arange(80.0) ** 0.51}, clusters=np.arange(80) // 10), "cluster_sign_flip", "cluster_t(variance=cr1)"),
        (Scores.from_arrays({"a": np.arange(80) % 2, "b": np.arange(80) // 5 % 2}, clusters=np.arange(80) // 4), "cluster_t(variance=cr1)", "cluster_t(variance=cr1)"),
    ],
)  # fmt: skip
def test_the_choice_follows_the_shape(scores: Scores, test: str, interval: str) -> None:
    """Clusters first, then right-or-wrong, then discrete or few items, else the paired t; and it says why."""
    answer = compare(scores)
    assert (answer.test, answer.interval.method) == (test, interval)
    assert answer.reasons


def test_swapping_names_mirrors_the_answer() -> None:
    """B − A is minus A − B, and the verdict follows."""
    scores = continuous()
    one, other = compare(scores, a="old", b="new"), compare(scores, a="new", b="old")
    assert (one.effect, one.interval.low) == pytest.approx((-other.effect, -other.interval.high))
    assert (one.verdict, other.verdict) == ("b better", "a better")


def test_lower_is_better_turns_the_verdict_not_the_sign() -> None:
    """An error rate that rises is worse; the effect stays B − A."""
    one, other = compare(continuous()), compare(continuous(), lower_is_better=True)
    assert one.effect == other.effect
    assert (one.verdict, other.verdict) == ("b better", "a better")


def test_order_of_rows_is_irrelevant() -> None:
    """Items are paired and ordered by id: even the last bit and the signature agree."""
    rng = np.random.default_rng(4)
    a, b, names = rng.random(30), rng.random(30), [f"q{i}" for i in range(30)]
    order = rng.permutation(30)
    one = compare(Scores.from_arrays({"a": a, "b": b}, items=names))
    other = compare(Scores.from_arrays({"a": a[order], "b": b[order]}, items=[names[i] for i in order]))
    assert one == other


def test_margin_separates_equivalent_from_undetermined() -> None:
    """No significant difference and the 1 − 2·alpha interval inside the margin: equivalent; the difference test stays."""
    scores = continuous(400, effect=0.0, seed=3)
    wide, narrow, none = (compare(scores, margin=m) for m in (0.05, 0.0001, None))
    assert wide.verdict == "equivalent"
    assert wide.equivalence is not None
    assert wide.equivalence.pvalue < 0.05
    assert narrow.verdict == "undetermined"
    assert narrow.needed is not None
    assert narrow.needed.items > 400
    assert none.equivalence is None
    assert wide.pvalue == narrow.pvalue == none.pvalue
    assert wide.test == "paired_t"


def test_significant_difference_beats_the_margin() -> None:
    """A difference that is there is named even when it is small enough not to matter."""
    assert compare(continuous(2000), margin=0.5).verdict == "b better"


def test_equivalence_p_is_tost() -> None:
    """The larger of two one-sided t tests at the margin."""
    scores = continuous(60)
    d = scores.values[1, :, 0, 0] - scores.values[0, :, 0, 0]
    lower = stats.ttest_1samp(d, -0.03, alternative="greater").pvalue
    upper = stats.ttest_1samp(d, 0.03, alternative="less").pvalue
    answer = compare(scores, margin=0.03)
    assert answer.equivalence is not None
    assert answer.equivalence.pvalue == pytest.approx(max(lower, upper), rel=1e-9)


def test_binary_scores_get_discordance_and_a_matching_pair() -> None:
    """Right-or-wrong scores report how often the systems differ, and what that many items can detect (Connett)."""
    scores = binary()
    answer = compare(scores)
    a, b = scores.values[0, :, 0, 0], scores.values[1, :, 0, 0]
    share, n = float((a != b).mean()), len(a)
    assert answer.discordance == share
    assert answer.detectable is not None
    z_alpha, z_power = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    needed = (
        z_alpha * share**0.5 + z_power * (share - answer.detectable.effect**2) ** 0.5
    ) ** 2 / answer.detectable.effect**2
    assert needed == pytest.approx(n, rel=1e-9)
    assert {"odds_ratio", "cohen_g"} <= set(answer.effects)


def test_detectable_effect_has_the_stated_power() -> None:
    """At the detectable effect the noncentral t gives 80 %."""
    answer = compare(continuous(50))
    assert answer.detectable is not None
    assert answer.sd_difference is not None
    shift = answer.detectable.effect * 50**0.5 / answer.sd_difference
    critical = stats.t.ppf(0.975, 49)
    assert stats.nct.sf(critical, 49, shift) + stats.nct.cdf(-critical, 49, shift) == pytest.approx(
        0.8, rel=1e-9
    )


def test_all_tests_beside_the_chosen_one() -> None:
    """`test="all"` lists every test that suits, and changes nothing else."""
    one, every = compare(binary()), compare(binary(), test="all")
    assert every.tests is not None
    names = [t.test for t in every.tests]
    assert one.test in names
    assert {"paired_t", "sign", "permutation"} <= set(names)
    assert not any("cluster" in n or "welch" in n for n in names)
    assert every.pvalue == one.pvalue


def test_metrics_of_parts_use_the_same_paths() -> None:
    """F1 and MCC: the effect is the difference of the metrics, and t, permutation and bootstrap roughly agree."""
    rng = np.random.default_rng(5)
    truth = rng.random(200) < 0.4
    guesses = {"a": truth ^ (rng.random(200) < 0.3), "b": truth ^ (rng.random(200) < 0.12)}
    cells = {
        s: np.stack([truth & g, ~truth & g, truth & ~g, ~truth & ~g], axis=-1).astype(float)
        for s, g in guesses.items()
    }
    scores = Scores.from_arrays(cells, parts=("tp", "fp", "fn", "tn"))
    answers = [
        compare(scores, metric="mcc", test=t, interval="bootstrap(kind=studentised)")
        for t in ("paired_t", "permutation", "bootstrap(kind=studentised)")
    ]
    expected = [np.corrcoef(truth, g)[0, 1] for g in guesses.values()]
    for answer in answers:
        assert (answer.a.mean, answer.b.mean) == pytest.approx(expected, rel=1e-9)
        assert answer.effect == pytest.approx(expected[1] - expected[0], rel=1e-9)
        assert answer.pvalue < 0.01
        assert answer.verdict == "b better"


def test_runs_are_averaged_within_items() -> None:
    """Five runs an item are five looks at one item, not five items."""
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(60, 5)), rng.normal(size=(60, 3))
    repeated = Scores.from_arrays({"a": a, "b": b})
    averaged = Scores.from_arrays({"a": a.mean(axis=1), "b": b.mean(axis=1)})
    answer = compare(repeated)
    assert answer.pvalue == pytest.approx(compare(averaged).pvalue, rel=1e-9)
    assert answer.items == 60
    assert answer.repeats is not None
    assert answer.repeats.within_item_variance_a == pytest.approx(a.var(axis=1, ddof=1).mean())
    assert any("averaged within each item" in n for n in answer.notes)


def test_nothing_differs() -> None:
    """All differences zero: p = 1, an interval at zero, no verdict."""
    for values in (np.arange(60.0) ** 0.5, np.arange(60) % 2):
        answer = compare(Scores.from_arrays({"a": values, "b": values}))
        assert (answer.pvalue, answer.effect, answer.verdict) == (1.0, 0.0, "undetermined")
        json.loads(answer.to_json(), parse_constant=pytest.fail)


def test_constant_difference_is_refused_by_t_with_the_way_out() -> None:
    """No spread, no t; the permutation test that the message names does answer."""
    values = np.arange(10.0)
    scores = Scores.from_arrays({"a": values, "b": values + 0.5})
    with pytest.raises(Degenerate, match="--test permutation"):
        compare(scores, test="paired_t")
    assert compare(scores, test="permutation", interval="student_t").pvalue == 2.0**-9


def test_unpaired_tests_only_for_systems_that_share_no_item() -> None:
    """Throwing the pairing away is refused; without shared items the test must be named."""
    with pytest.raises(Unsuitable, match="share 120"):
        compare(continuous(), test="welch_t")
    a, b = np.r_[np.arange(20.0), np.full(15, np.nan)], np.r_[np.full(20, np.nan), np.arange(15.0) + 9]
    apart = Scores.from_arrays({"a": a, "b": b})
    with pytest.raises(ItemMismatch, match="share no item"):
        compare(apart)
    answer = compare(apart, test="welch_t")
    assert answer.pvalue == pytest.approx(
        stats.ttest_ind(np.arange(15.0) + 9, np.arange(20.0), equal_var=False).pvalue, rel=1e-9
    )
    assert answer.correlation is None


def test_missing_items_are_an_error_or_counted() -> None:
    """An item only one system has is never dropped in silence."""
    scores = Scores.from_arrays(
        {"a": [0.1, 0.2, 0.3, 0.7], "b": [0.2, np.nan, 0.4, 0.1]}, items=["q1", "q2", "q3", "q4"]
    )
    with pytest.raises(ItemMismatch, match=r"'b' lacks 1 of 4 items \(first: 'q2'\)"):
        compare(scores)
    answer = compare(scores, missing="drop")
    assert (answer.items, answer.lost) == (3, {"a": 1, "b": 0})
    assert any("dropped" in n for n in answer.notes)


def test_one_sided_test_words_its_side() -> None:
    """The alternative is about B − A."""
    scores = continuous()
    greater, less = (compare(scores, test=f"paired_t(alternative={side})") for side in ("greater", "less"))
    assert greater.pvalue + less.pvalue == pytest.approx(1.0)
    assert (greater.verdict, less.verdict) == ("b better", "undetermined")
    assert "one-sided" in greater.sentence


def test_wilcoxon_is_never_worded_as_a_claim_about_means() -> None:
    """Its interval is Hodges–Lehmann's and the sentence says what it is about."""
    answer = compare(continuous(), test="wilcoxon")
    assert answer.interval.method == "hodges_lehmann"
    assert "pseudo-median" in answer.sentence
    assert any("no claim about means" in n for n in answer.notes)


def test_edge_disagreement_is_noted_and_the_test_decides() -> None:
    """With b = 15, c = 6, n = 100: mid-p 0.0525 while Tango excludes zero."""
    a = np.r_[np.zeros(15), np.ones(6), np.ones(79)]
    b = np.r_[np.ones(15), np.zeros(6), np.ones(79)]
    answer = compare(Scores.from_arrays({"a": a, "b": b}))
    assert answer.pvalue == pytest.approx(0.0525, abs=5e-5)
    assert answer.interval.low > 0.0
    assert answer.verdict == "undetermined"
    assert any("disagree at the edge" in n for n in answer.notes)


def test_the_same_call_gives_the_same_answer() -> None:
    """Seeded, and the signature tells the settings apart."""
    scores = continuous(30)
    assert compare(scores) == compare(scores)
    assert compare(scores).signature != compare(scores, seed=1).signature


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"a": "olde"}, UnknownSystem, "did you mean 'old'"),
        ({"a": "old", "b": "old"}, UsageError, "two different systems"),
        ({"alpha": 0.0}, UsageError, "between 0 and 0.5"),
        ({"alpha": 5.0}, UsageError, "between 0 and 0.5"),
        ({"margin": -0.1}, UsageError, "above 0"),
        ({"margin": 0.0}, UsageError, "above 0"),
        ({"effect": float("nan")}, UsageError, "above 0"),
        ({"test": "mcnemar"}, Unsuitable, "right-or-wrong"),
        ({"interval": "tango"}, Unsuitable, "right-or-wrong"),
        ({"interval": "wilson"}, UsageError, "one system"),
        ({"test": "cluster_t"}, Unsuitable, "--cluster"),
        ({"test": "cluster_sign_flip"}, Unsuitable, "--cluster"),
        ({"metric": "f1"}, Exception, "tp, fp, fn"),
    ],
)
def test_refusals_say_what_to_do(options: dict[str, Any], error: type[Exception], said: str) -> None:
    """A question that cannot be asked gets the way out."""
    with pytest.raises(error) as raised:
        compare(continuous(), **options)
    assert said in str(raised.value)


def test_more_than_two_systems_must_be_named() -> None:
    """The error names the systems and points to rank."""
    scores = Scores.from_arrays({name: np.arange(5.0) for name in "abc"})
    with pytest.raises(UsageError, match="rank"):
        compare(scores)
    assert compare(scores, a="c", b="a").a.name == "c"
    with pytest.raises(UsageError, match="rank"):
        compare(scores, a="c")


def test_too_few() -> None:
    """One item or one system is not an evaluation of two."""
    with pytest.raises(TooFew, match="at least two"):
        compare(Scores.from_arrays({"a": [1.0], "b": [2.0]}))
    with pytest.raises(TooFew, match="only one system"):
        Scores.from_arrays({"a": [1.0, 2.0]})


def test_two_items_answer_without_a_traceback() -> None:
    """The smallest evaluation there is."""
    answer = compare(Scores.from_arrays({"a": [0.1, 0.4], "b": [0.3, 0.9]}))
    assert answer.verdict == "undetermined"
    json.loads(answer.to_json(), parse_constant=pytest.fail)
