"""`compare`: what it answers, how it chooses, what it refuses."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from tellapart import Scores, compare, plan
from tellapart.answers.parts import Note, codes
from tellapart.foundation.decision import ClaimResult
from tellapart.foundation.errors import (
    DataError,
    Degenerate,
    ItemMismatch,
    TooFew,
    UnknownSystem,
    Unsuitable,
    UsageError,
)

CLUSTER_T = "cluster_t(variance=cr2)"


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
    assert answer.pvalue == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)
    assert (answer.interval.low, answer.interval.high) == pytest.approx(
        tuple(peer.confidence_interval(0.95)), rel=1e-9, abs=0.0
    )
    assert answer.effect == pytest.approx((b - a).mean(), rel=1e-12, abs=0.0)
    assert answer.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], rel=1e-12, abs=0.0)
    assert answer.sd_difference == pytest.approx((b - a).std(ddof=1), rel=1e-12, abs=0.0)


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
    assert said["schema"] == "tellapart/comparison/2"
    assert set(said["interval"]) == {"low", "high", "level", "method", "target", "label"}
    assert set(said["a"]) == {"name", "mean", "interval", "details"}
    assert {"effect", "power", "at", "engine", "replicates", "low", "high"} == set(said["detectable"])
    assert set(said["equivalence"]) == {"margin", "pvalue"}
    assert said["discordance"] is None
    assert "tests" not in said


@pytest.mark.parametrize(
    ("scores", "test", "interval"),
    [
        (continuous(120), "paired_t", "student_t"),
        (continuous(49), "paired_t", "student_t"),
        (binary(), "mcnemar(variant=mid_p)", "tango"),
        (Scores.from_arrays({"a": np.arange(80) % 5, "b": np.arange(80) % 7}), "paired_t", "student_t"),
        (Scores.from_arrays({"a": np.arange(80.0) ** 0.5, "b": np.arange(80.0) ** 0.51}, clusters=np.arange(80) // 4), CLUSTER_T, CLUSTER_T),
        (Scores.from_arrays({"a": np.arange(80.0) ** 0.5, "b": np.arange(80.0) ** 0.51}, clusters=np.arange(80) // 10), CLUSTER_T, CLUSTER_T),
        (Scores.from_arrays({"a": np.arange(80) % 2, "b": np.arange(80) // 5 % 2}, clusters=np.arange(80) // 4), CLUSTER_T, CLUSTER_T),
    ],
)  # fmt: skip
def test_the_choice_follows_the_shape(scores: Scores, test: str, interval: str) -> None:
    """Clusters first, then right-or-wrong, else t; and it says why."""
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
    assert answer.equivalence.pvalue == pytest.approx(max(lower, upper), rel=1e-9, abs=0.0)


def test_binary_scores_get_discordance_and_a_matching_pair() -> None:
    """Right-or-wrong scores report how often the systems differ, and what that many items can detect, as `plan` has it."""
    scores = binary()
    answer = compare(scores)
    a, b = scores.values[0, :, 0, 0], scores.values[1, :, 0, 0]
    share, n = float((a != b).mean()), len(a)
    assert answer.discordance == share
    assert answer.detectable is not None
    planned = plan(f"paired_binary(discordance={share!r})", items=n, power=0.8, test="mcnemar(variant=mid_p)")
    assert answer.detectable.effect == pytest.approx(planned.rows[0].effect, rel=1e-9, abs=0.0)
    assert answer.detectable.engine == "exact"
    assert {"odds_ratio", "cohen_g"} <= set(answer.effects)


def test_detectable_effect_has_the_stated_power() -> None:
    """At the detectable effect the noncentral t gives 80 %."""
    answer = compare(continuous(50), test="paired_t")
    assert answer.detectable is not None
    assert answer.sd_difference is not None
    shift = answer.detectable.effect * 50**0.5 / answer.sd_difference
    critical = stats.t.ppf(0.975, 49)
    assert stats.nct.sf(critical, 49, shift) + stats.nct.cdf(-critical, 49, shift) == pytest.approx(
        0.8, rel=1e-9, abs=0.0
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
        s: np.stack([truth & g, ~truth & g, truth & ~g, ~truth & ~g], axis=-1).astype(float) for s, g in guesses.items()
    }
    scores = Scores.from_arrays(cells, parts=("tp", "fp", "fn", "tn"))
    answers = [
        compare(scores, metric="mcc", test=t, interval="bootstrap(kind=studentised)")
        for t in ("paired_t", "permutation", "bootstrap(kind=studentised)")
    ]
    expected = [np.corrcoef(truth, g)[0, 1] for g in guesses.values()]
    for answer in answers:
        assert (answer.a.mean, answer.b.mean) == pytest.approx(expected, rel=1e-9, abs=0.0)
        assert answer.effect == pytest.approx(expected[1] - expected[0], rel=1e-9, abs=0.0)
        assert answer.pvalue < 0.01
        assert answer.verdict == "b better"


def test_runs_are_averaged_within_items() -> None:
    """Five runs an item are five looks at one item, not five items."""
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(60, 5)), rng.normal(size=(60, 3))
    repeated = Scores.from_arrays({"a": a, "b": b})
    averaged = Scores.from_arrays({"a": a.mean(axis=1), "b": b.mean(axis=1)})
    answer = compare(repeated)
    assert answer.pvalue == pytest.approx(compare(averaged).pvalue, rel=1e-9, abs=0.0)
    assert answer.items == 60
    assert answer.repeats is not None
    assert answer.repeats.within_item_variance_a == pytest.approx(a.var(axis=1, ddof=1).mean())
    assert "runs_averaged" in codes(answer.notes)


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
    with pytest.raises(Degenerate, match="test='permutation'"):
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
        stats.ttest_ind(np.arange(15.0) + 9, np.arange(20.0), equal_var=False).pvalue, rel=1e-9, abs=0.0
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
    assert answer.notes[0].code == "items_dropped"
    assert answer.notes[0].values == {"lost": [{"system": "a", "items": 1, "first": "q2"}], "unscored": 0}


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
    assert "not_about_means" in codes(answer.notes)


def test_edge_disagreement_is_noted_and_the_test_decides() -> None:
    """With b = 15, c = 6, n = 100: mid-p 0.0525 while Tango excludes zero."""
    a = np.r_[np.zeros(15), np.ones(6), np.ones(79)]
    b = np.r_[np.ones(15), np.zeros(6), np.ones(79)]
    answer = compare(Scores.from_arrays({"a": a, "b": b}))
    assert answer.pvalue == pytest.approx(0.0525, abs=5e-5)
    assert answer.interval.low > 0.0
    assert answer.verdict == "undetermined"
    assert "test_and_interval_disagree" in codes(answer.notes)


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
        ({"effect": float("nan")}, UsageError, "a number"),
        ({"test": "mcnemar"}, Unsuitable, "right-or-wrong"),
        ({"interval": "tango"}, Unsuitable, "right-or-wrong"),
        ({"interval": "wilson"}, UsageError, "one system"),
        ({"test": "cluster_t"}, Unsuitable, "columns={'cluster': …}"),
        ({"test": "cluster_sign_flip"}, Unsuitable, "columns={'cluster': …}"),
        ({"metric": "f1"}, Exception, "tp, fp, fn"),
        ({"interval": "welch_t"}, Unsuitable, "scored on different items"),
        ({"alpha": 1e-300}, UsageError, "1e-12 at least"),
        ({"margin": 1e300}, UsageError, "1e-100 to 1e+100"),
        ({"missing": "ignore"}, UsageError, "error or drop"),
        ({"seed": -1}, UsageError, "0 or more"),
        ({"test": "equivalence(margin=0.1)", "margin": 0.2}, UsageError, "margin of its own"),
        ({"test": "bootstrap(resamples=100000000)"}, UsageError, "1000000"),
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


def test_blank_items_are_counted() -> None:
    """An item without any score is refused, and counted where it is dropped."""
    scores = Scores.from_arrays({"a": [1.0, np.nan, 2.0, 4.0], "b": [2.0, np.nan, 5.0, 4.0]})
    with pytest.raises(ItemMismatch, match="no system has a score on 1 of 4 items"):
        compare(scores)
    assert compare(scores, missing="drop").notes[0].values == {"lost": [], "unscored": 1}


def test_half_a_run_is_no_run() -> None:
    """Where one part of a run is missing, its other parts are not averaged into the item."""
    a = np.array([[[1, 0, 0], [9, np.nan, 1]], [[1, 0, 1], [1, 1, 1]], [[1, 2, 1], [1, 1, 1]]], dtype=float)
    b = np.ones((3, 2, 3))
    whole = a.copy()
    whole[0, 1] = np.nan
    one, other = (
        compare(Scores.from_arrays({"a": x, "b": b}, parts=("tp", "fp", "fn")), metric="f1") for x in (a, whole)
    )
    assert one == other
    assert one.a.mean == pytest.approx(6.0 / 10.0)


def test_float_noise_is_no_spread() -> None:
    """0.1 more on every item is a constant difference however it is rounded, and t refuses it."""
    a = np.random.default_rng(1).random(60) * 100.0
    scores = Scores.from_arrays({"a": a, "b": a + 0.1})
    assert len(set(a + 0.1 - a)) > 1
    with pytest.raises(Degenerate, match="the same number"):
        compare(scores, test="paired_t")
    answer = compare(scores)
    assert (answer.pvalue, answer.sd_difference) == (2.0**-59, 0.0)
    assert answer.effect == pytest.approx(0.1, rel=1e-12, abs=0.0)
    assert answer.interval.low == answer.interval.high


def test_clusters_that_differ_alike_have_no_spread() -> None:
    """Clusters whose differences add up to the same up to rounding give no t, and the error says why."""
    a = 100.0 * np.random.default_rng(2).random(40)
    b = a + np.tile([0.15, -0.05], 20)
    scores = Scores.from_arrays({"a": a, "b": b}, clusters=np.arange(40) // 2)
    with pytest.raises(Degenerate, match=r"all clusters differ by the same.*cluster_sign_flip"):
        compare(scores, test="cluster_t")
    assert compare(scores).test == "cluster_sign_flip"


def test_a_common_offset_changes_nothing() -> None:
    """Scores around a billion are compared by their differences, to the digits that doubles have left."""
    rng = np.random.default_rng(0)
    a = rng.random(60)
    b = a + 0.1 * rng.normal(size=60)
    for test in ("paired_t", "permutation", "wilcoxon"):
        near, far = (compare(Scores.from_arrays({"a": a + c, "b": b + c}), test=test).pvalue for c in (0.0, 1e9))
        assert far == pytest.approx(near, rel=5e-3, abs=0.0)
    assert compare(Scores.from_arrays({"a": a + 1e9, "b": b + 1e9})).test == "paired_t"


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_scores_that_cannot_be_squared_are_refused(size: float) -> None:
    """Overflow and underflow would look like no spread."""
    with pytest.raises(DataError, match=r"system 'b' on item '2'.*another unit"):
        Scores.from_arrays({"a": np.array([1.0, 2.0, 1.0]) * size, "b": np.array([1.0, 2.0, 3.0]) * size})


def test_arrays_at_the_door() -> None:
    """What is no table of numbers is refused in words, and a mask is a missing score."""
    refused: list[tuple[dict[Any, Any], dict[str, Any], str]] = [
        ({"a": [[1, 2], [3]], "b": [1, 2]}, {}, "different lengths"),
        ({"a": [2**60, 1], "b": [1, 2]}, {}, "last digits"),
        ({1: [1, 2], "1": [1, 3]}, {}, "same name"),
        ({"a": [1, 2], "b": [1, 3]}, {"clusters": ["x", None]}, "missing name"),
        ({"a": [1, 2], "b": [1, 3]}, {"items": ["x", "x"]}, "'x' occurs 2 times"),
        ({}, {}, "no system"),
    ]
    for arrays, roles, said in refused:
        with pytest.raises(DataError, match=said):
            Scores.from_arrays(arrays, **roles)
    masked = np.ma.masked_array([1.0, 2.0, 3.0, 9.0], mask=[False, False, False, True])
    scores = Scores.from_arrays({"a": masked, "b": [1.0, 3.0, 5.0, 7.0]})
    assert compare(scores, missing="drop").lost == {"a": 0, "b": 1}


def test_non_inferiority_looks_where_worse_is() -> None:
    """Where lower is better B is worse when it is above A."""
    scores = continuous(100, effect=0.0)
    d = scores.values[1, :, 0, 0] - scores.values[0, :, 0, 0]
    above = stats.ttest_1samp(d, -0.05, alternative="greater").pvalue
    below = stats.ttest_1samp(d, 0.05, alternative="less").pvalue
    for lower, pvalue in ((False, above), (True, below)):
        answer = compare(scores, test="non_inferiority(margin=0.05)", lower_is_better=lower)
        assert answer.pvalue == pytest.approx(pvalue, rel=1e-9, abs=0.0)
        assert answer.shown.not_worse is not None
        assert answer.shown.not_worse.pvalue == answer.pvalue
        assert (answer.verdict, answer.needed) == ("equivalent", None)
    with pytest.raises(UsageError, match="higher scores are better, and lower ones are here"):
        compare(scores, test="non_inferiority(margin=0.05, alternative=greater)", lower_is_better=True)
    tight = compare(scores, test="non_inferiority(margin=0.0001)")
    assert (tight.verdict, tight.shown.holds("not_worse")) == ("undetermined", False)
    assert tight.needed is not None
    assert tight.needed.items > 100


def test_equivalence_as_the_test_itself() -> None:
    """Its margin is told and it fills the equivalence of the answer; a difference that is shown beside it is said first."""
    scores = continuous(100)
    answer, none = (compare(scores, test=f"equivalence(margin={m})") for m in (0.1, 0.0001))
    assert answer.equivalence is not None
    assert answer.shown.equivalent is not None
    assert (answer.shown.equivalent.holds, answer.equivalence.pvalue) == (True, answer.pvalue)
    assert answer.verdict == "b better"
    assert answer.equivalence.margin == 0.1
    assert (none.verdict, none.shown.holds("equivalent")) == ("b better", False)
    assert compare(scores, test="equivalence(margin=0.1)", margin=0.1).pvalue == answer.pvalue


def test_equivalence_shows_the_interval_it_goes_by() -> None:
    """The 95 % interval may leave the margin while the 90 % one that decides does not; the note shows that one."""
    d = continuous(200, effect=0.0, seed=3)
    widest = compare(d).interval
    margin = 0.999 * max(-widest.low, widest.high)
    answer = compare(d, margin=margin)
    assert answer.verdict == "equivalent"
    (note,) = [n for n in answer.notes if n.code == "equivalence_by_interval"]
    assert (note.values["level"], note.values["inside"]) == (pytest.approx(0.9), True)


def test_unpaired_accuracies_within_a_margin() -> None:
    """The z test at a margin estimates both shares under it, as direct maximisation of the likelihood does."""
    right, items = (31, 38), (60, 55)
    a = np.r_[np.ones(right[0]), np.zeros(items[0] - right[0]), np.full(items[1], np.nan)]
    b = np.r_[np.full(items[0], np.nan), np.ones(right[1]), np.zeros(items[1] - right[1])]
    scores = Scores.from_arrays({"a": a, "b": b})
    answer = compare(scores, test="two_proportion_z", margin=0.3)

    def surprise(p: float, null: float) -> float:
        shares = zip(right, items, (p, p + null), strict=True)
        return -float(sum(x * np.log(q) + (n - x) * np.log1p(-q) for x, n, q in shares))

    tails = []
    for null, side in ((-0.3, 1.0), (0.3, -1.0)):
        low, high = max(0.0, -null) + 1e-9, min(1.0, 1.0 - null) - 1e-9
        p = optimize.minimize_scalar(
            surprise, bounds=(low, high), args=(null,), method="bounded", options={"xatol": 1e-12}
        ).x
        error = np.sqrt(p * (1 - p) / items[0] + (p + null) * (1 - p - null) / items[1])
        tails.append(stats.norm.sf(side * (right[1] / items[1] - right[0] / items[0] - null) / error))
    assert answer.equivalence is not None
    assert answer.equivalence.pvalue == pytest.approx(max(tails), rel=1e-6, abs=0.0)
    with pytest.raises(UsageError, match="as wide as the scores"):
        compare(scores, test="two_proportion_z", margin=2.0)


def test_a_margin_no_accuracies_can_differ_by() -> None:
    """Within more than 1 everything would be equivalent: refused."""
    a, b = np.random.default_rng(8).integers(0, 2, size=(2, 100))
    with pytest.raises(UsageError, match="as wide as the scores, which lie 1 apart"):
        compare(Scores.from_arrays({"a": a, "b": b}), margin=2.0)


def test_metrics_that_cannot_be_moved_to_a_margin() -> None:
    """Equivalence of F1 under the permutation test is by t on influence, with clusters by cluster t, and says so."""
    parts = np.random.default_rng(5).integers(0, 3, size=(2, 60, 3)).astype(float)
    for clusters, test in ((None, "paired_t"), (np.arange(60) // 5, CLUSTER_T)):
        scores = Scores.from_arrays({"a": parts[0], "b": parts[1]}, parts=("tp", "fp", "fn"), clusters=clusters)
        answer = compare(scores, metric="f1", test="permutation", margin=0.2)
        assert answer.equivalence is not None
        same = compare(scores, metric="f1", test=f"equivalence(test={test}, margin=0.2)")
        assert answer.equivalence.pvalue == same.pvalue
        assert Note("other_test_at_margin", {"test": test}) in [replace(n, text="") for n in answer.notes]
        assert not {"test_ignores_clusters", "interval_ignores_clusters"} & set(codes(answer.notes))


def test_few_units_detect_nothing() -> None:
    """Where no p-value can reach alpha no effect is called detectable, and a note says why."""
    rng = np.random.default_rng(3)
    a = rng.random(40)
    b = a + rng.normal(size=40)
    few = compare(Scores.from_arrays({"a": a[:5], "b": b[:5]}), test="permutation")
    clusters = compare(Scores.from_arrays({"a": a, "b": b}, clusters=np.arange(40) // 8))
    assert clusters.test == f"both(first={CLUSTER_T}, second=cluster_sign_flip)"
    assert (few.detectable, clusters.detectable) == (None, None)
    assert Note("too_few_items_differ", {"differing": 5, "least_pvalue": 0.0625}) in [
        replace(n, text="") for n in few.notes
    ]
    assert "too_few_clusters" in codes(clusters.notes)
    assert not clusters.interval.bounded
    at_a_tenth = compare(Scores.from_arrays({"a": a, "b": b}, clusters=np.arange(40) // 8), alpha=0.1)
    assert at_a_tenth.interval.bounded
    assert at_a_tenth.detectable is not None
    assert compare(Scores.from_arrays({"a": a[:5], "b": b[:5]}), test="paired_t").detectable is not None


def test_who_ignores_clusters_is_named() -> None:
    """A test or an interval that takes items as independent says so where clusters are known."""
    scores = continuous(60)
    clustered = Scores(scores.systems, scores.items, scores.values, np.arange(60) // 5)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"test": "permutation"}, "test_ignores_clusters"),
        ({"interval": "student_t"}, "interval_ignores_clusters"),
        ({"test": "all"}, "other_tests_ignore_clusters"),
    ]
    for options, code in cases:
        assert code in codes(compare(clustered, **options).notes)
    found = codes(compare(clustered, test="bootstrap").notes)
    assert not {"test_ignores_clusters", "interval_ignores_clusters"} & set(found)


def test_rounding_never_contradicts_the_verdict() -> None:
    """A bound just above zero is shown above zero, and a p-value on its side of alpha."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=400)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    edge = stats.t.ppf(0.975, 399) / 20.0
    a = rng.random(400)
    answer = compare(Scores.from_arrays({"a": a, "b": a + noise + edge * 1.001}))
    assert answer.verdict == "b better"
    assert 0.0 < answer.interval.low < 1e-4
    assert "CI [+0.0001, +0.1967]" in answer.sentence
    strict = compare(Scores.from_arrays({"a": a, "b": a + noise + edge}), alpha=0.04999)
    assert strict.verdict == "undetermined"
    assert "p = 0.05 " in strict.sentence


