"""How a family is resampled: as its correction says, or as its scores suggest, and what two ways say together."""

from typing import Any

import numpy as np
import pytest

from tellapart.metrics import METRICS
from tellapart.multiplicity import judging as room
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.corrections.min_p import MinP
from tellapart.multiplicity.family import Family, all_pairs, family_of
from tellapart.multiplicity.flipped_pvalues import flipped_pvalues
from tellapart.multiplicity.joint_bootstrap import joint_bootstrap
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import JointPvalues, _thinned, joint_pvalues
from tellapart.multiplicity.judging import MANY_CLUSTERS, Judging
from tellapart.multiplicity.leaning_pairs import LeaningPairs, leaning_pairs
from tellapart.multiplicity.pair_failures import PairFailures
from tellapart.multiplicity.residuals import Residuals
from tellapart.multiplicity.skewness import seen_skewness
from tellapart.scores import Scores
from tellapart.seeds import stream


def judging(table: Any, clusters: list[int] | None = None, resamples: int = 399) -> Judging:
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=clusters)
    board = Board.of(scores, METRICS.parse("mean"))
    return Judging(board, family_of(board, *all_pairs(len(table))), 0.05, resamples, (7, ()))


def normal(items: int = 60) -> Any:
    return np.random.default_rng(1).normal(size=(4, items)) + np.array([0.0, 0.0, 0.4, 0.8])[:, np.newaxis]


def failing(items: int) -> Any:
    """Equal means: two systems hardly vary, the others gain a little and fail on one item in twelve."""
    rng = np.random.default_rng(2)
    gains = np.where(rng.random((5, items)) < 0.08, -0.92, 0.08) + 0.05 * rng.standard_normal((5, items))
    return np.concatenate([0.05 * rng.standard_normal((5, items)), gains])


def test_each_way_is_the_one_asked_for() -> None:
    """Random signs, items drawn again, and both: the p-values of that way, and of the third the larger of the two."""
    judge = judging(normal())
    flips = joint_pvalues(joint_flips(judge.family, 399, judge._stream(0)))
    drawn = joint_pvalues([joint_bootstrap(judge.board, judge.family, 399, judge._stream(3))])
    found = {way: judge.joint(MaxT(resampling=way)) for way in ("flips", "bootstrap", "cautious")}
    assert found["flips"].step_down.tolist() == flips.step_down.tolist()
    assert found["bootstrap"].step_down.tolist() == drawn.step_down.tolist()
    for name in ("raw", "step_down", "single_step"):
        larger = np.maximum(getattr(flips, name), getattr(drawn, name))
        assert getattr(found["cautious"], name).tolist() == larger.tolist()
    assert flips.step_down.tolist() != drawn.step_down.tolist()


def test_maxima_of_signs_are_told_as_t() -> None:
    """Beside drawn items the critical value is that of t: t² = x²·(n − 1)/(n − x²)."""
    judge = judging(normal())
    x = judge.flips.maxima
    np.testing.assert_allclose(judge._flips_as_t.maxima, np.sqrt(x**2 * 59.0 / (60.0 - x**2)), rtol=1e-12)


@pytest.mark.parametrize(("table", "leans"), [(failing(150), True), (normal(150), False)])
def test_leaning_boards_are_judged_both_ways(table: Any, leans: bool) -> None:
    """Where differences lean random signs claim too much; elsewhere they are enough."""
    judge = judging(table)
    assert judge.leans is leans
    assert str(judge.chosen()) == str(MaxT(resampling="cautious" if leans else "flips"))


def test_two_values_never_lean() -> None:
    """Right or wrong, the same rare failures are symmetric under equal means."""
    assert judging((failing(150) > -0.5).astype(float)).leans is False


def one_sided(clusters: int) -> Any:
    """Effects of clusters with a long tail on one side, of unlike length from system to system."""
    rng = np.random.default_rng(8)
    return np.linspace(0.1, 3.0, 6)[:, np.newaxis] * rng.standard_exponential((6, clusters))


def test_clusters_are_judged_by_their_own_laws() -> None:
    """Min-P for several pairs in clusters, max-T for a single one; from ten on, clusters that lean are drawn again too."""
    cautious = MinP(resampling="cautious")
    for clusters, leaning in ((9, MinP()), (10, cautious), (49, cautious), (MANY_CLUSTERS, cautious)):
        codes = np.repeat(np.arange(clusters), 2).tolist()
        assert judging(normal(2 * clusters), codes).chosen() == MinP()
        assert judging(normal(2 * clusters)[:2], codes).chosen() == MaxT()
        skewed = np.repeat(one_sided(clusters), 2, axis=1)
        assert judging(skewed, codes).chosen() == leaning


