"""Items that only some systems are scored on."""

from typing import get_args

import numpy as np
import pytest

from tellapart.boards import gaps
from tellapart.boards.board import Board
from tellapart.boards.family import all_pairs, family_of
from tellapart.boards.gaps import Missing, close_gaps
from tellapart.boards.scales import on_one_scale, standardised
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ItemMismatch, TooFew
from tellapart.metrics import METRICS


def gappy() -> Scores:
    """Ten items: 'full' has all, 'most' lacks one, 'half' lacks five."""
    values = np.arange(10.0) / 10.0
    most, half = values.copy(), values.copy()
    most[3], half[5:] = np.nan, np.nan
    return Scores.from_arrays({"full": values, "most": most, "half": half}, items=[f"q{i}" for i in range(10)])


def test_error_names_every_gap() -> None:
    """The error says who lacks how much, which item first, and both ways out."""
    with pytest.raises(ItemMismatch) as caught:
        close_gaps(gappy(), "error")
    said = caught.value.message_for("command line")
    assert "'most' lacks 1 of 10 items (first: 'q3')" in said
    assert "'half' lacks 5 of 10 items (first: 'q5')" in said
    assert "--missing drop" in said
    assert "--missing pairwise" in said


def test_error_names_five_systems_and_counts_the_rest() -> None:
    """A long list of gaps is cut."""
    rows = {f"s{i}": np.where(np.arange(9) == i, np.nan, 1.0) for i in range(7)} | {"whole": np.ones(9)}
    with pytest.raises(ItemMismatch) as caught:
        close_gaps(Scores.from_arrays(rows), "error")
    said = caught.value.message_for("command line")
    assert said.startswith("7 of 8 systems lack items: 's0' lacks 1 of 9 items (first: '0'); ")
    assert "'s4' lacks 1 of 9 items (first: '4'), and 2 more systems. Pass" in said
    rows = dict(list(rows.items())[2:])
    with pytest.raises(ItemMismatch, match=r"'s6' lacks 1 of 9 items \(first: '6'\)\. Pass"):
        close_gaps(Scores.from_arrays(rows), "error")


def test_systems_without_two_items_are_named() -> None:
    """Pairwise, a system with one item or none stops the board; five are named."""
    rows = {f"s{i}": np.where(np.arange(4) == 0, 1.0, np.nan) for i in range(6)}
    rows |= {"a": np.arange(4.0), "b": np.arange(4.0)}
    with pytest.raises(ItemMismatch, match="'s0', 's1', 's2', 's3', 's4', …: scored on fewer than two items"):
        close_gaps(Scores.from_arrays(rows), "pairwise")
    rows["s5"] = np.where(np.arange(4) < 2, 1.0, np.nan)
    with pytest.raises(ItemMismatch, match="'s0', 's1', 's2', 's3', 's4': scored on fewer than two items"):
        close_gaps(Scores.from_arrays(rows), "pairwise")


def test_drop_leaves_out_systems_then_items() -> None:
    """Half of the items missing loses the system; a tenth missing loses the item; both are said."""
    filled = close_gaps(gappy(), "drop")
    assert filled.scores.systems == ("full", "most")
    assert len(filled.scores.items) == 9
    assert filled.left_out == (("half", 0.5),)
    assert (filled.dropped_items, filled.of_items, filled.gappy_systems) == (1, 10, 0)


def test_a_fifth_missing_is_not_too_much() -> None:
    """Exactly 20 % missing keeps the system."""
    values = np.arange(10.0)
    other = np.where(np.arange(10) < 2, np.nan, values)
    filled = close_gaps(Scores.from_arrays({"a": values, "b": other}), "drop")
    assert filled.scores.systems == ("a", "b")
    assert len(filled.scores.items) == 8


def test_pairwise_keeps_everything() -> None:
    """Nothing is dropped, and the reader is told."""
    filled = close_gaps(gappy(), "pairwise")
    assert filled.scores.systems == ("full", "most", "half")
    assert len(filled.scores.items) == 10
    assert (filled.gappy_systems, filled.dropped_items, filled.left_out) == (2, 0, ())


@pytest.mark.parametrize("missing", ["error", "drop", "pairwise"])
def test_complete_scores_are_left_alone(missing: str) -> None:
    """Without gaps every choice gives the same scores and says nothing."""
    scores = Scores.from_arrays({"a": [1.0, 2.0], "b": [2.0, 3.0]})
    filled = close_gaps(scores, missing)  # type: ignore[arg-type]  # a word from the list above
    assert filled.scores is scores
    assert (filled.blank_items, filled.left_out, filled.dropped_items, filled.gappy_systems) == (0, (), 0, 0)


def test_items_scored_for_nobody() -> None:
    """A blank item is an error unless it may be left out, and then it is said."""
    scores = Scores.from_arrays({"a": [1.0, 2.0, np.nan], "b": [2.0, 3.0, np.nan]})
    with pytest.raises(ItemMismatch, match=r"1 item is scored for no system\. Pass missing='drop'"):
        close_gaps(scores, "error")
    filled = close_gaps(scores, "pairwise")
    assert len(filled.scores.items) == 2
    assert (filled.blank_items, filled.gappy_systems) == (1, 0)


