"""Tables with what the examples lack, drawn by Python's own generator: the streams of tellapart may change."""

import random
from collections.abc import Iterable, Iterator

SYSTEMS = ("s1", "s2", "s3", "s4", "s5")


def drawn(rng: random.Random) -> dict[str, list[str]]:
    """The lines of each file, by its name."""
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
        "board_clustered.csv": ["system,item,cluster,score", *_board_clustered(rng)],
        "board_binary.csv": ["system,item,score", *_board_binary(rng, systems=12, items=60)],
        "large.csv": ["system,item,score", *_large(rng)],
        "large_binary.csv": ["system,item,score", *_board_binary(rng, systems=2, items=1500)],
        "raters.csv": ["system,item,rater,rating", *_raters(rng)],
        "few.csv": ["system,item,score", *(row for row in _board(rng) if ",q00," in row or ",q01," in row)],
        "alike.csv": ["system,item,score", *(f"{one},q{k},{k % 3}" for k in range(20) for one in "ab")],
        "votes_alone.csv": ["a,b,winner,first", *_votes(rng)],
        **{f"suite_{name}.csv": ["dataset,item,score", *_suite(rng, name == "new")] for name in ("old", "new")},
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


def _board_clustered(rng: random.Random) -> Iterator[str]:
    for cluster in range(12):
        levels = [rng.gauss(0.5 + 0.05 * place, 0.1) for place in range(len(SYSTEMS))]
        for item in range(3):
            for system, level in zip(SYSTEMS, levels, strict=True):
                yield f"{system},q{cluster}-{item},c{cluster},{level + rng.gauss(0, 0.05):.3f}"


def _board_binary(rng: random.Random, *, systems: int, items: int) -> Iterator[str]:
    for item in range(items):
        chance = rng.random()
        yield from (f"m{k},q{item},{int(rng.random() < chance + 0.04 * k)}" for k in range(systems))


def _large(rng: random.Random) -> Iterator[str]:
    """More items than small-sample laws are computed for."""
    for item in range(1200):
        level = rng.random()
        for place, system in enumerate(("old", "new")):
            yield f"{system},q{item},{level + rng.gauss(0.008 * place, 0.1):.6f}"


def _raters(rng: random.Random) -> Iterator[str]:
    """Eight raters of two systems, with gaps."""
    strict = [rng.gauss(0.0, 0.4) for _ in range(8)]
    for item in range(15):
        for place, system in enumerate(("old", "new")):
            level = rng.gauss(3.0 + 0.4 * place, 0.6)
            ratings = [round(level - one + rng.gauss(0, 0.5)) for one in strict]
            yield from (f"{system},q{item},r{k},{one}" for k, one in enumerate(ratings) if rng.random() < 0.9)


def _votes(rng: random.Random) -> Iterator[str]:
    """Votes that stand by themselves, in both orders of showing."""
    for first in ("base", "new") * 60:
        chance = rng.random()
        yield f"base,new,{'tie' if chance < 0.2 else 'new' if chance < 0.68 else 'base'},{first}"


def _suite(rng: random.Random, better: bool) -> Iterator[str]:
    for dataset in ("easy", "hard"):
        for item in range(40):
            yield f"{dataset},{dataset}{item},{item % 7 / 7 + 0.04 * better + rng.gauss(0, 0.05):.3f}"


def _runs(rng: random.Random) -> Iterator[str]:
    for item in range(30):
        chance = rng.random()
        for place, system in enumerate(("old", "new")):
            yield from (f"{system},q{item},{run},{int(rng.random() < chance + 0.1 * place)}" for run in range(3))


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
        return [" ".join(rng.choice(words) if rng.random() < share else word for word in line) for line in reference]

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
            lines += [f"{query} Q0 {one} {place} {marks[one]:.4f} {name}" for place, one in enumerate(best, 1)]
        return lines

    qrels = [f"{query} 0 {one} {relevant}" for (query, one), relevant in judged.items()]
    return {"qrels.txt": qrels, "old.run": run("old", 0.3), "new.run": run("new", 0.8)}
