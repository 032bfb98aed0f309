"""One JSON object that holds a table: under a key, by the names of items or systems, and whatever pandas writes."""

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import compare
from tellapart.data.scores import Scores
from tellapart.readers import read
from tellapart.readers.tables.sides import read_sides

pd: Any = import_module("pandas")

RNG = np.random.default_rng(17)
IDS = [f"q{place}" for place in range(30)]
BASE = dict(zip(IDS, (RNG.random(30) < 0.5).astype(int).tolist(), strict=True))
NEW = dict(zip(IDS, (RNG.random(30) < 0.7).astype(int).tolist(), strict=True))
SYSTEMS = {"base": BASE, "new": NEW}


def write(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file that the laws of readers are tried on."""
    return json.dumps({"date": "2026-11-19", "results": list(map(dict, rows))}).encode()


def scores_of(found: Scores, system: str) -> dict[str, float]:
    values = found.values[found.system(system), :, 0, 0].tolist()
    return {item: value for (_, item), value in zip(found.items, values, strict=True)}


def check(found: Scores) -> None:
    """Both systems, each item with its own score."""
    assert scores_of(found, "base") == BASE
    assert scores_of(found, "new") == NEW


def save(folder: Path, name: str, content: Any) -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


WHOLE: dict[str, Callable[[], Any]] = {
    "by system": lambda: SYSTEMS,
    "by item": lambda: {item: {name: SYSTEMS[name][item] for name in SYSTEMS} for item in IDS},
    "records by system": lambda: {
        name: [{"id": item, "score": score} for item, score in scores.items()] for name, scores in SYSTEMS.items()
    },
    "objects by system": lambda: {
        name: {item: {"correct": bool(score), "answer": "z"} for item, score in scores.items()}
        for name, scores in SYSTEMS.items()
    },
    "lists with ids": lambda: {"id": IDS, "base": list(BASE.values()), "new": list(NEW.values())},
    "under a key": lambda: {
        "date": "2026-11-01",
        "results": [{"id": item, "base": BASE[item], "new": NEW[item]} for item in IDS],
    },
    "scores under a key": lambda: {"date": "2026-11-01", "scores": SYSTEMS},
}


@pytest.mark.parametrize("shape", WHOLE)
@pytest.mark.parametrize("indent", [None, 2])
def test_both_systems_in_one_file(shape: str, indent: int | None, tmp_path: Path) -> None:
    check(read(save(tmp_path, "all.json", json.dumps(WHOLE[shape](), indent=indent))))


@pytest.mark.parametrize("orient", ["records", "columns", "index", "table", "split"])
@pytest.mark.parametrize("named", [False, True])
def test_what_pandas_writes(orient: Any, tmp_path: Path, *, named: bool) -> None:
    """Each orient, with the items as a column or as the index."""
    frame = pd.DataFrame({"id": IDS, "base": list(BASE.values()), "new": list(NEW.values())})
    if named and orient == "records":
        pytest.skip("records leave the index out")
    written = frame.set_index("id").to_json(orient=orient) if named else frame.to_json(orient=orient)
    check(read(save(tmp_path, "frame.json", written)))


EACH: dict[str, Callable[[str, dict[str, int]], Any]] = {
    "flat": lambda _, scores: scores,
    "objects": lambda _, scores: {item: {"correct": bool(one), "pred": "z"} for item, one in scores.items()},
    "results": lambda name, scores: {
        "model": name,
        "config": {"temperature": 0},
        "accuracy": 0.5,
        "results": [{"question_id": item, "gold": "y", "correct": bool(one)} for item, one in scores.items()],
    },
    "truth values": lambda _, scores: {item: bool(one) for item, one in scores.items()},
}


@pytest.mark.parametrize("shape", EACH)
def test_a_file_per_system(shape: str, tmp_path: Path) -> None:
    files = [save(tmp_path, f"{name}.json", EACH[shape](name, scores)) for name, scores in SYSTEMS.items()]
    check(read(files))


def test_the_model_beside_the_records_is_the_system(tmp_path: Path) -> None:
    """Whatever the files are called."""
    check(read([save(tmp_path, f"run_{n}.json", EACH["results"](n, s)) for n, s in SYSTEMS.items()]))


def test_scores_by_measure_are_measures(tmp_path: Path) -> None:
    """As ranx keeps them, `{measure: {query: score}}`, and pytrec_eval, `{query: {measure: score}}`."""
    for turned in (False, True):
        files = []
        for name, scores in SYSTEMS.items():
            by_query = {item: {"ndcg_cut_10": one, "map": 0.25} for item, one in scores.items()}
            by_measure = {"ndcg_cut_10": scores, "map": dict.fromkeys(scores, 0.25)}
            files.append(save(tmp_path, f"{name}.json", by_measure if turned else by_query))
        check(read(files, measure="ndcg_cut_10"))


def test_indented_records_one_after_the_other(tmp_path: Path) -> None:
    rows = [{"system": name, "item": item, "score": SYSTEMS[name][item]} for name in SYSTEMS for item in IDS]
    check(read(save(tmp_path, "rows.jsonl", "\n".join(json.dumps(row, indent=2) for row in rows))))


REFUSED = {
    "lists": ({"base": [1, 0, 1], "new": [1, 1, 1]}, "without item names"),
    "one list": ({"model": "base", "scores": [1, 0, 1]}, "without item names"),
    "means": ({"accuracy": 0.71, "f1": 0.68}, "holds no items: means"),
    "as many outside as inside": ({"a": {"x": 1, "y": 0}, "b": {"x": 1, "y": 1}}, "which are the systems"),
    "a key twice": ('{"base": {"q1": 1, "q1": 0, "q2": 1}, "new": {"q1": 1, "q2": 1}}', "a key occurs twice"),
    "a split frame": (
        '{"columns": ["a", "b"], "index": [1], "data": [[1, 2], [3, 4]]}',
        "do not fit together",
    ),
    "cut": ('{"base": {"q1": 1, "q2": 1}, "new": {"q1": 1, ', "not a whole JSON object"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str, tmp_path: Path, refusal: Callable[..., str]) -> None:
    content, said = REFUSED[case]
    assert said in refusal(save(tmp_path, "x.json", content))


def test_repeated_keys_are_seen_at_the_top(tmp_path: Path, refusal: Callable[..., str]) -> None:
    assert "a key occurs twice" in refusal(save(tmp_path, "x.json", '{"q1": 1, "q2": 0, "q1": 0}'))


def in_folders(folder: Path) -> list[str]:
    """A folder per system with a table per dataset."""
    for name, scores in SYSTEMS.items():
        (folder / name).mkdir()
        for dataset, items in (("arc", IDS[:20]), ("gsm", IDS[20:])):
            lines = "".join(f"{item},{scores[item]}\n" for item in items)
            (folder / name / f"{dataset}.csv").write_text(f"id,correct\n{lines}")
    return [str(folder / name) for name in SYSTEMS]


def test_a_folder_per_system(tmp_path: Path) -> None:
    """Its tables are datasets, for compare and for a gate alike."""
    base, new = in_folders(tmp_path)
    for found in (read([base, new]), read_sides(base, new)):
        assert [dataset for dataset, _ in found.items] == ["arc"] * 20 + ["gsm"] * 10
        check(found)


def test_a_folder_with_a_table_per_system(tmp_path: Path) -> None:
    """Settings and notes beside the tables are passed over."""
    for name, scores in SYSTEMS.items():
        save(tmp_path, f"{name}.json", scores)
    save(tmp_path, "config.json", {"temperature": 0, "model": "x"})
    save(tmp_path, "README.md", "# Scores\n")
    check(read(tmp_path))


@pytest.mark.parametrize("folder", ["home", "home_csv", "home_dict", "home_flat"])
def test_home_made_files(folder: str, shared: Path) -> None:
    """36 and 46 of 60 right, 19 gained, 9 lost."""
    answer = compare(str(shared / "logs-2026-11" / "home_grown_json" / folder), "base", "new")
    assert answer.counts is not None
    assert (answer.a.mean, answer.b.mean) == (36 / 60, 46 / 60)
    assert (answer.counts.only_b, answer.counts.only_a) == (19, 9)
    assert answer.pvalue == pytest.approx(0.0614, abs=5e-5)