def test_needed_items_are_worth_printing() -> None:
    """An effect beyond reach gets no number, one beyond the range of the scores is refused."""
    assert compare(continuous(60, effect=0.0), effect=1e-90).needed is None
    assert compare(continuous(60, effect=0.0), margin=1e-90).needed is None
    with pytest.raises(UsageError, match="1 at most"):
        compare(binary(), effect=5.0)


def test_one_sided_tests_have_one_bound() -> None:
    """One-sided p = 0.04 while a two-sided interval would hold zero: what is printed is the bound that the test goes by."""
    d = np.random.default_rng(0).normal(size=100)
    d = (d - d.mean()) / d.std(ddof=1) + stats.t.ppf(0.96, 99) / 10.0
    answer = compare(Scores.from_arrays({"a": np.zeros(100), "b": d}), test="paired_t(alternative=greater)")
    assert answer.pvalue == pytest.approx(0.04, rel=1e-9, abs=0.0)
    assert answer.verdict == "b better"
    assert (answer.interval.low > 0.0, answer.interval.high, answer.interval.level) == (True, np.inf, 0.95)
    assert answer.to_dict()["interval"]["high"] is None
    assert "∞)" in str(answer)
    assert "test_and_interval_disagree" not in codes(answer.notes)
    assert (answer.shown.better, answer.shown.worse) == (ClaimResult(True, answer.pvalue), None)
    assert answer.tested.alternative == "greater"