def test_too_little_left() -> None:
    """Fewer than two systems or items after dropping is an error with a way out."""
    nan = np.nan
    with pytest.raises(TooFew, match="pairwise"):
        close_gaps(Scores.from_arrays({"a": [1, 2, nan, nan], "b": [nan, nan, 1, 2]}), "drop")
    blocks = np.where(np.eye(6), nan, 1.0).repeat(1, axis=0)
    with pytest.raises(TooFew, match="share 0 items"):
        close_gaps(Scores.from_arrays({f"s{i}": row for i, row in enumerate(blocks)}), "drop")


def test_strangers_are_named() -> None:
    """Two systems that share too little cannot be compared, and the error says which."""
    nan = np.nan
    scores = Scores.from_arrays({"a": [1, 2, 3, nan], "b": [nan, nan, 1, 2], "c": [1.0, 2, 2, 1]})
    with pytest.raises(ItemMismatch, match="'a' and 'b' share one item"):
        family_of(Board.of(scores, METRICS.parse("mean")), *all_pairs(3))


def test_two_shared_items_are_enough() -> None:
    """Nobody is a stranger who shares two items."""
    nan = np.nan
    scores = Scores.from_arrays({"a": [1, 2, 3, nan], "b": [nan, 5, 1, 2]})
    assert family_of(Board.of(scores, METRICS.parse("mean")), *all_pairs(2)).effects.tolist() == [0.5]


def test_too_many_patterns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pairwise table beyond memory is an error with a way out, not a crash."""
    monkeypatch.setattr(gaps, "LARGEST", 6 * 10)
    assert len(family_of(Board.of(gappy(), METRICS.parse("mean")), *all_pairs(3)).columns) == 6
    monkeypatch.setattr(gaps, "LARGEST", 6 * 10 - 1)
    with pytest.raises(DataError, match="missing='drop'"):
        family_of(Board.of(gappy(), METRICS.parse("mean")), *all_pairs(3))


def test_metrics_are_recomputed_on_shared_items() -> None:
    """F1 of a pair with gaps is the F1 of both systems on the items they share."""
    rng = np.random.default_rng(0)
    parts = rng.integers(0, 4, (3, 12, 1, 3)).astype(float)
    parts[0, :3] = np.nan
    f1 = METRICS.parse("f1")
    scores = Scores(("a", "b", "c"), tuple(("", f"{i:02d}") for i in range(12)), parts, parts=("tp", "fp", "fn"))
    family = family_of(Board.of(scores, f1), *all_pairs(3))
    values = [float(f1.value(parts[s, 3:, 0].mean(axis=0), 9)) for s in (0, 1)]
    assert family.effects[0] == pytest.approx(values[1] - values[0], rel=1e-12, abs=0.0)
    whole = [float(f1.value(parts[s, :, 0].mean(axis=0), 12)) for s in (1, 2)]
    assert family.effects[2] == pytest.approx(whole[1] - whole[0], rel=1e-12, abs=0.0)


def two_datasets(factor: float) -> Scores:
    rng = np.random.default_rng(1)
    values = rng.random((3, 40)) * np.where(np.arange(40) < 20, 1.0, factor)
    return Scores.from_arrays(
        {f"s{i}": row for i, row in enumerate(values)}, items=range(40), datasets=["one"] * 20 + ["two"] * 20
    )


def test_scales_are_told_apart() -> None:
    """Accuracies and ratings up to ten are different scales; two accuracies are one, however easy one of them is."""
    assert on_one_scale(two_datasets(1.0))
    assert on_one_scale(two_datasets(0.1))
    assert not on_one_scale(two_datasets(10.0))


@pytest.mark.parametrize(
    ("largest", "one"),
    [
        ((1.0, 0.01), True),
        ((1.01, 0.01), False),
        ((10.0, 4.0), True),
        ((12.0, 4.0), True),
        ((12.1, 4.0), False),
        ((-12.1, 4.0), False),
        ((9.0, 0.0), True),
        ((0.0, 0.0), True),
    ],
)
def test_where_scales_part(largest: tuple[float, float], one: bool) -> None:
    """All within [−1, 1], or largest scores within a factor of three; a dataset of zeros has any scale."""
    rows = {"a": [0.0, 0.0, 0.0, 0.0], "b": [largest[0], 0.0, largest[1], 0.0]}
    scores = Scores.from_arrays(rows, items=range(4), datasets=["x", "x", "y", "y"])
    assert on_one_scale(scores) == one


def test_standardising_averages_runs_and_passes_over_gaps() -> None:
    """The typical spread is that of items' means over the runs they have, of the systems that have any."""
    rng = np.random.default_rng(4)
    runs = rng.normal(size=(3, 20, 2))
    runs[0, 3, 1] = runs[1, 5, 0] = runs[1, 7] = np.nan
    home = ["only"] * 20
    scored = (~np.isnan(runs)).sum(axis=2)
    means = np.nansum(runs, axis=2) / np.where(scored == 0, np.nan, scored)
    averaged = {f"s{i}": row for i, row in enumerate(means)}
    with_runs = standardised(Scores.from_arrays({f"s{i}": row for i, row in enumerate(runs)}, datasets=home))
    without = standardised(Scores.from_arrays(averaged, datasets=home))
    ratio = runs[2, 0, 0] / with_runs.values[2, 0, 0, 0]
    assert averaged["s2"][0] / without.values[2, 0, 0, 0] == pytest.approx(ratio, rel=1e-12, abs=0.0)
    absent = {**averaged, "absent": np.full(20, np.nan)}
    again = standardised(Scores.from_arrays(absent, datasets=home))
    np.testing.assert_allclose(again.values[:3], without.values, rtol=1e-12)


