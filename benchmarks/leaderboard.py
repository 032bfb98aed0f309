"""Leaderboards: a whole one beside evalstats, and all adjusted p-values beside the bare products behind them."""

import csv
import importlib.util
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks._clock import command_seconds, seconds
from tellapart.boards.board import Board
from tellapart.boards.family import Family, all_pairs, family_of
from tellapart.boards.joint_flips import joint_flips
from tellapart.boards.joint_pvalues import joint_pvalues
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS
from tellapart.verbs.rank import rank

FLIPS = 10_000
SYSTEMS, ITEMS = 44, 1319
"""The size of the GSM8K leaderboard."""


def rows() -> list[tuple[str, float, float, str]]:
    return [*_beside_evalstats(), *_beside_products()]


def _beside_evalstats() -> list[tuple[str, float, float, str]]:
    what = f"`tellapart rank` as typed, {SYSTEMS} systems x {ITEMS:,} items"
    if importlib.util.find_spec("evalstats") is None:
        print(f"left out: {what} beside evalstats; `make bench` installs it", file=sys.stderr)
        return []
    scores = right_or_wrong(SYSTEMS, ITEMS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.csv"
        _write(scores, path)
        typed = command_seconds("-m", "tellapart", "rank", str(path), repeats=6)
    called, peer = seconds(lambda: rank(scores), repeats=3), _evalstats(scores)
    return [
        (f"{what} (evalstats.compare, without its start)", typed, peer, "100x"),
        (f"rank in Python, {SYSTEMS} systems x {ITEMS:,} items (evalstats.compare)", called, peer, "100x"),
    ]


def _write(scores: Scores, path: Path) -> None:
    """One row per item and one column per system."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["item", *scores.systems])
        rows.writerows([name, *row] for (_, name), row in zip(scores.items, scores.values[:, :, 0, 0].T, strict=True))


def _beside_products() -> list[tuple[str, float, float, str]]:
    board = Board.of(numbers(200, 5_000), METRICS.parse("mean"))
    bare = _bare(200, 5_000)
    adjusted = seconds(partial(_adjusted, board), repeats=3)
    return [("200 systems x 5,000 items, all adjusted p (bare products)", adjusted, bare, "at least 1/12")]


def right_or_wrong(systems: int, items: int) -> Scores:
    rng = np.random.default_rng(0)
    shares = np.linspace(0.6, 0.97, systems)[:, np.newaxis]
    return _scores((rng.random((systems, items)) < shares).astype(np.float64))


def numbers(systems: int, items: int) -> Scores:
    """Correlated normal scores, filled row by row so that building them takes no more memory than they have."""
    rng = np.random.default_rng(0)
    common, values = rng.standard_normal(items), np.empty((systems, items))
    for place, row in enumerate(values):
        row[:] = common + rng.standard_normal(items) + 0.5 * place / systems
    return _scores(values)


def _scores(values: FloatArray) -> Scores:
    systems, items = values.shape
    names = tuple(f"s{i:04d}" for i in range(systems)), tuple(("", f"{i:06d}") for i in range(items))
    return Scores(*names, values[:, :, np.newaxis, np.newaxis])


def _family(board: Board) -> Family:
    return family_of(board, *all_pairs(len(board.systems)))


def _adjusted(board: Board) -> FloatArray:
    return joint_pvalues(joint_flips(_family(board), FLIPS, stream(0))).step_down


def _bare(systems: int, items: int) -> float:
    values = np.random.default_rng(0).standard_normal((systems, items))
    flips = np.random.default_rng(1).integers(0, 2, (FLIPS, items)).astype(np.float64)
    return seconds(lambda: values @ flips.T, repeats=3)


def _evalstats(scores: Scores) -> float:
    """CPU seconds of its one-call comparison of all systems; once, because it takes minutes."""
    import evalstats  # noqa: PLC0415  (a peer, not a dependency)
    import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415  # only with that peer

    tables = zip(scores.systems, scores.values[:, :, 0, 0], strict=True)
    long = [(name, item, float(score)) for name, row in tables for item, score in enumerate(row)]
    loaded = evalstats.load_from(pd.DataFrame(long, columns=["model", "item", "score"]))
    start = time.process_time()
    evalstats.compare(loaded, factors="model")
    return time.process_time() - start
