"""The leaderboard a user gets: laws, edges, and what it says."""

import json
from typing import Any

import numpy as np
import pytest

from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.parts import codes
from tellapart.boards import CORRECTIONS
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, SpellingError, TooFew, UnknownSystem, UsageError
from tellapart.verbs.rank import rank

KEYS = {"systems", "pairs", "letters", "correction", "alpha", "datasets", "sentence", "notes", "signature"}
SYSTEM_KEYS = {"name", "mean", "low", "high", "rank", "rank_low", "rank_high", "tier", "may_be_best"}
PAIR_KEYS = {"a", "b", "effect", "pvalue", "adjusted_pvalue", "significant"}


def table(systems: int = 6, items: int = 80, seed: int = 0, step: float = 0.15) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(systems, items)) * 0.5 + rng.normal(size=items) + step * np.arange(systems)[:, None]
    return {f"sys{i}": row for i, row in enumerate(values)}


def right_or_wrong(systems: int = 5, items: int = 200, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    shares = np.linspace(0.5, 0.8, systems)[:, None]
    return {f"sys{i}": row for i, row in enumerate((rng.random((systems, items)) < shares).astype(float))}


def ranked(values: dict[str, Any], **options: Any) -> Leaderboard:
    inputs = {key: options.pop(key) for key in ("items", "clusters", "datasets_of") if key in options}
    scores = Scores.from_arrays(
        values, items=inputs.get("items"), clusters=inputs.get("clusters"), datasets=inputs.get("datasets_of")
    )
    return rank(scores, **{"resamples": 999, **options})


def by_pair(board: Leaderboard) -> dict[frozenset[str], tuple[float, float, bool]]:
    return {frozenset((p.a, p.b)): (p.pvalue, p.adjusted_pvalue, p.significant) for p in board.pairs}


def test_contract() -> None:
    """The JSON has the promised keys, is strict, and numbers are plain."""
    board = ranked(table())
    found = json.loads(board.to_json())
    assert found["schema"] == "tellapart/leaderboard/2"
    assert set(found) >= KEYS
    assert set(found["systems"][0]) >= SYSTEM_KEYS
    assert set(found["pairs"][0]) >= PAIR_KEYS
    assert found["datasets"] is None
    assert found["correction"] == "max_t"
    assert len(found["pairs"]) == 15
    assert all(type(s.mean) is float and type(s.rank) is int and type(s.may_be_best) is bool for s in board.systems)


def test_numbers_are_the_means() -> None:
    """Means, effects and ranks follow from the scores."""
    values = table()
    board = ranked(values)
    means = {name: float(np.mean(row)) for name, row in values.items()}
    for s in board.systems:
        assert s.mean == pytest.approx(means[s.name], rel=1e-12, abs=0.0)
        assert s.rank == 1 + sum(m > means[s.name] for m in means.values())
        assert s.low < s.mean < s.high
        assert s.rank_low <= s.rank <= s.rank_high
        assert s.may_be_best == (s.rank_low == 1)
    for p in board.pairs:
        assert p.effect == pytest.approx(means[p.b] - means[p.a], rel=1e-9, abs=1e-12)
        assert p.effect >= 0.0
    assert [s.rank for s in board.systems] == sorted(s.rank for s in board.systems)


@pytest.mark.parametrize("name", list(CORRECTIONS))
def test_adjusted_is_at_least_raw(name: str) -> None:
    """For every correction; and significance is the adjusted p at most alpha, in the rank sets too."""
    board = ranked(table(), correction=name)
    assert all(0.0 < p.pvalue <= p.adjusted_pvalue <= 1.0 for p in board.pairs)
    assert all(p.significant == (p.adjusted_pvalue <= 0.05) for p in board.pairs)
    for s in board.systems:
        beaten_by = sum(p.significant and p.a == s.name for p in board.pairs)
        assert s.rank_low == 1 + beaten_by


def test_raw_and_adjusted_come_from_the_same_flips() -> None:
    """Raw p-values do not depend on the correction."""
    raw = [[p.pvalue for p in ranked(table(), correction=c).pairs] for c in ("max_t", "holm", "none")]
    assert raw[0] == raw[1] == raw[2]


def test_step_down_finds_at_least_what_a_single_step_finds() -> None:
    """Stepping down never loses a pair."""
    down, single = (by_pair(ranked(table(), correction=c)) for c in ("max_t", "max_t(steps=single)"))
    assert all(down[pair][1] <= single[pair][1] for pair in down)


@pytest.mark.parametrize("missing", ["error", "pairwise"])
@pytest.mark.parametrize("values", [table(), right_or_wrong()], ids=["numbers", "right or wrong"])
def test_order_changes_nothing(values: dict[str, Any], missing: str) -> None:
    """Neither the order of systems nor the order of items changes any number."""
    values = dict(values)
    if missing == "pairwise":
        values["sys1"] = np.where(np.arange(len(values["sys1"])) < 9, np.nan, values["sys1"])
    n = len(values["sys0"])
    names = [f"q{i:03d}" for i in range(n)]
    order = np.random.default_rng(5).permutation(n)
    shuffled = {name: values[name][order] for name in reversed(values)}
    one = ranked(values, items=names, missing=missing)
    other = ranked(shuffled, items=[names[i] for i in order], missing=missing)
    assert one == other


@pytest.mark.parametrize("kind", ["right or wrong", "normal", "gaps", "clusters"])
def test_renaming_moves_no_interval(kind: str) -> None:
    """Simultaneous intervals are drawn for; the numbers that are drawn belong to scores, not to names. Nor does another unit move them."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(9, 60)) + rng.normal(size=60)
    values = (values > 0).astype(float) if kind == "right or wrong" else values
    if kind == "gaps":
        values[rng.random(values.shape) < 0.1] = np.nan
    clusters = [f"c{n % 20}" for n in range(60)] if kind == "clusters" else None

    def intervals(names: str, unit: float = 1.0) -> list[tuple[float, float]]:
        table = dict(zip(names, (unit * values).tolist(), strict=True))
        answer = ranked(table, clusters=clusters, missing="pairwise" if kind == "gaps" else "error")
        found = {one.name: (one.low / unit, one.high / unit) for one in answer.systems}
        return [found[name] for name in names]

    first = intervals("abcdefghi")
    assert intervals("ihgfedcba") == first
    assert intervals("zbycxdwev") == first
    # Right or wrong in another unit is no share any more, and has another interval.
    assert kind == "right or wrong" or np.allclose(intervals("cabfdeihg", 8.0), first, rtol=1e-12, atol=0)


def test_renaming_changes_nothing_but_names() -> None:
    """P-values do not depend on what systems are called."""
    values = table()
    renamed = {f"z{9 - int(name[3:])}": row for name, row in values.items()}
    one = [(p.pvalue, p.adjusted_pvalue) for p in ranked(values).pairs]
    assert one == [(p.pvalue, p.adjusted_pvalue) for p in ranked(renamed).pairs]


def test_same_seed_same_answer() -> None:
    """Chance comes from the seed alone."""
    assert ranked(table(), seed=3) == ranked(table(), seed=3)
    assert ranked(table(), seed=3).pairs != ranked(table(), seed=4).pairs


def test_twins_share_a_tier() -> None:
    """Two identical columns have p = 1, effect 0, one rank and one tier."""
    values = table(4)
    values["twin"] = values["sys3"].copy()
    board = ranked(values)
    assert by_pair(board)[frozenset(("twin", "sys3"))] == (1.0, 1.0, False)
    twins = {s.name: s for s in board.systems if s.name in {"twin", "sys3"}}
    assert twins["twin"].tier == twins["sys3"].tier
    assert twins["twin"].rank == twins["sys3"].rank == 1


def test_degenerate_columns() -> None:
    """A constant column, an all-zero column and an all-one column work, and flat intervals are said."""
    values = table(3) | {"constant": np.full(80, 0.25), "zero": np.zeros(80)}
    board = ranked(values)
    (flat,) = (note for note in board.notes if note.code == "no_width")
    assert sorted(flat.values["systems"]) == ["constant", "zero"]
    flags = right_or_wrong(3) | {"always": np.ones(200), "never": np.zeros(200)}
    board = ranked(flags)
    ends = {s.name: s for s in board.systems}
    assert ends["always"].low < 1.0 == ends["always"].high
    assert ends["never"].low == 0.0 < ends["never"].high
    assert board.systems[0].name == "always"
    assert board.systems[0].may_be_best


def test_nothing_differs() -> None:
    """All systems equal: one tier, every rank possible, p = 1."""
    board = ranked({"a": [1.0, 0.0, 1.0], "b": [1.0, 0.0, 1.0], "c": [1.0, 0.0, 1.0]})
    assert all(p.pvalue == 1.0 for p in board.pairs)
    assert [(s.rank, s.rank_low, s.rank_high, s.tier) for s in board.systems] == [(1, 1, 3, 1)] * 3
    assert (board.separation.told_apart, board.separation.tiers, board.separation.may_be_best) == (0, 1, 3)
    assert board.letters == {"a": "a", "b": "a", "c": "a"}


def test_two_systems() -> None:
    """Two systems are a leaderboard too, and need no correction."""
    board = ranked(table(2, step=0.5))
    (pair,) = board.pairs
    assert pair.pvalue == pair.adjusted_pvalue
    assert pair.significant
    assert [(s.name, s.tier, s.may_be_best) for s in board.systems] == [("sys1", 1, True), ("sys0", 2, False)]
    assert board.guarantee == "95 % family-wise"


def test_two_hundred_systems() -> None:
    """Many systems work, letters included."""
    board = ranked(table(200, 60, step=0.02), resamples=499)
    assert len(board.pairs) == 19900
    assert len(board.letters) == 200
    assert board.systems[0].may_be_best


def test_two_items() -> None:
    """Two items can separate nothing, and the notes say why."""
    board = ranked({"a": [0.0, 0.1], "b": [0.5, 0.7], "c": [0.0, 0.1]})
    assert {pair.pvalue for pair in board.pairs} == {0.5, 1.0}
    assert [note.values for note in board.notes if note.code == "too_few_units"] == [{"units": 2}]
    assert board.corrected.smallest_pvalue == 0.5
    assert board.more_items is None


@pytest.mark.parametrize("factor", [2.0**-320, 2.0**320])
@pytest.mark.parametrize("missing", ["error", "pairwise"])
def test_units_do_not_matter(factor: float, missing: str) -> None:
    """Very small and very large scores are ranked as in any other unit, intervals and all."""
    values = table(4)
    if missing == "pairwise":
        values["sys1"][:5] = np.nan
    usual = ranked(values, missing=missing)
    other = ranked({name: factor * row for name, row in values.items()}, missing=missing)
    assert by_pair(usual) == by_pair(other)
    for one, two in zip(usual.systems, other.systems, strict=True):
        assert (two.name, two.rank, two.tier) == (one.name, one.rank, one.tier)
        assert [x / factor for x in (two.mean, two.low, two.high)] == pytest.approx(
            [one.mean, one.low, one.high], rel=1e-12, abs=0.0
        )


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_scores_beyond_squares_are_refused(factor: float) -> None:
    """Scores whose squares are no numbers are an error that says what to do."""
    with pytest.raises(DataError, match="another unit"):
        ranked({name: factor * row for name, row in table(3).items()})


def test_lower_is_better() -> None:
    """Direction turns the order and the claims, not the effects' definition nor any p-value."""
    up, down = ranked(table()), ranked(table(), lower_is_better=True)
    assert [s.name for s in down.systems] == [s.name for s in reversed(up.systems)]
    assert by_pair(up) == by_pair(down)
    assert all(p.effect <= 0.0 for p in down.pairs)
    assert down.systems[0].rank == 1
    assert down.systems[0].may_be_best
    assert not down.systems[-1].may_be_best


def test_baseline() -> None:
    """Only pairs with the baseline are judged, and sharper than among all pairs."""
    everything, against = ranked(table()), ranked(table(), baseline="sys2")
    assert {p.a for p in against.pairs} == {"sys2"}
    assert len(against.pairs) == 5
    assert all(q[1] <= by_pair(everything)[pair][1] for pair, q in by_pair(against).items())
    assert against.baseline == "sys2"
    others = [s for s in against.systems if s.name != "sys2"]
    assert all(s.rank_low <= 2 and s.rank_high >= 5 for s in others)


def test_clusters_widen_everything() -> None:
    """Items that repeat in clusters carry the evidence of the clusters, not of the items."""
    values = {name: np.repeat(row, 5) for name, row in table(4, 10, step=0.2).items()}
    codes = np.repeat(np.arange(10), 5).tolist()
    alone, clustered = ranked(values), ranked(values, clusters=codes)
    assert clustered.clusters == 10
    # Clusters of one size are units like items: their t orders flips as signs of items do.
    flips = ranked(table(4, 10, step=0.2), correction="max_t(resampling=flips)")
    by_signs = ranked(values, clusters=codes, correction="max_t(resampling=flips)")
    for name in ("pvalue", "adjusted_pvalue"):
        expected = [getattr(p, name) for p in flips.pairs]
        assert [getattr(p, name) for p in by_signs.pairs] == pytest.approx(expected, abs=0.02)
    assert {p.test for p in by_signs.pairs} == {"joint_cluster_sign_flips"}
    assert sum(p.significant for p in clustered.pairs) < sum(p.significant for p in alone.pairs)
    assert all(c.high - c.low > a.high - a.low for a, c in zip(alone.systems, clustered.systems, strict=True))


def test_f1_leaderboard() -> None:
    """A metric over parts is found from the parts, and goes through what items contribute to it."""
    rng = np.random.default_rng(2)
    parts = {f"s{i}": np.stack([rng.poisson(3 + i, 60), rng.poisson(2, 60), rng.poisson(2, 60)], -1) for i in range(3)}
    board = rank(Scores.from_arrays({k: v[:, None] for k, v in parts.items()}, parts=("tp", "fp", "fn")), resamples=999)
    assert board.metric == "f1"
    totals = {name: value.sum(axis=0) for name, value in parts.items()}
    for s in board.systems:
        tp, fp, fn = totals[s.name]
        assert s.mean == pytest.approx(2 * tp / (2 * tp + fp + fn), rel=1e-12, abs=0.0)
    assert by_pair(board)[frozenset(("s0", "s2"))][2]


def test_runs_are_averaged() -> None:
    """Repeats are averaged within items, also where some runs are missing."""
    rng = np.random.default_rng(3)
    runs = {f"s{i}": rng.normal(i, 1, (30, 4)) for i in range(3)}
    runs["s0"][4, 2:] = np.nan
    averaged = {name: np.nanmean(value, axis=1) for name, value in runs.items()}
    one, other = ranked(runs), ranked(averaged)
    assert [p.adjusted_pvalue for p in one.pairs] == [p.adjusted_pvalue for p in other.pairs]
    assert [note.values for note in one.notes if note.code == "runs_averaged"] == [{"runs": 4}]
    assert "runs_averaged" not in codes(other.notes)


def test_corrections_without_family_guarantee_say_so() -> None:
    """BH is a screen, and no correction is no guarantee: the answer and its notes say it."""
    for name, bounds in (("bh", "false discovery rate"), ("none", "none"), ("holm", "family-wise")):
        board = ranked(table(), correction=name)
        assert board.corrected.controls == bounds
        assert ("screen" in codes(board.notes)) == (bounds != "family-wise")


def test_too_few_flips_for_bonferroni_is_said() -> None:
    """Counting cannot reach a p-value small enough for a large family, and the note says how many flips can."""
    board = ranked(table(12), correction="bonferroni", resamples=999)
    (note,) = (note for note in board.notes if note.code == "too_few_resamples")
    assert note.values == {"needed": 1320, "more": "possible", "multiplied": True}
    assert "too_few_resamples" not in codes(ranked(table(12)).notes)


def test_bootstrap_by_name() -> None:
    """The bootstrap variant answers, with gaps too."""
    board = ranked(table(), correction="max_t(resampling=bootstrap)")
    assert board.correction == "max_t(resampling=bootstrap)"
    assert board.corrected.resampling == "bootstrap"
    values = table()
    values["sys1"][:3] = np.nan
    gappy = ranked(values, correction="max_t(resampling=bootstrap)", missing="pairwise")
    whole = {(p.a, p.b): p.pvalue for p in board.pairs if "sys1" not in (p.a, p.b)}
    # Pairs that lack nothing have the same differences, whoever else lacks items.
    again = {(p.a, p.b): p.pvalue for p in gappy.pairs if "sys1" not in (p.a, p.b)}
    assert again == pytest.approx(whole, abs=0.04)


def test_more_items() -> None:
    """Four times the items see half the gap, and a smaller top tier never needs fewer items."""
    plan = ranked(table(6, step=0.02)).more_items
    assert plan is not None
    assert plan.gap == pytest.approx(plan.separable / 2)
    assert plan.top_two == pytest.approx(4 * 80, abs=1)
    needed = [size.items for size in plan.top_tier]
    assert needed == sorted(needed, reverse=True)
    assert [size.systems for size in plan.top_tier] == list(range(1, len(needed) + 1))
    given = ranked(table(6, step=0.02), gap=plan.separable).more_items
    assert given is not None
    assert given.top_two == pytest.approx(80, abs=1)


def test_more_items_keep_their_promise() -> None:
    """At the planned number of items the top two are separated about as often as promised."""
    rng = np.random.default_rng(7)
    gap = 0.3

    def draw(items: int) -> dict[str, Any]:
        return {f"s{i}": rng.normal(0, 0.7, items) + gap * (i == 3) for i in range(4)}

    plan = ranked(draw(300), gap=gap).more_items
    assert plan is not None
    found = [by_pair(ranked(draw(plan.top_two), resamples=499))[frozenset(("s0", "s3"))][2] for _ in range(60)]
    assert 0.62 <= np.mean(found) <= 0.98


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"alpha": 0.7}, UsageError, "alpha is 0.7"),
        ({"resamples": 10}, UsageError, "between 99 and 10000000"),
        ({"resamples": 10**11}, UsageError, "between 99 and 10000000"),
        ({"gap": -1.0}, UsageError, "gap is -1"),
        ({"missing": "ignore"}, UsageError, "error or drop or pairwise"),
        ({"correction": "holmes"}, SpellingError, "holm"),
        ({"baseline": "sys9"}, UnknownSystem, "sys"),
        ({"metric": "f1"}, DataError, "tp, fp, fn"),
    ],
)
def test_bad_questions(options: dict[str, Any], error: type[Exception], said: str) -> None:
    """A question that cannot be asked says what was found and what was wanted."""
    with pytest.raises(error, match=said):
        ranked(table(), **options)


