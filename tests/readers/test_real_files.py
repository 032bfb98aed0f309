"""Real evaluations, as they were published, read as they are; skipped where they are absent."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from tellapart import Ratings
from tellapart.foundation.errors import DataError, ReadError
from tellapart.readers import read

pytestmark = pytest.mark.shared


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_alpaca_eval_has_blanks(shared: Path) -> None:
    """AlpacaEval 1: 53 systems on 805 instructions, of which 61 cells are blank and stay missing."""
    scores = read(shared / "alpaca_eval1_gpt4.csv.gz")
    assert scores.values.shape == (53, 805, 1, 1)
    assert int(np.isnan(scores.values).sum()) == 61
    claude = [float(row["claude"]) for row in rows_of(shared / "alpaca_eval1_gpt4.csv.gz") if row["claude"]]
    assert np.nanmean(scores.values[scores.system("claude")]) == pytest.approx(np.mean(claude), rel=1e-12, abs=0.0)


def test_bbh_items_repeat_across_tasks(shared: Path) -> None:
    """BIG-Bench Hard: item 0 of one task is not item 0 of another."""
    scores = read(shared / "bbh_davinci002_cot_vs_direct.csv.gz", columns={"cluster": "task"})
    assert scores.systems == ("cot", "direct")
    assert len(scores.items) == 6511
    assert len({item for _, item in scores.items}) < 300
    assert scores.clusters is not None
    assert int(scores.clusters.max()) + 1 == 27


def test_mt_bench_turns_share_a_question(shared: Path) -> None:
    """MT-bench: two turns per question are two items of one cluster; without the turn they are repeats, and refused."""
    path = shared / "mt_bench_gpt4_single.csv.gz"
    scores = read(path, columns={"dataset": "turn", "cluster": "question_id"})
    assert scores.values.shape == (5, 160, 1, 1)
    assert scores.clusters is not None
    assert np.bincount(scores.clusters).tolist() == [2] * 80
    with pytest.raises(DataError, match="already has a score for item"):
        read(path)


def test_trec_measures(shared: Path) -> None:
    """TREC Robust 2003: four measures in one column, of which one is picked."""
    path = shared / "trec_robust03_per_topic.csv.gz"
    scores = read(path, measure="AP")
    assert (scores.measure, scores.values.shape) == ("AP", (17, 100, 1, 1))
    first = next(row for row in rows_of(path) if row["measure"] == "AP")
    place = scores.items.index(("", first["topic"]))
    assert scores.values[scores.system(first["system"]), place, 0, 0] == float(first["value"])
    with pytest.raises(ReadError, match=r"'AP' \(1700 rows\).*'nDCG@20' \(1700 rows\)"):
        read(path)


def test_mteb_tasks_are_items(shared: Path) -> None:
    """MTEB: the task column names the items of a wide leaderboard."""
    assert read(shared / "mteb_eng_v2_task_scores.csv.gz").values.shape == (183, 41, 1, 1)


def test_mteb_repeats_are_runs(shared: Path) -> None:
    """MTEB classification: ten experiments a task are runs, once the caller says which column they are."""
    columns = {"item": "task", "run": "experiment"}
    scores = read(shared / "mteb_eng_v2_classification_repeats.csv.gz", columns=columns)
    assert (scores.measure, scores.values.shape[1:]) == ("accuracy", (8, 10, 1))


def test_wmt_segments(shared: Path) -> None:
    """WMT 2020: segment by system, wide; the means equal those of the columns."""
    path = shared / "wmt_mqm_newstest2020_ende_avgseg.csv.gz"
    scores, rows = read(path), rows_of(path)
    assert scores.values.shape == (10, 1418, 1, 1)
    for system in scores.systems:
        column = [float(row[system]) for row in rows]
        assert scores.values[scores.system(system)].mean() == pytest.approx(np.mean(column), rel=1e-12, abs=0.0)


def test_two_judges_are_not_averaged(shared: Path) -> None:
    """WildBench: two judges of one session make ratings."""
    path = shared / "wildbench_scores.csv.gz"
    found = read(path, columns={"dataset": "version"})
    assert isinstance(found, Ratings)
    assert found.raters == ("gpt-4-turbo-2024-04-09", "gpt-4o-2024-05-13")
    with pytest.raises(DataError, match="already rated system"):
        read(path)


def test_ratings_without_scores(shared: Path) -> None:
    """WMT error annotations hold ids and words but no score, and an id is not taken for one."""
    with pytest.raises(ReadError, match="no column holds scores"):
        read(shared / "wmt_mqm_ted_ende_ratings.csv.gz")
