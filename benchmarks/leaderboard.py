"""Leaderboards: a whole one against evalstats, and all adjusted p-values against the bare products behind them."""

import importlib.util
import resource

import numpy as np

from benchmarks._clock import seconds
from tellapart.arrays import FloatArray
from tellapart.metrics import METRICS
from tellapart.multiplicity import weigh
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.sign_flips import sign_flips
from tellapart.scores import Scores
from tellapart.seeds import stream
from tellapart.verbs.rank import rank

FLIPS = 10_000
PEER_SECONDS_A_PAIR = 28.8 / 190
"""`evalstats.compare` (0.3.3) on 20 of these systems, 1,319 items; it is used where evalstats is not installed."""


def rows() -> list[tuple[str, float, float, str]]:
    accuracy = right_or_wrong(44, 1319)
    whole = seconds(lambda: rank(accuracy, resamples=FLIPS), repeats=3)
    source = "evalstats, 10 systems scaled by pairs" if _installed() else "evalstats, quoted per pair"
    board = _board(200, 5_000)
    ours, bare = seconds(lambda: _adjusted(board), repeats=2), _bare(200, 5_000)
    return [
        (f"rank, 44 systems x 1,319 items ({source})", whole, _evalstats() * 946, "100x"),
        ("200 systems x 5,000 items, all adjusted p (bare products)", ours, bare, "at least 1/12"),
        ("200 systems x 5,000 items, decisions (bare products)", ours, bare, "at least 1/4"),
    ]


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


def _board(systems: int, items: int) -> Board:
    return Board.of(numbers(systems, items), METRICS.parse("mean"))


def _adjusted(board: Board) -> FloatArray:
    family = family_of(board, *all_pairs(len(board.systems)))
    return weigh(sign_flips(family, FLIPS, stream(0))).step_down


def _bare(systems: int, items: int) -> float:
    values = np.random.default_rng(0).standard_normal((systems, items))
    flips = np.random.default_rng(1).integers(0, 2, (FLIPS, items)).astype(np.float64)
    return seconds(lambda: values @ flips.T, repeats=3)


def _installed() -> bool:
    return importlib.util.find_spec("evalstats") is not None


def _evalstats() -> float:
    """CPU seconds a pair."""
    if not _installed():
        return PEER_SECONDS_A_PAIR
    import evalstats  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  # a peer, not a dependency
    import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415  # only with that peer

    scores = right_or_wrong(10, 1319)
    long = [
        (n, i, float(v))
        for n, row in zip(scores.systems, scores.values, strict=True)
        for i, v in enumerate(row)
    ]
    loaded = evalstats.load_from(pd.DataFrame(long, columns=["model", "item", "score"]))
    return seconds(lambda: evalstats.compare(loaded, factors="model"), repeats=1) / 45


def largest() -> float:
    """Peak memory in GB of ranking 1,000 systems on 100,000 items; a minute or two, so not in the table."""
    rank(numbers(1_000, 100_000), resamples=FLIPS)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    print(f"1,000 systems x 100,000 items x 10,000 flips: {largest():.2f} GB at most")
