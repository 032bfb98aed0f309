"""The rule that chooses a test and an interval for two systems."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare
from tellapart.answers.parts import codes as note_codes
from tellapart.choosing.pairs import VISIBLY_SKEWED, ScoreProfile, choose, sample_skewness, visibly_skewed
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS
from tellapart.metrics.mean import Mean
from tellapart.numerics.moments import cluster_error

UNEVEN = np.repeat(np.arange(20), np.round(np.geomspace(2.0, 60.0, 20)).astype(int))
BOTH = "both(first=paired_t, second=bootstrap(kind=studentised))"
BOTH_INTERVALS = "both(first=student_t, second=bootstrap(kind=studentised))"
CLUSTER_T = "cluster_t(variance=cr2)"


def of_differences(values: FloatArray, codes: IntArray | None = None) -> PairedSample:
    b = np.asarray(values, dtype=np.float64)[..., np.newaxis, np.newaxis]
    return PairedSample(Pair(np.zeros_like(b), b, codes), Mean())


def spelled(values: FloatArray, codes: IntArray | None = None) -> tuple[str, str]:
    choice = choose(ScoreProfile.of(of_differences(values, codes)))
    return str(choice.test), str(choice.interval)


def with_skewness(skewness: float, items: int = 60) -> FloatArray:
    """Differences of exactly this sample skewness: normal scores with one that is moved until it has it."""
    values = stats.norm.ppf((np.arange(items) + 0.5) / items)
    low, high = 0.0, 30.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        moved = np.append(values[:-1], values[-1] + middle)
        low, high = (middle, high) if float(stats.skew(moved)) < abs(skewness) else (low, middle)
    return np.asarray(np.sign(skewness) * np.append(values[:-1], values[-1] + high))


def test_skewness_is_that_of_scipy() -> None:
    values = np.random.default_rng(0).exponential(size=(5, 30))
    np.testing.assert_allclose(sample_skewness(values), stats.skew(values, axis=-1), rtol=1e-12)
    np.testing.assert_allclose(sample_skewness(1e-200 * values), stats.skew(values, axis=-1), rtol=1e-9)
    assert visibly_skewed(values).tolist() == (np.abs(stats.skew(values, axis=-1)) > VISIBLY_SKEWED).tolist()
    assert float(sample_skewness(np.full(7, 0.1))) == 0.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("items", [6, 12, 60, 500])
def test_one_bound_at_every_number_of_items(items: int, sign: float) -> None:
    """On either side, whatever the number of items: t alone below the bound, and with the bootstrap above it."""
    below, above = (with_skewness(sign * (VISIBLY_SKEWED + step), items) for step in (-0.01, 0.01))
    assert spelled(below) == ("paired_t", "student_t")
    assert spelled(above) == (BOTH, BOTH_INTERVALS)


def test_right_or_wrong_is_counted() -> None:
    """In every coding, whether it is the coding of one evaluation or of a batch."""
    right = np.array([1, 0, 0, 1, 0, 0, 0, 0.0])
    for wrong, step in ((0.0, 1.0), (0.0, 100.0), (-1.0, 2.0)):
        scores = Scores.from_arrays({"a": wrong + step * right, "b": wrong + step * right[::-1]})
        answer = compare(scores)
        assert (answer.test, answer.interval.method) == ("mcnemar(variant=mid_p)", "tango")
    assert spelled(np.array([0.5, 0.0, 1.0, 0.6, 0.2, 0.3])) == ("paired_t", "student_t")


def test_four_skewed_items_have_no_interval_and_no_claim() -> None:
    """And what is said is why: in JSON the bounds are null."""
    values = np.array([0.1, 0.11, 0.12, 9.0])
    answer = compare(Scores.from_arrays({"a": np.zeros(4), "b": values}))
    assert (answer.pvalue, answer.verdict, answer.interval.bounded) == (1.0, "undetermined", False)
    assert note_codes(answer.reasons) == ("too_few_to_resample",)
    assert "no_bounds" in note_codes(answer.notes)
    assert answer.to_dict()["interval"]["low"] is None


def test_few_symmetric_items_keep_t_with_a_note() -> None:
    answer = compare(Scores.from_arrays({"a": np.zeros(4), "b": [0.1, 0.2, 0.3, 0.4]}))
    assert answer.test == "paired_t"
    assert note_codes(answer.reasons) == ("few_items",)


def test_items_that_all_differ_by_one_number() -> None:
    """They have no spread for a t: signs are flipped, of clusters where there are some."""
    assert spelled(np.full(9, 0.25))[0] == "permutation"
    assert spelled(np.full(9, 0.25), np.arange(9) // 2)[0] == "cluster_sign_flip"
    same = np.full((9, 1, 1), 0.5)
    assert choose(ScoreProfile.of(PairedSample(Pair(same, same), Mean()))).test.name == "paired_t"


@pytest.mark.parametrize(
    ("codes", "test"),
    [
        (np.arange(200) // 10, CLUSTER_T),
        (UNEVEN, CLUSTER_T),
        (np.arange(60) // 10, CLUSTER_T),
        (np.arange(59) // 12, f"both(first={CLUSTER_T}, second=cluster_sign_flip)"),
        (np.arange(60) // 30, f"both(first={CLUSTER_T}, second=cluster_sign_flip)"),
    ],
)
def test_clusters_are_the_units(codes: IntArray, test: str) -> None:
    """Cluster t with CR2 whatever their sizes; of fewer than six the signs must agree."""
    # Alternating effects of one size: sums are as symmetric as sizes allow.
    effects = np.where(np.arange(codes.max() + 1) % 2, 1.0, -1.0)
    assert spelled(effects[codes] + 0.1, codes) == (test, test)


def test_skewed_clusters_are_resampled_whole() -> None:
    effects = np.random.default_rng(2).exponential(size=20)
    effects[0] = 8.0
    both = f"both(first={CLUSTER_T}, second=bootstrap(kind=studentised))"
    assert spelled(effects[np.arange(100) // 5], np.arange(100) // 5) == (both, both)


def test_degrees_of_freedom_are_those_used() -> None:
    """The reason quotes the Satterthwaite degrees of freedom that the p-value comes from."""
    effects = stats.norm.ppf((np.arange(20) + 0.5) / 20)
    df = float(cluster_error(np.arange(len(UNEVEN), dtype=np.float64), UNEVEN, "cr2")[2])
    choice = choose(ScoreProfile.of(of_differences(effects[UNEVEN], UNEVEN)))
    assert choice.reasons[0].values["df"] == pytest.approx(df, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("metric", ["f1", "mcc"])
def test_metrics_that_are_no_means_go_by_influence(metric: str) -> None:
    """Skewness is that of each item's influence, and the reason says how the metric is followed."""
    rng = np.random.default_rng(4)
    width = len(METRICS.parse(metric).parts())
    a, b = rng.multinomial(1, [1.0 / width] * width, size=(2, 80)).astype(np.float64)
    sample = PairedSample(Pair(a[:, np.newaxis], b[:, np.newaxis]), METRICS.parse(metric))
    choice = choose(ScoreProfile.of(sample))
    assert choice.reasons[0].code == "metric_is_no_mean"
    skewed = abs(float(stats.skew(sample.differences.values))) > VISIBLY_SKEWED
    assert (str(choice.test) == BOTH) == skewed


