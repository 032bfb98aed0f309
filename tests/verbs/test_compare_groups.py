"""Did the difference change between groups: what `compare` answers with `by` and `labels`, and what it refuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare, rank, read
from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import codes
from tellapart.foundation.errors import DataError, GateFailed, ItemMismatch, ReadError, TooFew, Unsuitable, UsageError
from tellapart.render import render

pd = pytest.importorskip("pandas")


def weeks(lifts: list[float], items: int = 60, *, same_items: bool = False, seed: int = 0) -> Any:
    """One row per week and item, one column per system; B gains so much in each week, with a spread of 0.1."""
    rng = np.random.default_rng(seed)
    rows = []
    for week, lift in enumerate(lifts, start=1):
        a = rng.normal(0.5, 0.2, items)
        b = a + lift + rng.normal(0, 0.1, items)
        names = [f"q{i}" if same_items else f"w{week}q{i}" for i in range(items)]
        rows.append(pd.DataFrame({"week": f"W{week}", "item": names, "a": a, "b": b}))
    return pd.concat(rows, ignore_index=True)


def told(answer: Comparison) -> dict[str, Any]:
    """What every note holds, by its code."""
    return {note.code: note.values for note in answer.notes}


def test_a_lift_that_was_lost() -> None:
    """The later regression of document 001: each group's own effect, its change, and one answer for all."""
    frame = weeks([0.1, 0.1, -0.1])
    answer = compare(frame, by="week")
    assert answer.groups is not None
    assert [one.label for one in answer.groups] == ["W1", "W2", "W3"]
    for one in answer.groups:
        mine = frame[frame.week == one.label]
        alone = compare(mine.drop(columns="week"))
        assert (one.items, one.effect, one.interval) == (60, alone.effect, alone.interval)
    first, second, third = answer.groups
    assert (first.change, first.change_interval, first.adjusted_pvalue) == (None, None, None)
    assert second.change == pytest.approx(second.effect - first.effect, rel=1e-9, abs=0.0)
    assert third.change == pytest.approx(third.effect - first.effect, rel=1e-9, abs=0.0)
    assert second.adjusted_pvalue is not None
    assert second.adjusted_pvalue > 0.05
    assert third.change_interval is not None
    assert third.change_interval.high < 0.0
    assert answer.omnibus_pvalue == third.adjusted_pvalue
    assert answer.drift is True
    keys = answer.to_dict()
    assert set(keys["groups"][0]) == {
        "label",
        "items",
        "effect",
        "interval",
        "change",
        "change_interval",
        "adjusted_pvalue",
    }
    assert (keys["drift"], keys["by"]) == (True, "week")


def test_the_first_is_the_first_to_arrive() -> None:
    """Not the first of the alphabet."""
    frame = weeks([0.1, 0.1, 0.1])
    answer = compare(frame.iloc[::-1], by="week")
    assert answer.groups is not None
    assert [one.label for one in answer.groups] == ["W3", "W2", "W1"]


def test_two_groups_without_shared_items() -> None:
    """Never more sure than Welch's t of the two lifts, and close to it."""
    frame = weeks([0.1, 0.06], items=100, seed=3)
    answer = compare(frame, by="week")
    lifts = [(mine.b - mine.a).to_numpy() for _, mine in frame.groupby("week")]
    peer = stats.ttest_ind(lifts[1], lifts[0], equal_var=False)
    assert answer.omnibus_pvalue is not None
    assert 0.999 * peer.pvalue <= answer.omnibus_pvalue <= 1.3 * peer.pvalue + 0.01
    assert told(answer)["groups_pooled"] == {"groups": 2, "repeated": 0, "dropped": 0}
    assert answer.items == 200


def test_shared_items_are_paired() -> None:
    """What an item adds to both weeks cancels; pooled, it is one item."""
    frame = weeks([0.1, 0.1], same_items=True)
    own = np.tile(np.random.default_rng(5).normal(0, 3.0, 60), 2)
    frame["b"] = frame["b"] + own + 0.1 * (frame.week == "W2")
    answer = compare(frame, by="week")
    d = (frame.b - frame.a).to_numpy().reshape(2, 60)
    peer = stats.ttest_rel(d[1], d[0])
    assert answer.omnibus_pvalue is not None
    assert 0.999 * peer.pvalue <= answer.omnibus_pvalue <= 1.3 * peer.pvalue + 0.01
    assert answer.drift
    assert answer.items == 60
    assert answer.effect == pytest.approx(d.mean(), rel=1e-9, abs=0.0)
    assert told(answer)["groups_pooled"]["repeated"] == 60


