"""How many more items of the same kind a t test takes: with the degrees of freedom that so many have."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare
from tellapart.answers.comparison import Comparison, Needed
from tellapart.answers.parts import codes
from tellapart.foundation.arrays import IntArray
from tellapart.render import render


def in_clusters(clusters: int, size: int, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    together = np.repeat(rng.normal(0.0, 0.5, clusters), size)
    a = rng.normal(0.0, 0.1, clusters * size)
    return Scores.from_arrays(
        {"a": a, "b": a + together + rng.normal(0.0, 0.1, clusters * size)},
        clusters=[f"c{i // size}" for i in range(clusters * size)],
    )


def on_their_own(few: int, many: int) -> Scores:
    """Each system has items of its own, and few of them vary most."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.0, 3.0, few), rng.normal(0.0, 1.0, many)
    values = np.full((2, few + many), np.nan)
    values[0, :few], values[1, few:] = a, b
    return Scores.from_arrays({"a": values[0], "b": values[1]})


def told(answer: Comparison) -> tuple[float, Needed]:
    assert answer.detectable is not None
    assert answer.needed is not None
    return answer.detectable.effect, answer.needed


def t_power(effect: float, error: float, df: float) -> float:
    critical = stats.t.ppf(0.975, df)
    return float(stats.nct.sf(critical, df, effect / error) + stats.nct.cdf(-critical, df, effect / error))


@pytest.mark.parametrize("size", [3, 25])
def test_so_many_clusters_have_the_power_and_one_fewer_has_not(size: int) -> None:
    """By scipy's noncentral t: clusters less one are the degrees of freedom, however many items they have."""
    scores = in_clusters(8, size)
    error = compare(scores, test="cluster_t").standard_error
    assert error is not None
    _, more = told(compare(scores, test="cluster_t", effect=2.0 * error))
    clusters = more.items // size
    assert more.items == clusters * size
    power = [t_power(2.0 * error, error * (8 / n) ** 0.5, n - 1.0) for n in (clusters - 1, clusters)]
    assert power[0] < 0.8 <= power[1]


@pytest.mark.parametrize(
    ("scores", "test"),
    [
        (in_clusters(8, 25), "cluster_t"),
        (in_clusters(20, 4), "cluster_t"),
        (on_their_own(8, 60), "welch_t"),
        (on_their_own(40, 40), "welch_t"),
    ],
)
def test_what_these_items_detect_takes_these_items(scores: Scores, test: str) -> None:
    """One page says what so many items detect and how many detect that."""
    found = compare(scores, test=test)
    assert found.detectable is not None
    _, more = told(compare(scores, test=test, effect=1.0001 * found.detectable.effect))
    assert more.items == found.items


def test_welchs_items_have_the_power() -> None:
    """Twice the items of each system, by its formula with twice of each."""
    scores = on_their_own(8, 60)
    a, b = scores.values[0, :8, 0, 0], scores.values[1, 8:, 0, 0]
    shares = a.var(ddof=1) / 16, b.var(ddof=1) / 120
    df = sum(shares) ** 2 / (shares[0] ** 2 / 15 + shares[1] ** 2 / 119)
    effect = next(x for x in np.arange(1.0, 9.0, 0.01) if t_power(x, sum(shares) ** 0.5, df) >= 0.8)
    _, more = told(compare(scores, test="welch_t", effect=float(effect)))
    assert more.items == pytest.approx(136, abs=1)


@pytest.mark.parametrize("claim", ["equivalence", "non_inferiority"])
def test_a_margin_takes_whole_clusters(claim: str) -> None:
    """Equal systems in clusters, drawn again: so many show the margin 80 % of the time."""
    scores, size = in_clusters(12, 20), 20
    error = compare(scores, test="cluster_t").standard_error
    assert error is not None
    answer = compare(scores, test=f"{claim}(test=cluster_t, margin={1.5 * error!r})")
    assert answer.needed is not None
    clusters = answer.needed.items // size
    assert answer.needed.items == clusters * size
    drawn = np.random.default_rng(1).normal(0.0, error * 12**0.5, (40_000, clusters))
    half = stats.t.ppf(0.95, clusters - 1) * drawn.std(axis=1, ddof=1) / clusters**0.5
    above, below = (
        drawn.mean(axis=1) - half > -1.5 * error,
        drawn.mean(axis=1) + half < 1.5 * error,
    )
    shown = above & below if claim == "equivalence" else above
    assert 0.795 < shown.mean() < 0.85


def test_an_effect_that_was_asked_about_is_answered_whatever_was_shown() -> None:
    """Such as how many items a smaller effect would take."""
    rng = np.random.default_rng(6)
    a = rng.normal(size=120)
    scores = Scores.from_arrays({"a": a, "b": a + rng.normal(0.5, 0.7, 120)})
    answer = compare(scores, effect=0.1)
    assert answer.verdict == "b better"
    _, more = told(answer)
    sd = float(np.std(scores.values[1, :, 0, 0] - a, ddof=1))
    powers = [t_power(0.1, sd / n**0.5, n - 1.0) for n in (more.items - 1, more.items)]
    assert powers[0] < 0.8 <= powers[1]
    page = " ".join(render(answer, "text").split())
    assert f"{more.items} items would detect an effect of 0.1" in page
    assert "settle" not in page
    assert compare(scores).needed is None


def test_enough_items_are_said_to_be() -> None:
    answer = compare(in_clusters(8, 25), test="cluster_t", effect=3.0)
    assert answer.verdict == "undetermined"
    assert answer.to_settle.endswith("; these are enough, so an effect of that size would probably have been found")


@pytest.mark.parametrize(("test", "clusters"), [("paired_t", None), ("cluster_t", np.arange(60) // 5)])
def test_items_that_do_not_vary_tell_nothing_of_others(test: str, clusters: IntArray | None) -> None:
    """Of equal scores nobody knows how many more it takes, which is not that no number does."""
    a = np.random.default_rng(5).random(60)
    answer = compare(Scores.from_arrays({"a": a, "b": a}, clusters=clusters), test=test, effect=0.1)
    assert answer.needed is None
    assert "items_do_not_vary" in codes(answer.notes)
    assert "no_items_find_effect" not in codes(answer.notes)
    assert answer.to_settle == ""
