"""Tables that the frozen commands read: those of the repository, an example of every format, and drawn ones."""

import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from tellapart.readers import FORMATS

ROOT = Path(__file__).parents[2]
SYSTEMS = ("s1", "s2", "s3", "s4", "s5")


def lay_out(folder: Path) -> None:
    """Write every table to a folder; commands run there, so that answers name the same files on every machine."""
    for source in (ROOT / "examples", ROOT / "tests" / "golden" / "data"):
        for path in source.glob("*.csv"):
            # Both places have a ratings.csv.
            shutil.copy(
                path, folder / (f"golden_{path.name}" if (folder / path.name).exists() else path.name)
            )
    for name in FORMATS:
        (folder / example_file(name)).write_bytes(FORMATS[name]().example())
    for name, lines in drawn(random.Random(5)).items():  # noqa: S311  (no secret)
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def example_file(format_name: str) -> str:
    return f"example_{format_name}"


def drawn(rng: random.Random) -> dict[str, list[str]]:
    """Tables with what the examples lack. Python's own generator: the streams of tellapart may change."""
    return {
        "clustered.csv": ["system,item,cluster,score", *_clustered(rng)],
        "skewed.csv": ["system,item,score", *_skewed(rng)],
        "board.csv": ["system,item,score", *_board(rng)],
        "holes.csv": ["system,item,score", *(row for row in _board(rng) if rng.random() < 0.93)],
        "runs.csv": ["system,item,run,score", *_runs(rng)],
        "weeks.csv": ["system,item,week,score", *_weeks(rng)],
        "apart.csv": ["system,item,score", *_apart(rng, binary=False)],
        "apart_binary.csv": ["system,item,score", *_apart(rng, binary=True)],
        "labels.csv": ["system,item,label,prediction", *_labels(rng)],
        **_texts(rng),
        **_retrieval(rng),
    }


def _clustered(rng: random.Random) -> Iterator[str]:
    for cluster in range(15):
        level, gain = rng.gauss(0.5, 0.1), rng.gauss(0.03, 0.05)
        for item in range(4):
            for place, system in enumerate(("old", "new")):
                yield f"{system},q{cluster}-{item},c{cluster},{level + place * gain + rng.gauss(0, 0.05):.3f}"


def _skewed(rng: random.Random) -> Iterator[str]:
    for item in range(40):
        level = rng.random()
        for place, system in enumerate(("old", "new")):
            yield f"{system},q{item},{level + place * rng.expovariate(5.0) ** 2:.4f}"


def _board(rng: random.Random) -> Iterator[str]:
    for item in range(60):
        level = rng.gauss(0.6, 0.2)
        for place, system in enumerate(SYSTEMS):
            yield f"{system},q{item:02d},{round(level + 0.03 * place + rng.gauss(0, 0.1), 2)}"


def _runs(rng: random.Random) -> Iterator[str]:
    for item in range(30):
        chance = rng.random()
        for place, system in enumerate(("old", "new")):
            yield from (
                f"{system},q{item},{run},{int(rng.random() < chance + 0.1 * place)}" for run in range(3)
            )


def _weeks(rng: random.Random) -> Iterator[str]:
    for week in range(1, 4):
        for item in range(25):
            level = rng.random()
            for place, system in enumerate(("old", "new")):
                yield f"{system},w{week}-{item},{week},{level + place * 0.05 * week + rng.gauss(0, 0.1):.3f}"


def _apart(rng: random.Random, *, binary: bool) -> Iterator[str]:
    for place, system in enumerate(("old", "new")):
        for item in range(50):
            score = rng.gauss(0.5 + 0.1 * place, 0.2)
            yield f"{system},{system}{item},{int(score > 0.5) if binary else round(score, 3)}"


def _labels(rng: random.Random) -> Iterator[str]:
    for item in range(80):
        label = int(rng.random() < 0.3)
        for place, system in enumerate(("old", "new")):
            yield f"{system},q{item},{label},{label if rng.random() < 0.7 + 0.1 * place else 1 - label}"


def _texts(rng: random.Random) -> dict[str, list[str]]:
    """A reference and two systems that garble it, one less than the other."""
    words = ("the", "cat", "sat", "on", "a", "small", "red", "mat", "while", "it", "rained", "and")
    reference = [[rng.choice(words) for _ in range(rng.randint(4, 9))] for _ in range(25)]

    def garbled(share: float) -> list[str]:
        return [
            " ".join(rng.choice(words) if rng.random() < share else word for word in line)
            for line in reference
        ]

    return {"ref.txt": _joined(reference), "old.txt": garbled(0.4), "new.txt": garbled(0.2)}


def _joined(lines: Iterable[list[str]]) -> list[str]:
    return [" ".join(line) for line in lines]


def _retrieval(rng: random.Random) -> dict[str, list[str]]:
    """Two runs of TREC and the judgements that they are scored on."""
    queries, documents = [f"t{n}" for n in range(20)], [f"d{n}" for n in range(12)]
    judged = {(query, one): int(rng.random() < 0.3) for query in queries for one in documents}

    def run(name: str, skill: float) -> list[str]:
        lines = []
        for query in queries:
            marks = {one: skill * judged[query, one] + rng.random() for one in documents}
            best = sorted(documents, key=lambda one: -marks[one])[:8]
            lines += [
                f"{query} Q0 {one} {place} {marks[one]:.4f} {name}" for place, one in enumerate(best, 1)
            ]
        return lines

    qrels = [f"{query} 0 {one} {relevant}" for (query, one), relevant in judged.items()]
    return {"qrels.txt": qrels, "old.run": run("old", 0.3), "new.run": run("new", 0.8)}
