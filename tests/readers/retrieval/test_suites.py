"""Folders of runs and judgements: several datasets in one command, however they are laid out."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart import compare, rank
from tellapart.cli import main
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError
from tellapart.readers import read
from tellapart.readers.retrieval.run import Judgements
from tellapart.readers.storage.files import locate

RNG = np.random.default_rng(23)
DATASETS, SYSTEMS, QUERIES, DOCUMENTS = ("arguana", "scifact", "trec-covid"), ("bm25", "dense"), 12, 20
RELEVANT = {name: RNG.random((QUERIES, DOCUMENTS)) < 0.2 for name in DATASETS}
FOUND = {(name, system): RNG.random((QUERIES, DOCUMENTS)) for name in DATASETS for system in SYSTEMS}


def run_of(dataset: str, system: str) -> str:
    found = FOUND[dataset, system]
    return "".join(
        f"q{query} Q0 d{document} {place} {found[query, document]:.6f} {system}\n"
        for query in range(QUERIES)
        for place, document in enumerate(np.argsort(-found[query]).tolist(), 1)
    )


def trec(dataset: str) -> str:
    relevant = RELEVANT[dataset]
    return "".join(f"q{q} 0 d{d} {int(relevant[q, d])}\n" for q in range(QUERIES) for d in range(DOCUMENTS))


def beir(dataset: str) -> str:
    lines = (line.split() for line in trec(dataset).splitlines())
    return "query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{d}\t{grade}\n" for q, _, d, grade in lines)


def independently(dataset: str, system: str) -> list[float]:
    """nDCG@10 of each query in the order of their names: gains of 1 over log2 of the place."""
    values = {}
    for query in range(QUERIES):
        gains = RELEVANT[dataset][query][np.argsort(-FOUND[dataset, system][query])].astype(float)
        discount = 1.0 / np.log2(np.arange(2, DOCUMENTS + 2))
        best = float((np.sort(gains)[::-1][:10] * discount[:10]).sum())
        values[f"q{query}"] = float((gains[:10] * discount[:10]).sum()) / best if best else 0.0
    return [values[name] for name in sorted(values)]


def save(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


LAYOUTS: dict[str, tuple[Callable[[str, str], str], Callable[[str], str], str]] = {
    "runs/DATASET/SYSTEM, qrels/DATASET": (
        lambda d, s: f"runs/{d}/{s}.run",
        lambda d: f"qrels/{d}.qrels",
        "trec",
    ),
    "runs/SYSTEM/DATASET, qrels/DATASET.tsv": (
        lambda d, s: f"runs/{s}/{d}.trec",
        lambda d: f"qrels/{d}.tsv",
        "beir",
    ),
    "runs/SYSTEM.DATASET, qrels/DATASET/qrels/test": (
        lambda d, s: f"runs/{s}.{d}.run",
        lambda d: f"qrels/{d}/qrels/test.tsv",
        "beir",
    ),
    "runs/DATASET_SYSTEM, qrels.DATASET": (
        lambda d, s: f"runs/{d}_{s}.txt",
        lambda d: f"qrels/qrels.{d}.txt",
        "trec",
    ),
}


def check(found: Scores) -> None:
    assert set(found.systems) == set(SYSTEMS)
    assert [dataset for dataset, _ in found.items] == [name for name in DATASETS for _ in range(QUERIES)]
    for dataset, part in found.datasets.items():
        for system in SYSTEMS:
            values = part.values[part.system(system), :, 0, 0]
            assert values.tolist() == pytest.approx(independently(dataset, system), abs=1e-9)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_several_datasets(layout: str, tmp_path: Path) -> None:
    """Every run is scored with the judgements of its own dataset."""
    run, qrels, form = LAYOUTS[layout]
    save(tmp_path, {run(d, s): run_of(d, s) for d in DATASETS for s in SYSTEMS})
    save(tmp_path, {qrels(d): trec(d) if form == "trec" else beir(d) for d in DATASETS})
    check(read(str(tmp_path / "runs"), qrels=str(tmp_path / "qrels"), measure="nDCG@10"))


def test_a_folder_per_dataset_with_both(tmp_path: Path) -> None:
    save(tmp_path, {f"{d}/{s}.run": run_of(d, s) for d in DATASETS for s in SYSTEMS})
    save(tmp_path, {f"{d}/qrels.txt": trec(d) for d in DATASETS})
    found = read(str(tmp_path), qrels=str(tmp_path), measure="nDCG@10")
    check(found)
    answer = compare(found, "bm25", "dense")
    assert answer.across_datasets is not None
    assert answer.across_datasets.datasets == 3


def test_a_folder_per_system(tmp_path: Path) -> None:
    save(tmp_path, {f"{s}/{d}.run": run_of(d, s) for d in DATASETS for s in SYSTEMS})
    save(tmp_path, {f"qrels/{d}.txt": trec(d) for d in DATASETS})
    check(read([str(tmp_path / s) for s in SYSTEMS], qrels=str(tmp_path / "qrels"), measure="nDCG@10"))


def test_one_dataset_in_one_folder(tmp_path: Path) -> None:
    """A folder of runs is ranked with its judgements, which may lie in it."""
    save(tmp_path, {f"{s}.run": run_of("scifact", s) for s in SYSTEMS} | {"qrels.txt": trec("scifact")})
    found = read(str(tmp_path), qrels=str(tmp_path / "qrels.txt"), measure="nDCG@10")
    assert found.systems == SYSTEMS
    assert len(rank(found).systems) == 2


def test_the_test_split_is_meant(tmp_path: Path) -> None:
    save(tmp_path, {f"runs/scifact/{s}.run": run_of("scifact", s) for s in SYSTEMS})
    save(tmp_path, {"qrels/scifact/test.tsv": beir("scifact"), "qrels/scifact/dev.tsv": beir("arguana")})
    found = read(str(tmp_path / "runs"), qrels=str(tmp_path / "qrels"), measure="nDCG@10")
    values = found.values[found.system("bm25"), :, 0, 0].tolist()
    assert values == pytest.approx(independently("scifact", "bm25"), abs=1e-9)


def test_beir_judgements_are_those_of_trec(tmp_path: Path) -> None:
    save(tmp_path, {"trec.txt": trec("scifact"), "test.tsv": beir("scifact")})
    one, other = (Judgements.of(locate(str(tmp_path / name), name)) for name in ("trec.txt", "test.tsv"))
    assert one.relevance == other.relevance


def test_a_run_that_belongs_to_no_judgements(tmp_path: Path, refusal: Callable[..., str]) -> None:
    save(tmp_path, {f"runs/{d}/{s}.run": run_of(d, s) for d in DATASETS for s in SYSTEMS})
    save(
        tmp_path,
        {f"qrels/{d}.txt": trec(d) for d in DATASETS} | {"runs/other/bm25.run": run_of("scifact", "bm25")},
    )
    said = refusal(str(tmp_path / "runs"), qrels=str(tmp_path / "qrels"), measure="nDCG@10")
    assert "which judgements belong to this run? There are some for arguana, scifact" in said


def test_real_runs(shared: Path) -> None:
    """nDCG@10 .3266, .4467 and .3751; dense above bm25 by .12006."""
    folder = shared / "logs-2026-11" / "trec_run_dir"
    found = read(str(folder), qrels=str(folder / "qrels.txt"), measure="nDCG@10")
    means = dict(zip(found.systems, found.values.mean(axis=(1, 2, 3)).tolist(), strict=True))
    assert means == pytest.approx({"bm25": 0.3266, "dense": 0.4467, "hybrid": 0.3751}, abs=5e-5)
    assert compare(found, "bm25", "dense").effect == pytest.approx(0.12006, abs=5e-6)


def test_judgements_given_twice_are_used_both_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Halves of the queries give what the whole gives; a query that both judge is refused, and so are two of one dataset."""
    lines = trec("arguana").splitlines(keepends=True)
    half = len(lines) // 2
    save(tmp_path, {f"{system}.run": run_of("arguana", system) for system in SYSTEMS})
    save(tmp_path, {"whole.txt": "".join(lines), "one.txt": "".join(lines[:half]), "two.txt": "".join(lines[half:])})
    runs, at = (
        [str(tmp_path / f"{system}.run") for system in SYSTEMS],
        [str(tmp_path / n) for n in ("one.txt", "two.txt")],
    )
    whole, both = (read(runs, qrels=given, measure="nDCG@10") for given in (str(tmp_path / "whole.txt"), at))
    assert both.items == whole.items
    np.testing.assert_array_equal(both.values, whole.values)
    words = ["compare", *runs, "--measure", "nDCG@10", "--qrels", at[0], "--qrels"]
    for last, code in ((at[1], 0), (str(tmp_path / "whole.txt"), 3)):
        with pytest.raises(SystemExit, match=str(code)):
            main([*words, last])
    assert "query 'q0' is judged in" in capsys.readouterr().err


def test_judgements_of_each_dataset_by_name(tmp_path: Path) -> None:
    """Files given one by one are those of the datasets that they are called after, as in a folder."""
    save(tmp_path, {f"qrels/{name}.qrels": trec(name) for name in DATASETS})
    save(tmp_path, {f"runs/{name}/{system}.run": run_of(name, system) for name in DATASETS for system in SYSTEMS})
    runs, given = str(tmp_path / "runs"), [str(tmp_path / f"qrels/{name}.qrels") for name in DATASETS]
    folder, files = (read(runs, qrels=one, measure="nDCG@10") for one in (str(tmp_path / "qrels"), given))
    assert files.items == folder.items
    np.testing.assert_array_equal(files.values, folder.values)
    save(tmp_path, {"more/arguana.txt": trec("arguana")})
    with pytest.raises(ReadError, match="both be the judgements of 'arguana'"):
        read(runs, qrels=[*given, str(tmp_path / "more/arguana.txt")], measure="nDCG@10")
