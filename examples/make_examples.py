"""Write the bundled examples: invented scores, from a seed, so that anyone can make the same files again.

retrieval.csv: nDCG@10 of two retrievers on 300 topics, correlated because hard topics are hard for both.
answers.csv:   right or wrong, three systems on 400 questions.
ratings.csv:   two systems on 40 items, rated from 1 to 7 by each of 5 raters.
votes.csv:     which of two answers is better, by 3 of 12 raters on each of 40 items, with the one shown first.
arena.csv:     50,000 battles of six chat models by 2,000 voters; only on request (python examples/make_examples.py arena), because it is large.
"""

import csv
import sys
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


def ratings(rng: np.random.Generator) -> list[list[str]]:
    raters, items = 0.5 * rng.normal(size=(5, 1)), 0.7 * rng.normal(size=(1, 40))
    own = 0.4 + 0.3 * rng.normal(size=(5, 1)) + 0.5 * rng.normal(size=(1, 40))
    rows = [["system", "item", "rater", "rating"]]
    for system, side in (("base", -0.5), ("new", 0.5)):
        rated = np.clip(np.rint(4.2 + raters + items + side * own + 0.6 * rng.normal(size=(5, 40))), 1, 7)
        rows += [
            [system, f"i{item + 1:02d}", f"r{rater + 1}", f"{rated[rater, item]:.0f}"]
            for item in range(40)
            for rater in range(5)
        ]
    return rows


def votes(rng: np.random.Generator) -> list[list[str]]:
    raters, items = 0.4 * rng.normal(size=12), 0.5 * rng.normal(size=40)
    rows = [["a", "b", "winner", "item", "rater", "first"]]
    for item in range(40):
        for rater in sorted(rng.choice(12, size=3, replace=False)):
            first = "new" if rng.random() < 0.6 else "base"
            felt = 0.35 + raters[rater] + items[item] + (0.2 if first == "new" else -0.2) + 0.8 * rng.normal()
            winner = "new" if felt > 0.3 else "base" if felt < -0.3 else "tie"
            rows.append(["base", "new", winner, f"i{item + 1:02d}", f"r{rater + 1:02d}", first])
    return rows


def arena(rng: np.random.Generator) -> list[list[str]]:
    """Battles as a chat arena publishes them: a few voters cast most votes, each with a taste of their own, and the one shown first gains."""
    strengths = {"grand": 0.42, "vivid": 0.36, "brisk": 0.12, "plain": 0.08, "modest": -0.28, "tiny": -0.70}
    count, voters, names = 50_000, 2_000, np.array(list(strengths))
    activity = rng.lognormal(0.0, 1.5, voters)
    voter = rng.choice(voters, count, p=activity / activity.sum())
    a = rng.integers(0, len(names), count)
    b = (a + rng.integers(1, len(names), count)) % len(names)
    taste = np.array(list(strengths.values())) + 0.6 * rng.normal(size=(voters, len(names)))
    a_first = rng.random(count) < 0.5
    up = 1.0 / (1.0 + np.exp(taste[voter, b] - taste[voter, a] - np.where(a_first, 0.12, -0.12)))
    tied = rng.random(count) < 0.9 * up * (1.0 - up)
    winner = np.where(
        tied,
        np.where(rng.random(count) < 0.4, "tie (bothbad)", "tie"),
        np.where(rng.random(count) < up, "model_a", "model_b"),
    )
    language = rng.choice(["English", "German", "Chinese"], voters, p=[0.7, 0.1, 0.2])[voter]
    columns = (
        names[a],
        names[b],
        winner,
        np.char.add("voter_", voter.astype(str)),
        np.where(a_first, names[a], names[b]),
        language,
    )
    return [
        ["model_a", "model_b", "winner", "judge", "first", "language"],
        *np.stack([c.astype(str) for c in columns], axis=1).tolist(),
    ]


LARGE = {"arena": arena}
"""Written where they are asked for by name."""


def write(name: str, folder: Path = HERE) -> None:
    made = {"retrieval": retrieval, "answers": answers, "ratings": ratings, "votes": votes, **LARGE}
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(made[name](np.random.default_rng(20261115)))


def main(names: list[str]) -> None:
    for name in names or ["retrieval", "answers", "ratings", "votes"]:
        write(name)


if __name__ == "__main__":
    main(sys.argv[1:])
