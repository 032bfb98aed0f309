"""BLEU of two systems of WMT17 beside sacrebleu's own tests, counting aside; averages over many classes; runs beside ir-measures."""

import importlib
import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._clock import seconds
from benchmarks._memory import peak_bytes
from tellapart import rank, read
from tellapart.data.scores import Scores
from tellapart.data.summaries import Parts
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

Row = tuple[str, float, float, str]

WMT17 = Path(__file__).parents[2] / "shared" / "data" / "wmt17_ende_bleu_stats.csv.gz"
A, B = "LIUM-NMT.4900", "KIT.4950"
CLASSES, ITEMS = 100, 10_000
QUERIES, DEPTH = 100, 1_000
GIGABYTE = 1e9


def rows() -> list[Row]:
    # Memory first: what others held stays in the mark of the process.
    return [_many_classes(), *_beside_sacrebleu(), *_beside_ir_measures()]


def _left_out(what: str, library: str) -> bool:
    if importlib.util.find_spec(library) is None:
        print(f"left out: {what}; `make bench` installs {library}", file=sys.stderr)
        return True
    return False


def _beside_sacrebleu() -> list[Row]:
    if not WMT17.is_file() or _left_out("tests of BLEU beside sacrebleu's", "sacrebleu"):
        return []
    scores = read(WMT17, metric="bleu")
    sample = Parts.of(scores.pair(A, B), METRICS.parse("bleu"))
    swaps, draws = (
        TESTS.parse("permutation(resamples=10000)"),
        INTERVALS.parse("bootstrap(kind=studentised, resamples=1000)"),
    )
    swapped = seconds(lambda: swaps.apply(sample, stream(0)), repeats=5)
    drawn = seconds(lambda: draws.interval(sample, 0.95, stream(0)), repeats=9)
    ranked = seconds(lambda: rank(scores), repeats=3)
    peer_swapped = seconds(lambda: _sacrebleu("ar", sample), repeats=1)
    peer_drawn = seconds(lambda: _sacrebleu("bs", sample), repeats=5)
    return [
        ("permutation of 10,000, BLEU of one pair / sacrebleu paired-ar", swapped, peer_swapped, "50x"),
        ("studentised bootstrap of 1,000, BLEU of one pair / paired-bs", drawn, peer_drawn, "6x"),
        ("rank of 16 systems, all 120 pairs / 15 times paired-ar", ranked, 15 * peer_swapped, "100x"),
    ]


def _sacrebleu(way: str, sample: Parts) -> object:
    """Its test of two systems whose counts are there."""
    from sacrebleu import significance  # noqa: PLC0415  (only peers need it)
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415

    metric: Any = BLEU()
    # Whole numbers, as its counts are.
    known, other = (parts.astype(np.int64).tolist() for parts in (sample.a, sample.b))
    metric._extract_corpus_statistics = lambda *_: other  # noqa: SLF001  (counting is aside)
    score = metric._aggregate_and_compute(known)  # noqa: SLF001
    test: Any = getattr(significance, f"_paired_{way}_test")
    baseline = {"BLEU": (known, significance.Result(score.score))}
    resamples = 10_000 if way == "ar" else 1_000
    return test(baseline, "b", [""] * sample.items, None, {"BLEU": metric}, resamples, -1, 12345)


def _many_classes() -> Row:
    """The most memory that a macro average takes, beside the gigabyte it may."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES, size=ITEMS)
    metric: Any = METRICS.parse("f1(average=macro)")
    classes = tuple(f"c{k:02d}" for k in range(CLASSES))
    counts = [
        metric.count(labels, np.where(rng.random(ITEMS) < share, labels, rng.integers(0, CLASSES, ITEMS)), classes)
        for share in (0.7, 0.72)
    ]
    parts = metric.parts(classes)
    scores = Scores.from_arrays({name: one[:, np.newaxis] for name, one in zip("ab", counts, strict=True)}, parts=parts)
    sample = Parts.of(scores.pair("a", "b"), metric)
    INTERVALS.parse("bootstrap(kind=studentised, resamples=1000)").interval(sample, 0.95, stream(0))
    TESTS.parse("permutation(resamples=1000)").apply(sample, stream(0))
    return f"bytes of macro-F1, {CLASSES} classes x {ITEMS:,} items / 1 GB", peak_bytes(), GIGABYTE, "1x"


def _beside_ir_measures() -> list[Row]:
    if _left_out("reading and scoring runs beside ir-measures", "ir_measures"):
        return []
    library: Any = importlib.import_module("ir_measures")

    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = _written(Path(folder))

        def peer() -> None:
            judged = list(library.read_trec_qrels(str(qrels)))
            for run in runs:
                list(library.iter_calc([library.nDCG @ 10], judged, library.read_trec_run(str(run))))

        ours = seconds(lambda: read(runs, qrels=qrels, measure="nDCG@10"), repeats=5)
        theirs = seconds(peer, repeats=5)
    what = f"two runs of {QUERIES} queries x {DEPTH:,} documents, read and scored / ir-measures"
    return [(what, ours, theirs, "at least 0.67x")]


def _written(folder: Path) -> tuple[Path, list[Path]]:
    rng = np.random.default_rng(0)
    judged: list[str] = []
    runs: dict[str, list[str]] = {"one": [], "two": []}
    for query in range(301, 301 + QUERIES):
        documents = [f"FT{number:06d}" for number in rng.choice(500_000, size=DEPTH, replace=False)]
        judged += [
            f"{query} 0 {document} {grade}"
            for document, grade in zip(documents[::3], rng.integers(0, 3, DEPTH), strict=False)
        ]
        for lines in runs.values():
            scores = np.sort(rng.random(DEPTH))[::-1]
            order = rng.permutation(DEPTH)
            lines += [f"{query} Q0 {documents[k]} {place} {scores[place]:.6f} tag" for place, k in enumerate(order)]
    (folder / "qrels").write_text("\n".join(judged) + "\n", encoding="ascii")
    for name, lines in runs.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="ascii")
    return folder / "qrels", [folder / name for name in runs]
