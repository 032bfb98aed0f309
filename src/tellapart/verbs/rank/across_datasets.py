"""Pairs of systems across datasets: effect on this suite, prediction for a new dataset, and datasets won or lost."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.answers.leaderboard.parts import (
    AcrossResult,
    Datasets,
    DatasetStanding,
    EstimateResult,
    NewDatasetResult,
    WinsResult,
)
from tellapart.answers.parts import HeterogeneityResult
from tellapart.boards import meta_analysis
from tellapart.boards.board import Board
from tellapart.boards.corrections.holm import Holm
from tellapart.boards.family import pair_errors
from tellapart.boards.gaps import only
from tellapart.boards.scales import dataset_names
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.progress import with_progress
from tellapart.numerics.null_laws.proportions import wilson_bounds
from tellapart.numerics.null_laws.tails import t_tails, two_sided_quantile
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import RankedBoard, board_places, pairs_of, rank_board


class PairsByDataset(NamedTuple):
    """The results of each pair on each dataset, `(pair, dataset)` each; NaN where missing."""

    effects: FloatArray
    variances: FloatArray
    dfs: FloatArray
    items: FloatArray
    adjusted: FloatArray


class DatasetCounts(NamedTuple):
    """Datasets on which B is better or worse, `(pair,)` each."""

    wins: IntArray
    losses: IntArray
    wins_at_least: IntArray
    losses_at_least: IntArray


def across_datasets(ranked: RankedBoard, datasets: list[RankedBoard]) -> tuple[AcrossResult, ...]:
    """The pairs of a board over the datasets on which both systems were judged, where these are at least two."""
    systems = ranked.board.systems
    pairs = [(systems[a], systems[b]) for a, b in zip(ranked.judged.a, ranked.judged.b, strict=True)]
    cells = _cells(pairs, datasets)
    seen = np.isfinite(cells.effects).sum(axis=1) >= 2
    compared = PairsByDataset(*(table[seen] for table in cells))
    names = [pair for pair, enough in zip(pairs, seen, strict=True) if enough]
    return _BoardSuite(compared, ranked.question).results(names) if names else ()


def _cells(pairs: list[tuple[str, str]], datasets: list[RankedBoard]) -> PairsByDataset:
    tables = PairsByDataset(*(np.full((len(pairs), len(datasets)), np.nan) for _ in PairsByDataset._fields))
    for place, ranked in enumerate(datasets):
        known = {name: i for i, name in enumerate(ranked.board.systems)}
        rows = [i for i, (a, b) in enumerate(pairs) if a in known and b in known]
        a, b = (np.array([known[pairs[i][side]] for i in rows], dtype=np.int64) for side in (0, 1))
        errors = pair_errors(ranked.board, a, b)
        values = (errors.effects, _never_zero(errors.variances, errors.items, ranked.board), errors.dfs, errors.items)
        for table, column in zip(tables, (*values, _adjusted(ranked, a, b)), strict=True):
            table[rows, place] = column
    return tables


def _adjusted(ranked: RankedBoard, a: IntArray, b: IntArray) -> FloatArray:
    """The adjusted p-values of these pairs in a dataset's own family, in which A and B may have changed sides."""
    judged, size = ranked.judged, len(ranked.board.systems)
    table = np.full((size, size), np.nan)
    table[judged.a, judged.b] = table[judged.b, judged.a] = judged.adjusted
    return np.asarray(table[a, b])


def _never_zero(variances: FloatArray, items: IntArray, board: Board) -> FloatArray:
    """Two systems that never differ on a dataset count as if they had differed on one item: no spread is not certainty."""
    widest = float(np.nanmax(board.values) - np.nanmin(board.values))
    one_item = (widest if widest > 0.0 else 1.0) ** 2 / items**2
    return np.where(variances > 0.0, variances, one_item)


def _heterogeneity(found: meta_analysis.Heterogeneity, pair: int) -> HeterogeneityResult:
    q, pvalue, i_squared, tau_squared = (float(column[pair]) for column in found)
    return HeterogeneityResult(q, pvalue, i_squared, tau_squared**0.5)