def test_too_little_data() -> None:
    """One item, or one cluster, is not enough."""
    with pytest.raises(TooFew, match="one item"):
        ranked({"a": [1.0], "b": [2.0]})
    with pytest.raises(TooFew, match="one cluster"):
        ranked(table(), clusters=["same"] * 80)


def test_a_baseline_with_too_many_gaps() -> None:
    """A baseline that dropping would lose is an error with a way out."""
    values = table()
    values["sys2"][:40] = np.nan
    with pytest.raises(DataError, match="pairwise"):
        ranked(values, baseline="sys2", missing="drop")
    assert ranked(values, baseline="sys2", missing="pairwise").baseline == "sys2"


def test_scores_beside_each_other_are_enough_for_a_doctest() -> None:
    """Signature and sentence name what was done."""
    board = ranked(table(), correction="holm", baseline="sys0", seed=5)
    assert "correction=holm" in board.signature
    assert "baseline=sys0" in board.signature
    assert "seed=5" in board.signature
    assert str(board) == board.sentence


def test_neighbours_are_counted() -> None:
    """Systems told from the next in rank are the significant pairs of neighbours."""
    board = ranked(table(step=0.3))
    names = [s.name for s in board.systems]
    neighbours = [(p.b, p.a) for p in board.pairs if names.index(p.a) == names.index(p.b) + 1 and p.significant]
    assert board.neighbours_told_apart == len(neighbours) > 0
    assert ranked(table(), baseline="sys2").neighbours_told_apart is None


