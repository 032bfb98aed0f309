"""A leaderboard over several datasets: each dataset alone, and every pair across them."""

import numpy as np

from tellapart.multiplicity.board import Board
from tellapart.multiplicity.gaps import only
from tellapart.multiplicity.scales import dataset_names
from tellapart.progress import stepped
from tellapart.results.leaderboard_datasets import Datasets, DatasetStanding
from tellapart.verbs.rank.across_datasets import across_datasets
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import RankedBoard, board_places, pairs_of, rank_board


def dataset_results(ranked: RankedBoard, unit: str) -> Datasets:
    """Each dataset's own leaderboard, and the pairs across datasets where there are at least two."""
    names = dataset_names(ranked.board.scores)
    alone = {
        name: _alone(ranked, name, place + 1)
        for place, name in enumerate(stepped("ranking datasets", names, len(names)))
    }
    judged = {name: found for name, found in alone.items() if found is not None}
    return Datasets(
        unit,
        tuple(_standing(name, found) for name, found in judged.items()),
        across_datasets(ranked, list(judged.values())) if len(judged) > 1 else (),
        tuple(name for name, found in alone.items() if found is None),
    )


def _standing(name: str, alone: RankedBoard) -> DatasetStanding:
    items = len(alone.board.scores.items)
    return DatasetStanding(name, items, alone.standing_results(), alone.pair_results(), alone.separation())


def _alone(ranked: RankedBoard, dataset: str, piece: int) -> RankedBoard | None:
    """The leaderboard of one dataset, of the systems scored on it; None where it has too little to compare."""
    board = _board(ranked, dataset)
    if board is None or board.units < 2 or not _all_meet(board, ranked.question):
        return None
    return rank_board(board, ranked.question, (piece,))


def _board(ranked: RankedBoard, dataset: str) -> Board | None:
    """The systems with two items or more; None where these are fewer than two, or lack the baseline."""
    scores, baseline = ranked.board.scores.within(dataset), ranked.question.baseline
    has = np.array([int(scores.scored(name).sum()) >= 2 for name in scores.systems], dtype=np.bool_)
    kept = {name for name, enough in zip(scores.systems, has, strict=True) if enough}
    if len(kept) < 2 or (baseline is not None and baseline not in kept):
        return None
    if not has.all():
        scores = only(scores, np.flatnonzero(has), np.ones(len(scores.items), dtype=np.bool_))
    return Board.of(scores, ranked.board.metric)


def _all_meet(board: Board, question: RankQuestion) -> bool:
    """Whether every pair that is asked about shares two items."""
    if board.complete:
        return True
    has = board.scored.astype(np.float64)
    return bool(((has @ has.T)[pairs_of(board, board_places(board, question), question)] >= 2).all())