def test_counts_are_not_negative() -> None:
    """A negative true positive is a mistake in the file, not a metric."""
    parts = np.ones((5, 3))
    parts[3, 0] = -1.0
    scores = Scores.from_arrays({"a": np.ones((5, 3)), "b": parts}, parts=("tp", "fp", "fn"))
    with pytest.raises(DataError, match="tp of system 'b' on item '3' is -1"):
        compare(scores, metric="f1")


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_the_two_by_two_table(lower_is_better: bool) -> None:
    """Items by who was right: where lower is better a 0 is right."""
    old = [1] * 5 + [1] * 3 + [0] * 2 + [0] * 7
    new = [1] * 5 + [0] * 3 + [1] * 2 + [0] * 7
    answer = compare(Scores.from_arrays({"old": old, "new": new}), lower_is_better=lower_is_better)
    told = answer.to_dict()["counts"]
    wanted = {"both_right": 5, "only_a": 3, "only_b": 2, "both_wrong": 7}
    swapped = {"both_right": 7, "only_a": 2, "only_b": 3, "both_wrong": 5}
    assert told == (swapped if lower_is_better else wanted)
    assert compare(continuous()).counts is None


def test_the_standard_error() -> None:
    """Of the mean difference; between clusters where there are some; of both means where no item is shared."""
    scores = continuous()
    difference = (scores.values[1] - scores.values[0])[:, 0, 0]
    assert compare(scores).standard_error == pytest.approx(stats.sem(difference), rel=1e-12, abs=0.0)
    codes_ = np.repeat(np.arange(30), 4)
    clustered = compare(replace(scores, clusters=codes_))
    sums = np.add.reduceat(difference, np.arange(0, 120, 4)) / 4
    assert clustered.standard_error == pytest.approx(stats.sem(sums), rel=1e-9, abs=0.0)
    values = scores.values.copy()
    values[0, :50], values[1, 50:] = np.nan, np.nan
    unpaired = compare(replace(scores, values=values), test="welch_t")
    a, b = values[0, 50:, 0, 0], values[1, :50, 0, 0]
    assert unpaired.standard_error == pytest.approx(np.hypot(stats.sem(a), stats.sem(b)), rel=1e-9, abs=0.0)


def test_every_test_answers_on_three_items() -> None:
    """Three items cannot be resampled, and the bootstrap claims nothing of them; the other tests answer."""
    answer = compare(Scores.from_arrays({"a": [0.1, 0.2, 0.11], "b": [0.3, 0.5, 0.15]}), test="all")
    assert answer.tests is not None
    found = {one.label: one.pvalue for one in answer.tests}
    assert found["studentised bootstrap"] == 1.0
    assert found["paired t"] < 0.5
