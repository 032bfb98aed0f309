"""Counting that takes seconds: piece by piece, by whoever counts, and the same counts."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import read
from tellapart.cli.input import over_processes
from tellapart.foundation.progress import reporting_to
from tellapart.metrics import METRICS
from tellapart.metrics.counting.sacrebleu_counts import MOST_CHECKED
from tellapart.metrics.counting.texts import PIECE
from tellapart.metrics.from_texts import TextMetric

BLEU: Any = pytest.importorskip("sacrebleu.metrics").BLEU


def segments(count: int) -> list[tuple[str, tuple[str, ...]]]:
    rng = np.random.default_rng(3)
    words = np.array(["a", "cat", "sat", "on", "the", "mat", "today"])
    return [(" ".join(rng.choice(words, 6)), (" ".join(rng.choice(words, 6)),)) for _ in range(count)]


def files(folder: Path, texts: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[list[Path], Path]:
    wrote, wanted = [text for text, _ in texts], [references[0] for _, references in texts]
    for name, lines in (("a", wrote), ("b", wrote[::-1]), ("ref", wanted)):
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [folder / "a.txt", folder / "b.txt"], folder / "ref.txt"


@pytest.mark.parametrize("metric", ["ter", "bleu"])
def test_pieces_are_handed_to_whoever_maps(metric: str, tmp_path: Path) -> None:
    """What is slow is cut into pieces, the rest is not; the counts are those of counting at once."""
    sizes: list[int] = []

    def mapper(count: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
        sizes.extend(map(len, pieces))
        return map(count, pieces)

    systems, reference = files(tmp_path, segments(3 * PIECE // 2))
    plain = read(systems, metric=metric, references=reference)
    spread = read(systems, metric=metric, references=reference, mapper=mapper)
    assert np.array_equal(plain.values, spread.values)
    assert (len(sizes) > 1) == (metric == "ter")
    assert all(size <= PIECE for size in sizes)


def test_a_table_of_texts_is_cut_too(tmp_path: Path) -> None:
    """Columns of hypotheses and references are counted by the same mapper."""
    lines = ["system,item,hypothesis,reference"]
    for place, (wrote, (wanted,)) in enumerate(segments(PIECE + 1)):
        lines += [f"a,{place},{wrote},{wanted}", f"b,{place},{wanted} {place},{wanted}"]
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    met: list[int] = []

    def mapper(count: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
        met.append(len(pieces))
        return map(count, pieces)

    found = read(tmp_path / "table.csv", metric="ter", mapper=mapper)
    assert met == [3]
    assert np.array_equal(found.values, read(tmp_path / "table.csv", metric="ter").values)


def test_processes_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes, pieces in order, and a bar that hears of each."""
    metric = METRICS.parse("ter")
    assert isinstance(metric, TextMetric)
    told: list[tuple[str, float, float]] = []
    monkeypatch.setattr("tellapart.cli.input.available_cores", lambda: 2)
    texts = segments(90)
    pieces = [texts[:30], texts[30:60], texts[60:]]
    with reporting_to(lambda doing, done, total: told.append((doing, done, total))):
        found = np.concatenate(list(over_processes(metric.count, pieces)))
    assert np.array_equal(found, metric.count(texts))
    assert told == [("counting", 1, 3), ("counting", 2, 3), ("counting", 3, 3)]


def test_so_many_segments_are_scored_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The public score is asked of some segments: all of few, a twentieth of many, and never above a hundred."""
    asked: list[int] = []
    public = BLEU.corpus_score

    def counting(self: Any, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        asked.append(len(hypotheses))
        return public(self, hypotheses, references)

    monkeypatch.setattr(BLEU, "corpus_score", counting)
    metric = METRICS.parse("bleu")
    assert isinstance(metric, TextMetric)
    for count in (3, 300, 1000, 3000):
        metric.count(segments(count))
    assert asked == [3, 20, 50, MOST_CHECKED]