def test_the_whole_is_the_answer_without_groups() -> None:
    """Where no item repeats, pooling is what `compare` says of all rows."""
    frame = weeks([0.1, 0.0, 0.05])
    answer, plain = compare(frame, by="week"), compare(frame.drop(columns="week"))
    assert (answer.effect, answer.pvalue, answer.interval, answer.items) == (
        plain.effect,
        plain.pvalue,
        plain.interval,
        plain.items,
    )
    assert plain.groups is None
    assert "drift" not in plain.to_dict()


def test_long_tables_and_every_door(tmp_path: Path) -> None:
    """A long table, a file of it, the scores that were read of it and plain arrays say the same."""
    frame = weeks([0.1, -0.1], items=20)
    long = frame.melt(["week", "item"], var_name="system", value_name="score")
    path = tmp_path / "weeks.csv"
    long.to_csv(path, index=False)
    arrays = {name: frame[name].tolist() for name in ("a", "b", "week")}
    found = [
        compare(frame, by="week"),
        compare(long, by="week"),
        compare(str(path), by="week"),
        compare(read(path, by="week")),
    ]
    assert len({(one.groups, one.omnibus_pvalue, one.drift) for one in found}) == 1
    # Arrays have no names of items, so resamples meet them in another order.
    by_position = compare(arrays, by="week").groups
    assert by_position is not None
    assert found[0].groups is not None
    assert [one.change for one in by_position[1:]] == pytest.approx([one.change for one in found[0].groups[1:]])


def test_files_as_groups(tmp_path: Path) -> None:
    """Each file holds both systems and has the label that is given to it."""
    frame = weeks([0.1, -0.1], items=20)
    paths = []
    for week, mine in frame.groupby("week"):
        paths.append(str(tmp_path / f"{week}.csv"))
        mine.drop(columns="week").to_csv(paths[-1], index=False)
    by_label = compare(paths, labels=("W1", "W2"))
    assert by_label.groups == compare(frame, by="week").groups
    assert compare(paths, labels="W1, W2").groups == by_label.groups
    assert compare(paths, by="week", labels="W1,W2").by == "week"
    for labels in ("W1", "W1,W2,W3", "W1,W1", "W1,"):
        with pytest.raises(UsageError):
            compare(paths, labels=labels)
    frame[frame.week == "W1"].to_csv(paths[0], index=False)
    with pytest.raises(UsageError, match="week"):
        compare(paths, by="week", labels="W1,W2", a="a", b="b")


def test_datasets_as_groups() -> None:
    """Scores that were read already know their datasets."""
    frame = weeks([0.1, -0.1], items=20).rename(columns={"week": "dataset"})
    found = [compare(frame, by="dataset"), compare(read(frame), by="dataset")]
    assert found[0].groups == found[1].groups
    assert all(one.drift and one.datasets is not None for one in found)


@pytest.mark.parametrize("options", [{"lower_is_better": True}, {"test": "wilcoxon"}, {"margin": 0.01}])
def test_other_questions_leave_the_changes_alone(options: Any) -> None:
    """The verdict and each group's interval follow what is asked; changes are of means always."""
    frame = weeks([0.1, 0.05], items=30)
    plain, asked = compare(frame, by="week"), compare(frame, by="week", **options)
    assert plain.groups is not None
    assert asked.groups is not None
    assert asked.groups[1].change_interval == plain.groups[1].change_interval
    assert asked.omnibus_pvalue == plain.omnibus_pvalue


def test_alpha_is_the_level_of_the_changes() -> None:
    """Wider bounds at a smaller alpha, and drift by it."""
    frame = weeks([0.1, 0.06], items=60, seed=3)
    loose, strict = (compare(frame, by="week", alpha=alpha) for alpha in (0.2, 0.001))
    assert (loose.drift, strict.drift) == (True, False)
    with pytest.raises(UsageError, match="resamples"):
        compare(frame, by="week", alpha=1e-6)


