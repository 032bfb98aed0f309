"""Logs of evaluation programs, as large as they are in earnest: reading them beside what any reader has to do, to decode the JSON."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks._memory import peak_bytes
from tellapart.readers.logs.collect import collect_logs
from tellapart.readers.logs.reading import read_logs
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.files import origins_at
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin

LM_EVAL_ROWS = 60_000
INSPECT_SAMPLES = 6_000
EVAL_SAMPLES = 1_500
LIGHTEVAL_ROWS = 60_000
OTHER_FILES = 20_000
REPEATS = 3
OURS_ALONE = "--memory"

_WORDS = [f"word{number}" for number in range(400)]

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return [
            _lm_eval(place),
            _inspect_json(place),
            _inspect_eval(place),
            *_beside_inspect(place),
            _lighteval(place),
            _no_format(place),
        ]


def _lm_eval(folder: Path) -> Row:
    path = folder / "samples_gsm8k_2026-01-01T00-00-00.000001.jsonl"
    rng = random.Random(0)  # noqa: S311  (texts, not secrets)
    with path.open("w", encoding="utf-8") as file:
        for number in range(LM_EVAL_ROWS):
            file.write(json.dumps(_lm_eval_record(number, rng)) + "\n")
    ours, peer = _beside(lambda: _read(path), lambda: _each_line(path))
    size, memory = path.stat().st_size / 1e6, _memory(path)
    return (
        f"lm-eval, {LM_EVAL_ROWS:,} rows, {size:.0f} MB, {memory:.0f} MB of memory / json.loads of its lines",
        ours,
        peer,
        "at least 0.62 (1.6 times)",
    )


def _lm_eval_record(number: int, rng: random.Random) -> dict[str, Any]:
    question = _text(rng, 60)
    prompt = f"Question: {question}\nAnswer:"
    return {
        "doc_id": number,
        "doc": {"question": question, "answer": _text(rng, 40), "level": number % 5},
        "target": str(number),
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"], "do_sample": False}}},
        "resps": [[_text(rng, 110)]],
        "filtered_resps": [str(number)],
        "filter": "strict-match",
        "metrics": ["exact_match"],
        "doc_hash": f"{number:064x}",
        "prompt_hash": f"{number + 1:064x}",
        "target_hash": f"{number + 2:064x}",
        "exact_match": float(rng.random() < 0.5),
    }


def _inspect_json(folder: Path) -> Row:
    path = folder / "log.json"
    rng = random.Random(1)  # noqa: S311  (as above)
    samples = [_sample(number, rng, 300) for number in range(INSPECT_SAMPLES)]
    path.write_text(json.dumps(_header() | {"samples": samples}, indent=2), encoding="utf-8")
    del samples
    ours, peer = _beside(lambda: _read(path), lambda: json.loads(path.read_bytes()))
    size, memory = path.stat().st_size / 1e6, _memory(path)
    return (
        f"Inspect .json, {size:.0f} MB, {memory:.0f} MB of memory / json.load",
        ours,
        peer,
        "at least 1; below 150 MB",
    )


def _header() -> dict[str, Any]:
    about = {
        "task": "sums",
        "model": "lab/m",
        "dataset": {"name": "sums"},
        "config": {"epochs": 1},
        "scorers": [{"name": "match"}],
    }
    return {"version": 2, "status": "success", "eval": about, "plan": {}, "results": {}, "stats": {}}


def _sample(number: int, rng: random.Random, words: int) -> dict[str, Any]:
    messages = [{"role": role, "content": _text(rng, words)} for role in ("system", "user", "assistant")]
    return {
        "id": number,
        "epoch": 1,
        "input": messages[1]["content"],
        "target": "7",
        "messages": messages,
        "output": {"choices": [{"message": messages[2]}]},
        "scores": {"match": {"value": "C" if rng.random() < 0.5 else "I", "answer": "7"}},
        "metadata": {"topic": f"t{number % 9}"},
        "events": [{"event": "model", "output": messages[2]["content"]} for _ in range(2)],
    }


def _inspect_eval(folder: Path) -> Row:
    """Beside decoding all samples, which is the least that whoever reads them does."""
    path = folder / "log.eval"
    rng = random.Random(2)  # noqa: S311  (as above)
    samples = [_sample(number, rng, 300) for number in range(EVAL_SAMPLES)]
    kept = ("id", "epoch", "target", "metadata", "scores")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(_header()))
        archive.writestr("summaries.json", json.dumps([{key: one[key] for key in kept} for one in samples]))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_1.json", json.dumps(one))
    ours, peer = _beside(lambda: _read(path), lambda: _all_samples(path))
    return (
        f"Inspect .eval, {EVAL_SAMPLES:,} samples / unpack and decode the samples",
        ours,
        peer,
        "none: samples_df is the peer",
    )


def _beside_inspect(folder: Path) -> list[Row]:
    """A log that inspect_ai wrote, beside its own data frame of samples; none where it is not installed."""
    if find_spec("inspect_ai") is None:
        print(
            "no row beside samples_df: inspect_ai is not installed (pip install inspect_ai pandas pyarrow)",
            file=sys.stderr,
        )
        return []
    log, scorer = import_module("inspect_ai.log"), import_module("inspect_ai.scorer")
    path, rng = folder / "written.eval", random.Random(4)  # noqa: S311  (as above)
    samples = [
        log.EvalSample(
            id=number,
            epoch=1,
            input=_text(rng, 30),
            target="7",
            scores={"match": scorer.Score(value=rng.choice("CI"), answer="7")},
            metadata={"topic": f"t{number % 9}"},
        )
        for number in range(EVAL_SAMPLES)
    ]
    data = log.EvalDataset(name="sums", samples=EVAL_SAMPLES)
    about = log.EvalSpec(
        created="2026-01-01T00:00:00+00:00", task="sums", dataset=data, model="m", config=log.EvalConfig()
    )
    log.write_eval_log(log.EvalLog(status="success", eval=about, samples=samples), str(path))
    samples_df = import_module("inspect_ai.analysis").samples_df
    ours, peer = _beside(lambda: _read(path), lambda: samples_df(str(path), quiet=True))
    what = f"Inspect .eval that inspect_ai {version('inspect_ai')} wrote, {EVAL_SAMPLES:,} samples / its samples_df"
    return [(what, ours, peer, "at least 15")]


def _all_samples(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            json.loads(archive.read(name))


def _lighteval(folder: Path) -> Row:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    rng = random.Random(3)  # noqa: S311  (as above)
    rows = [
        {
            "doc": {"id": str(number), "task_name": "sum|0", "query": _text(rng, 60)},
            "metric": {"em": float(number % 2), "f1": rng.random()},
            "model_response": {"text": [_text(rng, 60)]},
        }
        for number in range(LIGHTEVAL_ROWS)
    ]
    path = folder / "details_sum|0_2026-01-01T00-00-00.000001.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    leaves = ["doc.id", "doc.task_name", "metric"]
    ours, peer = _beside(
        lambda: _read(path, "em"),
        lambda: [batch.to_pydict() for batch in parquet.ParquetFile(path).iter_batches(columns=leaves)],
    )
    return (
        f"lighteval, {LIGHTEVAL_ROWS:,} rows / pyarrow on the same leaves, as Python values",
        ours,
        peer,
        "at least 0.5 (2 times)",
    )


def _no_format(folder: Path) -> Row:
    """A folder in which there is nothing to read; the peer only opens every file."""
    inside = folder / "other"
    inside.mkdir()
    for number in range(OTHER_FILES):
        (inside / f"{number}.txt").write_text(f"note {number}\nof no format\n", encoding="utf-8")
    ours, peer = _beside(lambda: _surveyed(inside), lambda: [one.read_bytes() for one in inside.iterdir()], repeats=1)
    return f"describe {OTHER_FILES:,} files of no format / open them", ours, peer, "ours below 5 s"


def _read(path: Path, measure: str | None = None) -> None:
    read_logs(_origins(path), LogRequest(measure=measure))


def _surveyed(path: Path) -> None:
    collect_logs(_origins(path), LogRequest(survey=True))


def _origins(path: Path) -> list[Origin]:
    return origins_at([str(path)], Limits())


def _each_line(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        for line in file:
            json.loads(line)


def _text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words))


def _beside(ours: Callable[[], object], peer: Callable[[], object], repeats: int = REPEATS) -> tuple[float, float]:
    """The least CPU seconds of each, taken in turn so that both meet the same machine."""
    spent = [(_spent(ours), _spent(peer)) for _ in range(repeats)]
    return min(one for one, _ in spent), min(other for _, other in spent)


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _memory(path: Path) -> float:
    """Megabytes at the peak of a process that reads this and nothing else."""
    command = [sys.executable, "-m", "benchmarks.logs", OURS_ALONE, os.fspath(path)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout) / 1e6


if __name__ == "__main__":
    _read(Path(sys.argv[2]))
    print(peak_bytes())
