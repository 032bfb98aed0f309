"""Boards of slices: each as a file of its own at its level, all together at alpha, and where they are shown."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from tellapart import Leaderboard, Scores, compare, rank
from tellapart.answers.page import page_of
from tellapart.answers.reading_texts import SLICED
from tellapart.answers.texts import add_text
from tellapart.cli import main
from tellapart.data.rows import Labels
from tellapart.foundation.errors import TooFew, Unsuitable, UsageError
from tellapart.render import site_files

NAMES = ("x", "y", "z")


def given(seed: int, gains: dict[str, dict[str, float]], items: int = 40, spread: float = 1.0) -> Scores:
    """Systems on three slices of `items` each, better by what `gains` says of each slice."""
    rng = np.random.default_rng(seed)
    cells = np.repeat(NAMES, items)
    ease = rng.normal(size=len(cells))
    systems = {
        name: ease + np.array([gain.get(cell, 0.0) for cell in cells]) + spread * rng.normal(size=len(cells))
        for name, gain in gains.items()
    }
    return Scores.from_arrays(systems, slices={"topic": cells.tolist()})


def of_slice(scores: Scores, name: str) -> Scores:
    cells = scores.slices["topic"]
    return scores.only(cells.codes == cells.names.index(name))


def test_two_systems_are_ranked_on_slices_as_compare_judges_them() -> None:
    scores = given(1, {"a": {}, "b": {"x": 1.0, "z": 0.4}})
    found = {one.slice: one for one in compare(scores, slices="topic").slices or ()}
    for one in rank(scores, slices="topic").slices or ():
        alone, pair = found[one.name], one.pairs[0]
        assert alone.interval is not None
        low, high = (pair.low, pair.high) if pair.b == "b" else (-pair.high, -pair.low)
        assert (pair.pvalue, pair.significant, pair.test) == (alone.pvalue, alone.verdict != "undetermined", alone.test)
        assert (low, high) == pytest.approx((alone.interval.low, alone.interval.high), rel=1e-12, abs=1e-12)
        assert 1.0 - one.alpha == pytest.approx(alone.interval.level)


@pytest.mark.parametrize(
    ("correction", "levels"), [("holm", (3, 2, 2)), ("bonferroni", (3, 3, 3)), ("none", (1, 1, 1))]
)
def test_a_slice_is_ranked_as_a_file_of_its_own_at_its_level(correction: Any, levels: tuple[int, ...]) -> None:
    """All pairs of x are told apart, so that Holm leaves half of alpha to each of the others."""
    scores = given(2, {"a": {}, "b": {"x": 3.0}, "c": {"x": 6.0, "y": 0.3}})
    answer = rank(scores, slices=("topic",), slice_correction=correction, resamples=1999)
    assert [one.alpha for one in answer.slices or ()] == pytest.approx([0.05 / level for level in levels])
    for one in answer.slices or ():
        alone = rank(of_slice(scores, one.name), alpha=one.alpha, resamples=1999)
        assert one.systems == alone.systems
        assert one.pairs == alone.pairs


def test_equal_systems_are_seldom_told_apart_in_any_slice() -> None:
    """At most alpha over all slices, with three standard errors of 60 tries; each at alpha does so more often."""
    told: dict[Literal["holm", "none"], int] = {"holm": 0, "none": 0}
    for seed in range(60):
        scores = given(seed, {"a": {}, "b": {}, "c": {}}, items=15)
        for correction in told:
            answer = rank(scores, slices="topic", slice_correction=correction, resamples=199)
            told[correction] += any(one.separation.told_apart for one in answer.slices or ())
    assert told["holm"] / 60 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)
    assert told["none"] > told["holm"]


def odd_slice() -> Leaderboard:
    """The best system of all items is the last of slice z for sure, and the last of all is not."""
    scores = given(3, {"a": {}, "b": {"x": 2.0, "y": 2.0}, "c": {"x": 5.0, "y": 5.0, "z": -5.0}}, spread=0.3)
    return rank(scores, slices="topic", resamples=999)


def test_systems_that_rank_otherwise_in_a_slice_are_named() -> None:
    answer = add_text(odd_slice())
    assert {one.name: one.elsewhere for one in answer.slices or ()} == {"x": (), "y": (), "z": ("a", "c")}
    text = next(note.text for note in answer.notes if note.code == "slices_ranked")
    assert (
        text
        == "every slice is a board of its own, each at Holm's step over 3 slices; possible ranks other than over all items: topic z: a, c"
    )
    grid = page_of(answer).grids[-1]
    assert grid.caption == "slices of topic, 95 % family-wise over 3 slices"
    assert [row[-1].text for row in grid.rows] == ["", "", "a, c"]
    assert all(one.sentence for one in answer.slices or ())
    alike = page_of(
        add_text(replace(odd_slice(), slices=tuple(replace(one, elsewhere=()) for one in answer.slices or ())))
    )
    assert len(alike.grids[-1].columns) == len(grid.columns) - 1


def test_a_published_board_has_a_table_for_every_slice() -> None:
    page = site_files(add_text(odd_slice()), "Board")["index.html"]
    options = [name for name in ("all items", "topic: x", "topic: y", "topic: z") if f">{name}</option>" in page]
    assert len(options) == 4
    pairs = json.loads(page.partition('id="pairs">')[2].partition("</script>")[0])
    assert [len(table["pairs"]) for table in pairs] == [3] * 4


def test_commands_take_slices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"{i},{name},{i * (7 + len(name)) % 11},{NAMES[i % 3]},p|q" for i in range(60) for name in ("a", "bb", "ccc")
    ]
    (tmp_path / "runs.csv").write_text("\n".join(["id,system,score,topic,tags", *rows]) + "\n", encoding="utf-8")
    asked = [
        "rank",
        str(tmp_path / "runs.csv"),
        "--slice",
        "topic",
        "--slice",
        "tags",
        "--baseline",
        "a",
        "--format",
        "json",
    ]
    with pytest.raises(SystemExit) as stop:
        main([*asked, "--site", str(tmp_path / "site")])
    assert not stop.value.code
    answer = json.loads(capsys.readouterr().out)
    assert [(one["column"], one["name"], one["items"]) for one in answer["slices"]] == [
        *(("topic", name, 20) for name in NAMES),
        *(("tags", name, 60) for name in "pq"),
    ]
    assert "slices=topic,tags" in answer["signature"]
    assert {len(one["pairs"]) for one in answer["slices"]} == {2}
    assert {note["code"] for note in answer["notes"]} >= {"slices_ranked", "slices_overlap"}
    assert (tmp_path / "site" / "index.html").exists()


def test_what_slices_leave_out_is_noted() -> None:
    scores = given(5, {"a": {}, "b": {}})
    tags = [*["p|q"] * 40, *["p"] * 40, *["q"] * 30, *["r"] * 4, *[""] * 6]
    answer = add_text(rank(replace(scores, slices={"tag": Labels.of(tags)}), slices="tag"))
    assert {note.code: note.text for note in answer.notes if note.code in set(SLICED)} == {
        "slices_blank": "6 items without tag: in no slice of it, and in the answer about all items",
        "slices_left_out": "slices of tag that are not judged, with fewer than 10 items (clusters, where there are some) or no spread: r (4)",
        "slices_overlap": "slices of tag share items, so that their effects hang together",
    }


def test_small_slices_and_systems_that_some_lack() -> None:
    scores = given(4, {"a": {}, "b": {}, "c": {}}, items=12)
    values = scores.values.copy()
    values[2, 24:] = np.nan
    answer = rank(replace(scores, values=values), slices="topic", missing="pairwise", resamples=199)
    assert [len(one.systems) for one in answer.slices or ()] == [3, 3, 2]
    with pytest.raises(TooFew, match="no slice has 13 items"):
        rank(scores, slices="topic", slice_least=13)
    with pytest.raises(UsageError, match=r"without slices of 'topc'"):
        rank(scores, slices=("topc",))


def test_ratings_have_no_slices() -> None:
    with pytest.raises(Unsuitable, match="slices are for scores"):
        rank("examples/ratings.csv", slices=("item",))