def test_a_metric_that_is_no_mean() -> None:
    """F1 in each week by its own counts, changes by each item's influence on it."""
    rng = np.random.default_rng(4)
    rows = [
        {"week": f"W{week}", "item": f"{week}-{i}", "system": system, **parts(rng, right)}
        for week, gain in ((1, 0.25), (2, -0.25))
        for i in range(80)
        for system, right in (("a", 0.5), ("b", 0.5 + gain))
    ]
    frame = pd.DataFrame(rows)
    answer = compare(frame, by="week", metric="f1")
    assert answer.groups is not None
    mine = frame[frame.week == "W2"].drop(columns="week")
    assert answer.groups[1].effect == pytest.approx(compare(mine, metric="f1").effect, rel=1e-12, abs=0.0)
    assert answer.groups[1].change == pytest.approx(
        answer.groups[1].effect - answer.groups[0].effect, rel=1e-9, abs=0.0
    )
    assert answer.drift


def parts(rng: np.random.Generator, right: float) -> dict[str, int]:
    hit = rng.binomial(5, right)
    return {"tp": hit, "fp": int(rng.integers(0, 3)), "fn": 5 - hit}


def test_clusters_are_the_units() -> None:
    """Ten items of one conversation are not ten witnesses."""
    frame = weeks([0.1, 0.02], items=60, seed=2)
    frame["cluster"] = frame.week + "-" + (np.arange(120) // 10).astype(str)
    shared = np.repeat(np.random.default_rng(1).normal(0, 0.1, 12), 10)
    frame["b"] = frame["b"] + shared
    alone, clustered = compare(frame.drop(columns="cluster"), by="week"), compare(frame, by="week")
    assert alone.omnibus_pvalue is not None
    assert clustered.omnibus_pvalue is not None
    assert clustered.omnibus_pvalue > alone.omnibus_pvalue
    assert {one["units"] for one in told(clustered)["small_groups"]["groups"]} == {6}


def test_groups_too_small_to_be_judged() -> None:
    """One row is no group: it is named, and pooled all the same; of few items it is said that they are few."""
    frame = weeks([0.1, 0.1, 0.1], items=12)
    small = frame[(frame.week != "W1") | (frame.item == "w1q0")].drop(frame[frame.week == "W3"].index[4:])
    answer = compare(small, by="week")
    assert answer.groups is not None
    assert [(one.label, one.items) for one in answer.groups] == [("W2", 12), ("W3", 4)]
    assert answer.items == 17
    notes = told(answer)
    assert notes["groups_left_out"] == {"groups": [{"label": "W1", "items": 1}]}
    assert notes["small_groups"] == {"groups": [{"label": "W3", "units": 4}], "below": 10}
    assert notes["changes_judged"]["changes"] == 1


def test_gates() -> None:
    """Drift fails where it is shown, passes where it is not, and is refused where there are no groups."""
    drifting, steady = (compare(weeks(lifts), by="week") for lifts in ([0.1, -0.1], [0.1, 0.1]))
    with pytest.raises(GateFailed, match="drift"):
        drifting.require(fail_on=("drift",))
    steady.require("better", fail_on=("drift", "worse"))
    with pytest.raises(UsageError, match="groups"):
        compare(weeks([0.1]).drop(columns="week")).require(fail_on=("drift",))


def test_what_is_refused() -> None:
    """Each refusal names the group or the column."""
    frame = weeks([0.1, 0.1], items=12)
    with pytest.raises(ReadError, match="weak"):
        compare(frame, by="weak")
    with pytest.raises(TooFew, match="two groups"):
        compare(weeks([0.1]), by="week")
    with pytest.raises(TooFew, match="two groups"):
        compare(frame.drop(columns="week"), by="item")
    with pytest.raises(Unsuitable, match="welch_t"):
        compare(frame, by="week", test="welch_t")
    with pytest.raises(DataError, match="w1q0"):
        compare(pd.concat([frame, frame.iloc[:1]]), by="week")
    with pytest.raises(ReadError, match="blank"):
        compare(frame.assign(week=frame.week.where(frame.index != 3)), by="week")
    with pytest.raises(UsageError, match="without groups"):
        compare(read(frame.drop(columns="week")), by="week")
    with pytest.raises(UsageError, match="weeks"):
        compare({"a": [1, 2], "b": [2, 3]}, by="weeks")
    for grouped in (rank, lambda scores: scores.pair("a", "b")):
        with pytest.raises(Unsuitable, match="groups"):
            grouped(read(frame, by="week"))


def test_a_system_that_a_group_lacks() -> None:
    """Refused by name, or left out with its group where gaps are dropped."""
    long = weeks([0.1, 0.1, 0.1], items=12).melt(["week", "item"], var_name="system", value_name="score")
    gone = long[(long.week != "W2") | (long.system == "a")]
    with pytest.raises(ItemMismatch, match="group 'W2' has no score of 'b'"):
        compare(gone, by="week")
    answer = compare(gone, by="week", missing="drop")
    assert answer.groups is not None
    assert [one.label for one in answer.groups] == ["W1", "W3"]
    one_gap = long.drop(long.index[-1])
    with pytest.raises(ItemMismatch, match="group 'W3'"):
        compare(one_gap, by="week")
    assert compare(one_gap, by="week", missing="drop").items == 35


def test_a_gap_of_an_item_that_another_group_has() -> None:
    """Half a pair is not averaged with a whole one."""
    frame = weeks([0.1, 0.1], items=12, same_items=True)
    frame.loc[frame.index[-1], "b"] = np.nan
    answer = compare(frame, by="week", missing="drop")
    assert answer.items == 12
    assert told(answer)["groups_pooled"]["dropped"] == 1
    d = (frame.b - frame.a).to_numpy().reshape(2, 12)
    assert answer.effect == pytest.approx(np.nanmean(d, axis=0).mean(), rel=1e-9, abs=0.0)


def test_no_groups_no_words() -> None:
    """Nothing about groups is said where none were asked for."""
    answer = compare(weeks([0.1]).drop(columns="week"))
    assert not {"groups_pooled", "changes_judged"} & set(codes(answer.notes))
    assert "changed" not in answer.headline + answer.sentence


def test_scores_in_groups_from_arrays() -> None:
    """An item may be met once in each group, and not twice in one."""
    scores = {"a": [0.0, 1.0, 0.0, 1.0], "b": [1.0, 1.0, 0.0, 1.0]}
    items, groups = ["x", "y", "x", "y"], ["late", "late", "early", "early"]
    answer = compare(Scores.from_arrays(scores, items=items, groups=groups))
    assert answer.groups is not None
    assert [one.label for one in answer.groups] == ["late", "early"]
    assert answer.items == 2
    with pytest.raises(DataError, match="'x'"):
        Scores.from_arrays(scores, items=["x", "x", "y", "z"], groups=groups)


def test_one_dataset_of_several_keeps_its_groups() -> None:
    """Picked before anything is compared, with the groups that it has."""
    frame = pd.concat(
        [weeks([0.1, -0.1], 20).assign(dataset="d"), weeks([0.1, 0.1, 0.1], 20, seed=1).assign(dataset="e")]
    )
    answer = compare(read(frame, by="week", dataset="d"))
    assert answer.groups == compare(weeks([0.1, -0.1], 20).assign(dataset="d"), by="week").groups


def test_raters_of_different_weeks_do_not_clash() -> None:
    """Several raters of one item are refused within a group; a second week may have another rater."""
    frame = weeks([0.1, 0.1], 12, same_items=True)
    assert compare(frame.assign(rater=frame.week), by="week").groups is not None


@pytest.mark.parametrize(("wrong", "right"), [(0, 1), (0, 100), (-1, 1)])
def test_no_change_of_right_or_wrong_is_beyond_what_can_be(wrong: int, right: int) -> None:
    """Two items have hardly any degrees of freedom: bounds were 10 and −11 where nothing beyond 2 can be, and a change of −.33 was printed as 0."""
    groups = [(["b", 2], [1, 0], [1, 1]), (["c", 3], [0, 1, 0], [0, 1, 1]), (["d", 30], [0] * 12 + [1] * 18, [0] * 7 + [1] * 23)]  # fmt: skip
    rows = [
        {
            "item": f"{week}{i}",
            "week": week,
            "old": wrong + a * (right - wrong),
            "new": wrong + b * (right - wrong),
        }
        for (week, _), old, new in groups
        for i, (a, b) in enumerate(zip(old, new, strict=True))
    ]
    answer = compare(pd.DataFrame(rows), by="week")
    most = 2.0 * (right - wrong)
    assert answer.groups is not None
    for one in answer.groups[1:]:
        assert one.change_interval is not None
        assert -most <= one.change_interval.low <= (one.change or 0.0) <= one.change_interval.high <= most
    assert answer.groups[2].change_interval is not None
    assert answer.groups[2].change_interval.low == -most
    if right == 1 and wrong == 0:
        (line,) = (line.split() for line in render(answer, "text").splitlines() if line.startswith("d "))
        assert line[5:8] == ["−33", "[−200,", "+200]"]