def test_many_clusters_that_lean_are_drawn_again() -> None:
    """Beyond fifty clusters it is what differences show that decides, as among items."""
    codes = np.arange(150).tolist()
    assert judging(failing(150), codes).chosen() == MinP(resampling="cautious")


def test_clusters_drawn_again_hold_back_claims_of_all_and_none_of_one() -> None:
    """A pair alone keeps its own law's p-value; among all it has the larger one of flips and of max-T over drawn clusters."""
    codes = np.repeat(np.arange(20), 3).tolist()
    judge = judging(normal(), codes)
    own, both = judge.joint(MinP()), judge.joint(MinP(resampling="cautious"))
    drawn = joint_pvalues([joint_bootstrap(judge.board, judge.family, 399, judge._stream(3))])
    assert both.raw.tolist() == own.raw.tolist()
    assert both.step_down.tolist() == np.maximum(own.step_down, drawn.step_down).tolist()
    assert both.single_step.tolist() == np.maximum(own.single_step, drawn.single_step).tolist()
    assert both.step_down.tolist() != own.step_down.tolist()
    assert both.critical(0.05) >= own.critical(0.05)
    assert judge.judged(MinP(resampling="cautious")).all()


def test_pairs_that_differ_in_few_clusters_are_left_to_their_signs() -> None:
    """Nine clusters of twelve in which one system is always better: too few to draw, and their signs tell."""
    codes = np.repeat(np.arange(12), 2).tolist()
    table = np.tile(np.random.default_rng(4).normal(size=24), (3, 1))
    table[1] += np.repeat([1.0] * 9 + [0.0] * 3, 2) * np.linspace(0.5, 1.0, 24)
    table[2] += np.random.default_rng(5).normal(size=24)
    judge = judging(table, codes, resamples=1999)
    own, both = judge.joint(MinP()), judge.joint(MinP(resampling="cautious"))
    assert both.step_down[0] == own.step_down[0] <= 0.05


def test_one_steady_system_among_risky_ones_is_seen() -> None:
    """Nine pairs of forty-five lean, and random signs of symmetric heavy tails look as skewed as the sum of all."""
    rng = np.random.default_rng(2)
    risky = np.where(rng.random((9, 100)) < 0.05, -0.95, 0.05) + 0.02 * rng.standard_normal((9, 100))
    judge = judging(np.concatenate([0.02 * rng.standard_normal((1, 100)), risky]))
    critical = judge.flips.critical(0.05)
    found = judge._skewness(critical)
    assert found is not None
    assert not found.leans(critical, 0.05)
    assert judge.leans


@pytest.mark.parametrize(("items", "pairs", "leans"), [(20, 1, False), (20, 2, True), (19, 10, False)])
def test_half_the_pairs_of_one_system_are_enough(items: int, pairs: int, leans: bool) -> None:
    """Each of five systems is in four pairs: two that lean, or fail, make a board lean, from twenty items on."""
    judge = judging(np.random.default_rng(3).normal(size=(5, items)))
    some = np.ones(pairs)
    judge.__dict__["_leaning_pairs"] = LeaningPairs(some, some, some)
    judge.__dict__["_failures"] = PairFailures(np.append(some, np.zeros(10 - pairs)), np.ones(10))
    assert judge._some_system_leans is leans
    assert judge._some_system_fails is leans


def test_heavy_tails_alone_are_not_taken_to_lean_more_often() -> None:
    """Symmetric scores with heavy tails: outliers of single pairs are no system that leans."""
    rng = np.random.default_rng(6)
    boards = [judging(rng.standard_t(3.0, (10, 100)), resamples=199) for _ in range(40)]
    assert sum(board._some_system_leans for board in boards) <= 6


def test_few_items_that_lean_hide_rare_failures() -> None:
    """What is told of drawn items is what the leaning pairs tell; nothing where no pair leans, and nothing of clusters."""
    judge, cautious, alone = judging(failing(60)), MaxT(resampling="cautious"), MaxT(resampling="bootstrap")
    assert judge.leans
    told = judge.expected_error(alone, judge.joint(alone))
    assert told is not None
    assert told == leaning_pairs(Residuals.of(judge.board, judge.family)).told_error(0.05)
    # Caution makes every pair bear such failures, and then there is nothing to tell.
    assert judge.borne(cautious) is not None
    assert judge.expected_error(cautious, judge.joint(cautious)) is None
    even = judging(normal(60))
    assert even.expected_error(cautious, even.joint(cautious)) is None
    clustered = judging(failing(60), list(range(60)))
    drawn = MinP(resampling="cautious")
    assert clustered.expected_error(drawn, clustered.joint(drawn)) is None