def test_a_batch_is_looked_at_as_its_samples_are() -> None:
    """Right or wrong, ratings, continuous, tied and clustered scores, drawn together and looked at one by one."""
    rng = np.random.default_rng(8)
    ratings = rng.integers(1, 6, size=(2, 6, 30)).astype(np.float64)
    mixed = np.concatenate([ratings, (ratings > 3.0), ratings + rng.exponential(size=ratings.shape)], axis=1)
    mixed[1, :4, :25] = mixed[0, :4, :25]
    for codes in (None, np.arange(30) // 3, np.arange(30) ** 2 // 90):
        batch = PairedSample(Pair(mixed[0, ..., None, None], mixed[1, ..., None, None], codes), Mean())
        profiles = ScoreProfile.each(batch)
        pairs = zip(batch.pair.a, batch.pair.b, strict=True)
        alone = [ScoreProfile.of(PairedSample(Pair(a, b, codes), Mean())) for a, b in pairs]
        assert [choose(one).test for one in profiles] == [choose(one).test for one in alone]
        for one, other in zip(profiles, alone, strict=True):
            assert dataclasses.asdict(one) == pytest.approx(dataclasses.asdict(other))
        assert {profile.binary for profile in profiles} == {True, False}


def test_uneven_clusters_keep_their_size() -> None:
    """Twenty clusters of 2 to 60 alike items: cluster t errs about one time in twenty."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(6_000, len(UNEVEN)))
    values = np.sqrt(0.3) * rng.normal(size=(6_000, 20))[:, UNEVEN] + np.sqrt(0.7) * noise
    choice = choose(ScoreProfile(len(UNEVEN), 20))
    found = choice.test.apply(Differences(values, UNEVEN), stream(0))
    assert float((found.pvalue <= 0.05).mean()) < 0.064


def size_and_power(values: FloatArray, effect: float) -> tuple[float, float]:
    """How often what is chosen rejects, without the effect and with it, each evaluation by its own choice."""
    rates = []
    for shift in (0.0, effect):
        sample, rejected = of_differences(values + shift), 0
        profiles = ScoreProfile.each(sample)
        for test in {choose(one).test for one in profiles}:
            which = [place for place, one in enumerate(profiles) if choose(one).test == test]
            found = test.apply(sample.entries(which).sample(test), stream(0)).pvalue
            rejected += int(np.count_nonzero(found <= 0.05))
        rates.append(rejected / len(values))
    return rates[0], rates[1]


@pytest.mark.parametrize(
    ("law", "items", "most", "least"),
    [
        ("normal", 10, 0.065, 0.66),
        ("normal", 40, 0.065, 0.76),
        ("exponential", 20, 0.08, 0.86),
        ("exponential_against", 20, 0.08, 0.45),
        ("lognormal", 20, 0.10, 0.80),
        ("lognormal", 60, 0.075, 0.80),
    ],
)
def test_the_rule_keeps_its_level_and_finds_effects(law: str, items: int, most: float, least: float) -> None:
    """In both directions: neither claims without an effect nor a t that is silenced."""
    rng = np.random.default_rng(11)
    shape = (1_500, items)
    values = {
        "normal": rng.normal(size=shape),
        "exponential": rng.exponential(size=shape) - 1.0,
        "exponential_against": 1.0 - rng.exponential(size=shape),
        "lognormal": (rng.lognormal(size=shape) - np.exp(0.5)) / 2.16,
    }[law]
    size, power = size_and_power(values, 2.9 / np.sqrt(items))
    assert size <= most
    assert power >= least


@pytest.mark.parametrize("alpha", [1e-3, 1e-4])
def test_small_alphas_draw_as_many_resamples_as_they_take(alpha: float) -> None:
    """Of 1,999 the smallest p-value is 0.001: a plain gain was undetermined for want of resamples, whatever the items."""
    values = np.random.default_rng(0).exponential(size=400) + 0.5
    answer = compare(Scores.from_arrays({"a": np.zeros(400), "b": values}), alpha=alpha)
    assert answer.test.startswith("both(")
    assert answer.verdict == "b better"
    assert answer.interval.low > 0.0


def test_what_cannot_be_resampled_says_a_way_out() -> None:
    """Two of two hundred items differ: no bounds, and the note names the test that answers."""
    values = np.zeros(200)
    values[:2] = 0.02
    scores = Scores.from_arrays({"a": np.linspace(0.0, 1.0, 200), "b": np.linspace(0.0, 1.0, 200) + values})
    answer = compare(scores, margin=0.03)
    (note,) = [one for one in answer.notes if one.code == "no_bounds"]
    assert note.values == {"unit": "item", "units": 200, "differing": 2}
    assert answer.verdict == "undetermined"
    assert compare(scores, margin=0.03, test="paired_t").verdict == "equivalent"
    (asked,) = [one for one in compare(scores, effect=0.01).notes if one.code == "resamples_tell_no_items"]
    assert asked.values == {"effect": 0.01, "margin": None}