def test_levels_that_no_number_of_flips_reaches() -> None:
    """Where more flips would be needed than may be asked for, the note does not ask for them."""
    notes = ranked(table(12, 60), correction="bonferroni", alpha=1e-9).notes
    assert [note.values["more"] for note in notes if note.code == "too_few_resamples"] == ["too many"]


def test_visibly_skewed_pairs_are_drawn_again() -> None:
    """Rare failures: the larger p-value and the wider interval."""
    rng = np.random.default_rng(1)
    values = {f"sys{i}": 0.05 * rng.normal(size=150) for i in range(3)}
    values |= {f"risky{i}": np.where(rng.random(150) < 0.08, -0.92, 0.08) for i in range(3)}
    board, flips = ranked(values), ranked(values, correction="max_t(resampling=flips)")
    by_flips = {(p.a, p.b): p for p in flips.pairs}
    for pair in board.pairs:
        alone = by_flips[pair.a, pair.b]
        assert pair.test == "larger of joint_sign_flips and joint_bootstrap"
        assert pair.adjusted_pvalue >= alone.adjusted_pvalue
        assert pair.low <= alone.low
        assert pair.high >= alone.high
    # One pair of many that is skewed has a test of its own.
    few = {f"sys{i}": rng.normal(size=150) for i in range(8)}
    few["sys1"] = few["sys0"] + 0.1 * values["risky0"]
    tests = {frozenset((p.a, p.b)): p.test for p in ranked(few).pairs}
    assert tests.pop(frozenset(("sys0", "sys1"))) == "larger of joint_sign_flips and joint_bootstrap"
    assert set(tests.values()) == {"joint_sign_flips"}
    assert board.correction == "max_t"
    assert (board.corrected.resampling, flips.corrected.resampling) == ("both", "flips")
    (note,) = (note for note in board.notes if note.code == "skewed_pairs")
    assert 9 <= note.values["pairs"] <= note.values["drawn"] == 15
    assert "skewed_pairs" not in codes(flips.notes) + codes(ranked(table()).notes)
    assert board.guarantee == "95 % family-wise"