def by_hand(values: list[float], maxima: list[float]) -> JointPvalues:
    x = np.array(values)
    return JointPvalues(np.ones(2), x, x / 2.0, x / 4.0, np.array(maxima), len(maxima), exhaustive=True)


def test_the_larger_of_two_ways() -> None:
    """Pair by pair the larger p-value, the larger of both maxima, as many as both have; and never all there are."""
    found = by_hand([0.2, 0.8], [1.0, 2.0, 5.0]).larger(by_hand([0.4, 0.6], [1.5, 1.8, 4.0]))
    assert found.raw.tolist() == [0.4, 0.8]
    assert found.step_down.tolist() == [0.2, 0.4]
    assert found.single_step.tolist() == [0.1, 0.2]
    assert found.maxima.tolist() == [1.5, 2.0, 5.0]
    assert (found.resamples, found.exhaustive) == (3, False)


def test_the_critical_value_is_where_claims_begin() -> None:
    """Of 99 resamples k − 1 may reach a statistic whose p-value is k/100: it exceeds the k-th largest, however alpha is rounded."""
    joint = by_hand([0.2, 0.8], np.arange(1.0, 100.0).tolist())
    assert [joint.critical(k / 100.0) for k in range(1, 100)] == np.arange(99.0, 0.0, -1.0).tolist()
    assert joint.critical(0.0099) == np.inf
    twice = joint.allowing(2.0)
    assert [twice.critical(k / 50.0) for k in range(1, 50)] == np.arange(99.0, 50.0, -1.0).tolist()


def test_thinned_maxima_keep_their_quantiles() -> None:
    """Of 199 every second is one of 99: the critical value at any level that both can show is the same."""
    maxima = np.arange(1.0, 200.0)
    assert _thinned(maxima, 99).tolist() == np.arange(2.0, 199.0, 2.0).tolist()
    assert _thinned(maxima, 199).tolist() == maxima.tolist()
    for count in (20, 77, 150):
        shares = np.arange(1, count + 1) / (count + 1.0)
        exact = np.ceil(shares * 200.0 - 1e-9)
        assert _thinned(maxima, count).tolist() == exact.tolist()


def test_rounding_is_judged_by_what_was_taken_off_too() -> None:
    """A number taken off both columns of a pair made rounding twice."""
    columns = np.array([[3.0, 4.0], [0.0, 1.0]])
    family = Family(columns, np.array([0]), np.array([1]), np.zeros(1), rounding=10.0)
    assert family.sizes.tolist() == [5.0 + 1.0 + 20.0]


def test_ways_with_unlike_numbers_of_resamples() -> None:
    """As many as the one with fewer has, whichever is asked first."""
    few, many = by_hand([0.2, 0.8], [1.0, 2.0, 5.0]), by_hand([0.4, 0.6], [1.0, 1.5, 1.8, 2.5, 4.0, 6.0, 7.0])
    for found in (few.larger(many), many.larger(few)):
        assert (found.resamples, found.maxima.tolist()) == (3, [1.5, 2.5, 6.0])


def test_clusters_are_judged_by_pvalues() -> None:
    """Min-P is what joint flips of clusters say, from a stream of its own."""
    judge = judging(normal(), np.repeat(np.arange(30), 2).tolist())
    expected = flipped_pvalues(judge.board, judge.family, 0.05, 399, judge._stream(0))
    assert judge.joint(MinP()).step_down.tolist() == expected.step_down.tolist()


@pytest.mark.parametrize(
    ("way", "plain", "clustered"),
    [
        ("flips", "joint_sign_flips", "joint_cluster_sign_flips"),
        ("bootstrap", "joint_bootstrap", "joint_cluster_bootstrap"),
        (
            "cautious",
            "larger of joint_sign_flips and joint_bootstrap",
            "larger of joint_cluster_sign_flips and joint_cluster_bootstrap",
        ),
    ],
)
def test_what_gives_the_pvalue_of_a_pair(way: Any, plain: str, clustered: str) -> None:
    """The resamples by name, of items or of clusters; min-P has a test for every pair."""
    clusters = np.repeat(np.arange(30), 2).tolist()
    assert judging(normal()).law(MaxT(resampling=way)) == plain
    assert judging(normal(), clusters).law(MaxT(resampling=way)) == clustered
    assert judging(normal(), clusters).law(MinP()) == "cluster_t(variance=cr1)"