@dataclass(frozen=True, eq=False)
class _BoardSuite:
    """All pairs over all datasets."""

    cells: PairsByDataset
    question: RankQuestion

    @property
    def level(self) -> float:
        return 1.0 - self.question.alpha

    def results(self, pairs: list[tuple[str, str]]) -> tuple[AcrossResult, ...]:
        cells, present = self.cells, np.isfinite(self.cells.effects)
        equal = self._estimates(meta_analysis.suite_mean(*cells[:3], np.ones_like(cells.items), self.level))
        by_items = self._estimates(meta_analysis.suite_mean(*cells[:3], cells.items, self.level))
        future, spread = meta_analysis.random_effects(cells.effects, cells.variances, self.level)
        combined = meta_analysis.stouffer(*self._tails(), np.sqrt(cells.items))
        new = self._new_dataset(future)
        counts, adjusted = self._counts(), Holm().adjust_list(combined)
        return tuple(
            AcrossResult(
                a=a,
                b=b,
                datasets=int(present[i].sum()),
                equal_weight=equal[i],
                item_weight=by_items[i],
                new_dataset=new[i],
                heterogeneity=_heterogeneity(spread, i),
                stouffer_pvalue=float(combined[i]),
                stouffer_adjusted_pvalue=float(adjusted[i]),
                wins=self._wins(cells.effects[i]),
                significant_wins=int(counts.wins[i]),
                significant_losses=int(counts.losses[i]),
                wins_at_least=int(counts.wins_at_least[i]),
                losses_at_least=int(counts.losses_at_least[i]),
            )
            for i, (a, b) in enumerate(pairs)
        )

    def _estimates(self, found: meta_analysis.Estimate) -> list[EstimateResult]:
        adjusted = Holm().adjust_list(np.where(np.isnan(found.pvalue), 1.0, found.pvalue))
        return [EstimateResult(*row) for row in zip(*(column.tolist() for column in (*found, adjusted)), strict=True)]

    def _new_dataset(self, found: meta_analysis.NewDataset) -> list[NewDatasetResult]:
        ends = (found.prediction_low, found.prediction_high)
        bounds = [[None if np.isnan(x) else float(x) for x in end] for end in ends]
        return [NewDatasetResult(*row) for row in zip(self._estimates(found.mean), *bounds, strict=True)]

    def _tails(self) -> tuple[FloatArray, FloatArray]:
        """P(T ≤ t) and P(T ≥ t) of each dataset's own t statistic."""
        return t_tails(self.cells.effects / np.sqrt(self.cells.variances), self.cells.dfs)

    def _counts(self) -> DatasetCounts:
        """Datasets on which B is significantly better or worse: counted after correction, and by partial conjunction."""
        alpha, (pairs, datasets) = self.question.alpha, self.cells.effects.shape
        better = (self.cells.effects < 0.0) if self.question.lower_is_better else (self.cells.effects > 0.0)
        claimed = rejects(self.cells.adjusted * datasets, alpha) & (self.cells.effects != 0.0)
        below, above = self._tails()
        good, bad = (below, above) if self.question.lower_is_better else (above, below)
        # Both directions of all pairs are asked about together.
        share = alpha / (2 * pairs)
        return DatasetCounts(
            np.asarray((claimed & better).sum(axis=1)),
            np.asarray((claimed & ~better).sum(axis=1)),
            meta_analysis.replicated(good, share),
            meta_analysis.replicated(bad, share),
        )

    def _wins(self, effects: FloatArray) -> WinsResult:
        gains = -effects if self.question.lower_is_better else effects
        wins, losses, ties = (int(np.sum(which)) for which in (gains > 0.0, gains < 0.0, gains == 0.0))
        if wins + losses == 0:
            return WinsResult(wins, losses, ties, None, None)
        bounds = wilson_bounds(wins, wins + losses, two_sided_quantile(self.level))
        return WinsResult(wins, losses, ties, float(bounds.low), float(bounds.high))


# A leaderboard over several datasets: each dataset alone, and every pair across them.


def dataset_results(ranked: RankedBoard, unit: str) -> Datasets:
    """Each dataset's own leaderboard, and the pairs across datasets where there are at least two."""
    names = dataset_names(ranked.board.scores)
    alone = {
        name: _alone(ranked, name, place + 1)
        for place, name in enumerate(with_progress("ranking datasets", names, len(names)))
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
    board = part_of_board(ranked, ranked.board.scores.within(dataset))
    return None if board is None or board.units < 2 else rank_board(board, ranked.question, (piece,))


def part_of_board(ranked: RankedBoard, scores: Scores) -> Board | None:
    """Some of the items, of the systems with two of them or more; None where pairs share fewer than two, or lack the baseline."""
    baseline = ranked.question.baseline
    has = np.array([int(scores.scored(name).sum()) >= 2 for name in scores.systems], dtype=np.bool_)
    kept = {name for name, enough in zip(scores.systems, has, strict=True) if enough}
    if len(kept) < 2 or (baseline is not None and baseline not in kept):
        return None
    if not has.all():
        scores = only(scores, np.flatnonzero(has), np.ones(len(scores.items), dtype=np.bool_))
    board = Board.of(scores, ranked.board.metric)
    return board if _all_meet(board, ranked.question) else None


def _all_meet(board: Board, question: RankQuestion) -> bool:
    """Whether every pair that is asked about shares two items."""
    if board.complete:
        return True
    has = board.scored.astype(np.float64)
    return bool(((has @ has.T)[pairs_of(board, board_places(board, question), question)] >= 2).all())
