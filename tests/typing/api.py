"""User code that must type-check: `make types` runs mypy over it; it is never executed."""

from pathlib import Path

import numpy as np
import polars as pl

import tellapart
from tellapart import Audit, Claim, Comparison, Leaderboard, Plan, PowerResult, Ratings, Scores, Votes


def two_systems(path: str) -> float:
    answer: Comparison = tellapart.compare(tellapart.read(path), a="old", b="new", margin=0.01)
    low: float = answer.interval.low
    words: str = answer.sentence
    return low + len(words)


def given_as_they_are(path: Path, frame: pl.DataFrame) -> list[Comparison | Leaderboard]:
    arrays = {"a": np.zeros(3), "b": [1.0, 0.0, 1.0]}
    return [
        tellapart.compare(path, a="old", b="new"),
        tellapart.compare([path, "new.csv"]),
        tellapart.compare(frame),
        tellapart.rank(frame),
        tellapart.rank(arrays, alpha=0.01),
    ]


def from_arrays() -> Scores:
    return Scores.from_arrays({"a": np.zeros(3), "b": [1.0, 0.0, 1.0]}, clusters=["x", "x", "y"])


def by_people() -> tuple[float, int]:
    ratings = Ratings.from_arrays({"a": np.ones((3, 4)), "b": np.zeros((3, 4))}, raters=["x", "y", "z"])
    votes = Votes.from_columns(a=["a", "a"], b=["b", "b"], winner=["a", "tie"], first=["a", "b"])
    rated: Comparison = tellapart.compare(ratings, raters_as="fixed")
    voted: Comparison = tellapart.compare(votes, ties="drop")
    return rated.effect, 0 if voted.votes is None else voted.votes.ties


def many(scores: Scores) -> list[str]:
    board: Leaderboard = tellapart.rank(scores, correction="holm")
    return [system.name for system in board.systems if system.may_be_best]


def before() -> int:
    answer: Plan = tellapart.plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", power=0.8)
    return answer.rows[0].items


def underneath(study: tellapart.Study) -> float:
    result: PowerResult = tellapart.power(study)
    return result.power


def others(path: str) -> list[str]:
    answer: Audit = tellapart.audit(Claim(a="0.70", b="0.72", items=1000), evidence="no_prior", alpha=0.01)
    table: Audit = tellapart.audit(path, defaults={"items": 1000})
    return [note.code for claim in (*answer.claims, *table.claims) for note in claim.notes]
