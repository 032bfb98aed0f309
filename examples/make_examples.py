"""Write the bundled examples: invented scores, from a seed, so that anyone can make the same files again.

retrieval.csv: nDCG@10 of two retrievers on 300 topics, correlated because hard topics are hard for both.
answers.csv:   right or wrong, three systems on 400 questions.
"""

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def retrieval(rng: np.random.Generator) -> list[list[str]]:
    difficulty = rng.normal(size=300)
    rows = [["system", "topic", "measure", "value"]]
    for system, skill in (("baseline", -0.10), ("candidate", -0.02)):
        latent = skill + 1.1 * difficulty + 0.42 * rng.normal(size=300)
        scores = 1.0 / (1.0 + np.exp(-latent))
        rows += [[system, f"t{i:03d}", "nDCG@10", f"{score:.4f}"] for i, score in enumerate(scores, start=1)]
    return rows


def answers(rng: np.random.Generator) -> list[list[str]]:
    difficulty = rng.normal(size=400)
    skills = {"small": 0.3, "medium": 0.75, "large": 0.85}
    right = {name: difficulty + 0.8 * rng.normal(size=400) < skill for name, skill in skills.items()}
    rows = [["item", *skills]]
    return rows + [[f"q{i + 1:03d}", *(str(int(right[name][i])) for name in skills)] for i in range(400)]


def main() -> None:
    for name, make in (("retrieval", retrieval), ("answers", answers)):
        with (HERE / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(make(np.random.default_rng(20261115)))


if __name__ == "__main__":
    main()
