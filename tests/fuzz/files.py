"""Files that hold no plain scores: ratings, votes, predictions, texts, runs with judgements, claims."""

from random import Random
from typing import Any

from tests.fuzz.tables import Copy, Made, delimited

Needed = tuple[list[Copy], list[str]]
"""Files that belong together, and the flags without which no command reads them."""


def people_and_texts(table: Made, rng: Random) -> list[Needed]:
    return [
        _ratings(table, rng),
        _votes(table, rng),
        _predictions(table, rng),
        _texts(table, rng),
        _runs(table, rng),
        _claims(rng),
    ]


def _ratings(table: Made, rng: Random) -> Needed:
    raters = [f"r{k}" for k in range(rng.randint(1, 4))]
    kept = rng.choice([1.0, 0.8])
    rows = [
        [s, i, r, rng.randint(1, 5)] for s in table.systems for i in table.items for r in raters if rng.random() < kept
    ]
    return [_file("ratings.csv", ["system", "item", "rater", "score"], rows)], []


def _votes(table: Made, rng: Random) -> Needed:
    first, second = table.systems[:2]
    share = rng.choice([0.5, 1.0])
    rows = [
        [first, second, first if rng.random() < share else rng.choice([second, "tie"]), i, rng.choice("xyz")]
        for i in table.items
        for _ in range(rng.randint(1, 2))
    ]
    return [_file("votes.csv", ["a", "b", "winner", *rng.choice([[], ["item"], ["item", "rater"]])], rows)], []


def _predictions(table: Made, rng: Random) -> Needed:
    classes = rng.choice([["0", "1"], ["yes", "no"], ["cat", "dog", "模型"]])
    labels = {i: rng.choice(classes) for i in table.items}
    rows = [[s, i, labels[i], rng.choice([*classes, labels[i]])] for s in table.systems for i in table.items]
    return [_file("predictions.csv", ["system", "item", "label", "prediction"], rows)], [
        "--metric",
        rng.choice(["f1(average=macro)", "mcc", "accuracy"]),
    ]


def _texts(table: Made, rng: Random) -> Needed:
    words = ["the", "cat", "sat", "模型", "é", "", ".", "on"]

    def page() -> bytes:
        return "\n".join(" ".join(rng.choices(words, k=5)) for _ in table.items).encode()

    metric = rng.choice(["bleu", "chrf", "ter", "wer"])
    files = [(name, page) for name in ("a.txt", "b.txt", "ref.txt")]
    return [*files], ["--reference", "ref.txt", "--metric", metric]


def _runs(table: Made, rng: Random) -> Needed:
    def run() -> bytes:
        lines = [
            f"{i} Q0 d{k} 1 {rng.choice([1.0, 0.5, -2.0])} s" for i in table.items for k in range(rng.randint(0, 3))
        ]
        return "\n".join(lines).encode()

    def judgements() -> bytes:
        return "\n".join(f"{i} 0 d{k} {rng.randint(-1, 3)}" for i in table.items for k in range(2)).encode()

    files = [("one.run", run), ("two.run", run), ("qrels.txt", judgements)]
    return [*files], ["--qrels", "qrels.txt", "--measure", rng.choice(["nDCG@10", "RR", "AP"])]


def _claims(rng: Random) -> Needed:
    rows = [[f"s{k}", round(rng.random(), 3), round(rng.random(), 3), rng.choice([10, 500, "", "x"])] for k in range(3)]
    return [_file("claims.csv", ["name", "a", "b", "items"], rows)], []


def _file(name: str, header: list[str], rows: list[list[Any]]) -> Copy:
    return name, lambda: delimited([header, *(row[: len(header)] for row in rows)])