def test_corrections_of_single_pvalues_are_given_the_larger_ones() -> None:
    """Holm's too: a pair has one p-value, whatever is made of all of them."""
    rng = np.random.default_rng(3)
    values = {f"sys{i}": 0.2 * rng.normal(size=60) + 0.05 * i for i in range(3)}
    values["risky"] = np.where(rng.random(60) < 0.08, -0.92, 0.08)
    holm, plain = ranked(values, correction="holm"), ranked(values)
    assert [p.test for p in holm.pairs] == [p.test for p in plain.pairs]
    assert [p.pvalue for p in holm.pairs] == pytest.approx([p.pvalue for p in plain.pairs], abs=0.02)


def test_one_system_against_a_baseline() -> None:
    """With two systems and a baseline there is one pair, whose verdict is about the other beside the baseline."""
    values = table(2, step=0.5)
    found = [ranked(values, baseline=name) for name in ("sys0", "sys1")]
    assert [[(p.a, p.b, p.verdict) for p in board.pairs] for board in found] == [
        [("sys0", "sys1", "b better")],
        [("sys1", "sys0", "a better")],
    ]
    assert [(board.separation.better, board.separation.worse) for board in found] == [(1, 0), (0, 1)]


def test_a_screen_calls_nobody_the_best() -> None:
    """Without a family-wise guarantee the answer says what is promised instead; its sentence counts pairs and stops there."""
    board = ranked(table(), correction="by")
    assert not board.family_wise
    assert board.guarantee == "5 % false discovery rate"
    assert "best" not in board.headline + board.sentence


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_pairs_name_the_better_system(lower_is_better: bool) -> None:
    """A pair's verdict follows from its effect where it is significant, and from nothing where it is not."""
    board = ranked(table(), lower_is_better=lower_is_better)
    assert {pair.verdict for pair in board.pairs} == {"b better", "undetermined"}
    for pair in board.pairs:
        assert (pair.verdict != "undetermined") == pair.significant
    against = ranked(table(), lower_is_better=lower_is_better, baseline="sys3")
    for pair in against.pairs:
        if pair.significant:
            ahead = (pair.effect > 0.0) != lower_is_better
            assert pair.verdict == ("b better" if ahead else "a better")
    assert {pair.verdict for pair in against.pairs} == {"a better", "b better", "undetermined"}
