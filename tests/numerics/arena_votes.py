"""Votes of the reference files as arrays."""

import numpy as np
from tests.numerics.frontier import rows

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.pairwise import PairwiseVotes


def control(case: str) -> FloatArray:
    """The number that strengths are adjusted for, of every vote."""
    return np.array([float(row["length_difference"]) for row in rows(f"data/{case}")])


def votes(case: str) -> tuple[list[str], PairwiseVotes, dict[str, IntArray]]:
    """The names of the systems, their votes, and the place of each vote's rater and item."""
    table = rows(f"data/{case}")
    names = sorted({row["a"] for row in table} | {row["b"] for row in table})
    place = {name: i for i, name in enumerate(names)}
    points = [float(r["winner"] == r["a"]) if r["winner"] in place else 0.5 for r in table]
    first = [{"": 0.0, r["a"]: 1.0}.get(r.get("first", ""), -1.0) for r in table]
    a, b = (np.array([place[row[side]] for row in table]) for side in "ab")
    clusters: dict[str, IntArray] = {
        name: np.unique([row[name] for row in table], return_inverse=True)[1]
        for name in ["rater", "item"]
        if name in table[0]
    }
    return (
        names,
        PairwiseVotes(len(names), a, b, np.array(points), np.array(first), np.ones(len(a))),
        clusters,
    )