def test_pairs_that_drawing_items_can_judge() -> None:
    """Signs judge every pair, drawn items only those that differ on enough items."""
    table = np.repeat(normal()[:1], 3, axis=0)
    table[1, :4] += 1.0
    table[2] += np.random.default_rng(3).normal(size=60)
    judge = judging(table)
    assert judge.judged(MaxT()).tolist() == [True] * 3
    for way in ("bootstrap", "cautious"):
        assert judge.judged(MaxT(resampling=way)).tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("drawn", "resamples", "count"),
    [(6 * 160 * 300, 399, 300), (6 * 160 * 300, 250, 250), (1, 399, 30), (1, 20, 20)],
)
def test_drawing_items_costs_products(
    monkeypatch: pytest.MonkeyPatch, drawn: int, resamples: int, count: int
) -> None:
    """Six pairs of 60 items and 100 more for the statistic: as many resamples as fit, never fewer than the fewest or more than asked."""
    monkeypatch.setattr(room, "DRAWN", drawn)
    monkeypatch.setattr(room, "FEWEST_DRAWN", 30)
    judge = judging(normal(), resamples=resamples)
    assert judge._affordable == count
    assert judge.joint(MaxT(resampling="cautious")).resamples == count
    assert judge.joint(MaxT(resampling="bootstrap")).resamples == resamples


def test_a_billion_products_are_drawn() -> None:
    """A hundred systems on 50,000 items: no more than four billion products, and as few as 1,999 resamples."""
    assert room.DRAWN // (4950 * (50_000 + room.PER_STATISTIC)) < 1_999 == room.FEWEST_DRAWN
    assert room.DRAWN == 2**32
    assert room.PER_STATISTIC == 100


def test_the_error_of_signs_on_boards_that_lean() -> None:
    """Told of sign flips by what skewness makes of their critical value, and of no board that is symmetric."""
    flips = MaxT()
    judge = judging(failing(150))
    joint = judge.joint(flips)
    critical = joint.critical(0.05)
    left = Residuals.of(judge.board, judge.family)
    seen = seen_skewness(judge.board, left, critical, 0.05, judge._stream(2))
    assert seen is not None
    expected = seen.told_error(critical, 0.05)
    assert expected is not None
    assert expected > 0.05
    assert judge.expected_error(flips, joint) == expected
    plain = judging(normal(150))
    assert plain.expected_error(flips, plain.joint(flips)) is None


def test_nothing_is_expected_where_nothing_can_be_told() -> None:
    """A critical value that is infinite, or scores of two values, leave no error to tell of."""
    few = judging(failing(4))
    assert few.flips.critical(0.05) == np.inf
    assert few._skewness(np.inf) is None
    assert few.leans is False
    assert judging((failing(150) > -0.5).astype(float))._skewness(3.0) is None


def test_the_critical_value_of_t_as_a_sum() -> None:
    """x² = t²·n / (n − 1 + t²): what t is of a sum over the root of its squares; other statistics are that already."""
    judge = judging(normal(), np.repeat(np.arange(30), 2).tolist())
    joint = judge.joint(MinP())
    t = joint.critical(0.05)
    assert judge._critical(MinP(), joint) == pytest.approx(
        t * np.sqrt(30.0 / (29.0 + t**2)), rel=1e-12, abs=0.0
    )
    assert judge._critical(MaxT(), joint) == t
    assert judge._critical(MinP(), by_hand([0.2, 0.8], [1.0])) == np.inf


def test_maxima_that_never_vary_are_infinitely_large() -> None:
    """A sum that is the root of n times its squares has no spread: its t is infinite."""
    judge = judging(np.array([[0.0] * 12, [1.0] * 12]))
    x = judge.flips.maxima
    t = judge._flips_as_t.maxima
    np.testing.assert_allclose(t, np.sqrt(x**2 * 11.0 / (12.0 - x**2)), rtol=1e-9)
    judge.__dict__["flips"] = by_hand([0.2, 0.8], [1.0, np.sqrt(12.0)])
    assert judge._flips_as_t.maxima.tolist() == [pytest.approx(1.0), np.inf]


def test_streams_are_numbered() -> None:
    """The seed, what it is for, and the piece of the board."""
    judge = judging(normal())
    piece = Judging(judge.board, judge.family, 0.05, 399, (7, (4,)))
    first, other = judge._stream(0).random(), piece._stream(0).random()
    assert first == stream(7, 0).random()
    assert other == stream(7, 0, 4).random()


def test_each_use_of_chance_has_a_stream_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs, controls of skewness and drawn units of one board are independent of each other."""
    used: list[tuple[int, ...]] = []

    def told(*numbers: int) -> Any:
        used.append(numbers)
        return stream(*numbers)

    monkeypatch.setattr(room, "stream", told)
    clustered = judging(failing(60), np.repeat(np.arange(20), 3).tolist())
    clustered.joint(MinP(resampling="cautious"))
    assert sorted(used) == [(7, 0), (7, 2), (7, 3)]
    used.clear()
    plain = judging(failing(60))
    assert plain.leans
    plain.joint(MaxT(resampling="cautious"))
    assert sorted(used) == [(7, 0), (7, 2), (7, 3)]
