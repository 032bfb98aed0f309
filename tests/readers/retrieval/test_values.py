"""Values of measures that others computed: on TREC runs by brute force, and by trec_eval and ir_measures themselves."""

import csv
import gzip
import math
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.readers.retrieval.conftest import Write

from tellapart import read
from tellapart.data.scores import Scores

COUNTED = {
    "judged queries without a retrieved document": "unretrieved_queries",
    "retrieved queries without a judgement": "unjudged_queries",
    "judged queries without a relevant document": "queries_without_relevant",
}


def _oracle(shared: Path) -> dict[tuple[str, str], list[tuple[str, str, float]]]:
    """(qrels, run) to (query, quantity, value), where the files are there."""
    found = defaultdict(list)
    with (shared.parent / "oracle" / "retrieval_values.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            files, _, query = row["case"].rpartition("|")
            qrels, run = files.split(" x ")
            # What another program makes of ties is there to be read, not to be met.
            if "ties differ" not in row["quantity"]:
                found[qrels, run].append((query, row["quantity"], float(row["value"])))
    return found


def _path(shared: Path, name: str) -> str | None:
    folder = shared / "corpus" / "trec"
    return next((str(path) for path in (folder / name, folder / f"{name}.gz") if path.exists()), None)


def _scores(paths: tuple[str, str], measure: str, tmp_path: Path) -> Scores:
    """Of the run, beside one that has a document for every query, because two are needed."""
    other = tmp_path / "other"
    content = Path(paths[0]).read_bytes()
    text = (gzip.decompress(content) if paths[0].endswith(".gz") else content).decode()
    queries = dict.fromkeys(line.split()[0] for line in text.splitlines())
    other.write_text("".join(f"{query} Q0 none 1 1 R\n" for query in queries), encoding="utf-8")
    scores: Scores = read([paths[1], str(other)], qrels=paths[0], measure=measure)
    return scores


@pytest.mark.shared
def test_runs_of_trec(shared: Path, tmp_path: Path) -> None:
    """Per query and in the mean, within 1e-9; the numbers of queries that are none, all of them equal."""
    checked = 0
    for (qrels, run), rows in _oracle(shared).items():
        paths = _path(shared, qrels), _path(shared, run)
        if paths[0] is None or paths[1] is None:
            continue
        quantities = {quantity.removeprefix("mean ") for _, quantity, _ in rows} - {*COUNTED, "queries"}
        scores = {name: _scores((paths[0], paths[1]), name, tmp_path) for name in quantities}
        for query, quantity, value in rows:
            checked += 1
            assert _found(scores, query, quantity) == pytest.approx(value, abs=1e-9), (
                qrels,
                run,
                query,
                quantity,
            )
    assert checked > 400


def _found(scores: dict[str, Scores], query: str, quantity: str) -> float:
    name = quantity.removeprefix("mean ")
    if name in scores:
        values = scores[name].values[0, :, 0, 0]
        return float(values.mean() if quantity != name else values[scores[name].items.index(("", query))])
    any_of_them = next(iter(scores.values()))
    if quantity == "queries":
        return float(len(any_of_them.items))
    remarks = [r for r in any_of_them.remarks if r.code == COUNTED[quantity] and r.system != "other"]
    return float(sum(remark.values["queries"] for remark in remarks))


def test_brute_force(files: Write) -> None:
    """Random runs with ties, negative grades, unjudged and unretrieved queries, against formulas written out here."""
    rng = np.random.default_rng(3)
    for trial in range(20):
        judged = {
            f"q{q}": {f"d{d}": int(rng.integers(-1, 4)) for d in rng.permutation(30)[: rng.integers(1, 30)]}
            for q in range(6)
        }
        runs = [
            {f"q{q}": {f"d{d}": float(rng.integers(0, 5)) for d in rng.permutation(30)[:12]} for q in some}
            for some in (rng.permutation(8)[:5], rng.permutation(8)[:6])
        ]
        qrels = "".join(f"{q} 0 {d} {g}\n" for q, docs in judged.items() for d, g in docs.items())
        old, new = (
            "".join(f"{q} Q0 {d} 0 {s} R\n" for q, docs in run.items() for d, s in docs.items()) for run in runs
        )
        paths = files(qrels=qrels, old=old, new=new)
        for name, formula in FORMULAS.items():
            scores = read([paths["old"], paths["new"]], qrels=paths["qrels"], measure=name)
            for system, run in enumerate(runs):
                wanted = [formula(_ranked(run.get(q, {})), judged[q]) for q in sorted(judged)]
                np.testing.assert_allclose(scores.values[system, :, 0, 0], wanted, atol=1e-9, err_msg=f"{trial} {name}")


def _ranked(docs: dict[str, float]) -> list[str]:
    return sorted(docs, key=lambda doc: (docs[doc], doc), reverse=True)


def _ndcg(ranking: list[str], grades: dict[str, int]) -> float:
    gains = [max(grades.get(doc, 0), 0) for doc in ranking[:10]]
    best = sorted((max(grade, 0) for grade in grades.values()), reverse=True)[:10]
    sums = [sum(gain / math.log2(rank + 2) for rank, gain in enumerate(row)) for row in (gains, best)]
    return sums[0] / sums[1] if sums[1] else 0.0


def _relevant(ranking: list[str], grades: dict[str, int], least: int = 1) -> list[bool]:
    return [grades.get(doc, 0) >= least for doc in ranking]


def _average_precision(ranking: list[str], grades: dict[str, int], least: int = 1) -> float:
    hits, total = _relevant(ranking, grades, least), sum(grade >= least for grade in grades.values())
    found = [sum(hits[: rank + 1]) / (rank + 1) for rank, hit in enumerate(hits) if hit]
    return sum(found) / total if total else 0.0


def _reciprocal(ranking: list[str], grades: dict[str, int]) -> float:
    return next((1.0 / (rank + 1) for rank, hit in enumerate(_relevant(ranking, grades)) if hit), 0.0)


FORMULAS: dict[str, Callable[[list[str], dict[str, int]], float]] = {
    "nDCG@10": _ndcg,
    "AP": _average_precision,
    "AP(rel=2)": lambda ranking, grades: _average_precision(ranking, grades, 2),
    "RR": _reciprocal,
    "RR@3": lambda ranking, grades: _reciprocal(ranking[:3], grades),
    "P@5": lambda ranking, grades: sum(_relevant(ranking[:5], grades)) / 5,
    "Success@2": lambda ranking, grades: float(any(_relevant(ranking[:2], grades))),
}