def test_a_dataset_without_spread_is_measured_by_its_largest_score() -> None:
    """Systems that differ by the same amount on every item leave no spread to divide by."""
    rows = {"a": np.full(6, 2.0), "b": np.full(6, 8.0)}
    found = standardised(Scores.from_arrays(rows, datasets=["only"] * 6))
    np.testing.assert_allclose(found.values[:, 0, 0, 0], [0.25, 1.0])
    rounded = {"a": 1e6 * np.array([0.1 + 0.2, 0.3] * 3), "b": 1e6 * np.full(6, 0.6)}
    found = standardised(Scores.from_arrays(rounded, datasets=["only"] * 6))
    np.testing.assert_allclose(found.values[:, 0, 0, 0], [0.5, 1.0])
    one = standardised(Scores.from_arrays({"a": [3.0], "b": [7.0]}, datasets=["only"]))
    np.testing.assert_allclose(one.values[1, 0, 0, 0] - one.values[0, 0, 0, 0], 4.0 / np.sqrt(2.0 * 8.0))


def test_standardising_makes_scales_equal() -> None:
    """After standardising, the unit a dataset was scored in does not matter."""
    one, other = standardised(two_datasets(1.0)), standardised(two_datasets(100.0))
    np.testing.assert_allclose(one.values, other.values, rtol=1e-12)
    left = one.within("one").values[:, :, 0, 0]
    spreads = [np.var(left[j] - left[i], ddof=1) for i, j in zip(*all_pairs(3), strict=True)]
    assert np.mean(spreads) == pytest.approx(1.0, rel=1e-12, abs=0.0)


def test_no_item_at_all() -> None:
    """Items that are scored for nobody, and no others."""
    rows = {"a": np.full(3, np.nan), "b": np.full(3, np.nan)}
    for missing in get_args(Missing):
        with pytest.raises(TooFew, match="none of the 3 items is scored for any system"):
            close_gaps(Scores.from_arrays(rows), missing)


def test_two_of_each_are_enough() -> None:
    """Two systems and two items are left after dropping: that is a comparison; one of either is none."""
    a, b, late = np.arange(6.0), np.arange(6.0), np.full(6, np.nan)
    late[0] = 1.0
    two = close_gaps(Scores.from_arrays({"a": a, "b": b, "late": late}), "drop")
    assert two.scores.systems == ("a", "b")
    with pytest.raises(TooFew, match="only 1 of 2 systems"):
        close_gaps(Scores.from_arrays({"a": a, "late": late}), "drop")
    each = [np.where(np.arange(10) // 2 == i, np.nan, 1.0) for i in range(5)]
    kept = {f"s{i}": row for i, row in enumerate(each[:4])}
    assert close_gaps(Scores.from_arrays(kept), "drop").scores.values.shape[1] == 2
    less = {"s5": np.where(np.arange(10) == 9, np.nan, 1.0)}
    with pytest.raises(TooFew, match="the systems share 1 items"):
        close_gaps(Scores.from_arrays(kept | less), "drop")


def test_what_was_not_done_is_none() -> None:
    """Complete scores: nothing blank, left out, dropped or kept with gaps."""
    found = close_gaps(Scores.from_arrays({"a": np.arange(3.0), "b": np.arange(3.0)}), "error")
    done = found.blank_items, found.left_out, found.dropped_items, found.of_items, found.gappy_systems
    assert done == (0, (), 0, 0, 0)


def test_a_dataset_of_zeros_stays_one() -> None:
    """Nothing is divided by a spread that is not there, nor by a largest score of 0."""
    scores = Scores.from_arrays({"a": np.zeros(4), "b": np.zeros(4)})
    assert standardised(scores).values.tolist() == scores.values.tolist()


def test_the_first_strangers_are_named() -> None:
    """Of several pairs that share nothing the first is told, and how little it shares."""
    nan = np.nan
    rows = {
        "a": [1, 2, nan, nan, nan],
        "b": [nan, nan, 4, 5, 6],
        "c": [nan, nan, 4, 5, nan],
        "d": [nan, 2, 2, 1, 3],
    }
    board = Board.of(Scores.from_arrays(rows), METRICS.parse("mean"))
    with pytest.raises(ItemMismatch, match="systems 'a' and 'b' share no item"):
        family_of(board, *all_pairs(4))
    with pytest.raises(ItemMismatch, match="systems 'a' and 'd' share one item"):
        family_of(board, np.array([1, 0]), np.array([2, 3]))
