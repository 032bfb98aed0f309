"""A leaderboard on each slice of the items: pairs told apart, who may be the best, and systems whose ranks are others than over all items."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellapart.answers.leaderboard.parts import SliceStanding
from tellapart.answers.parts import Note, SliceFamily
from tellapart.boards.board import Board
from tellapart.verbs.rank.across_datasets import part_of_board
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import RankedBoard, rank_board
from tellapart.verbs.slice_columns import (
    column_notes,
    correction_of,
    slice_column,
    slice_levels,
    slice_masks,
    too_few_in_slices,
)
from tellapart.verbs.source_notes import AnswerPart

Key = tuple[str, str]
"""A column, and one of its slices."""


def rank_slices(whole: RankedBoard) -> AnswerPart:
    """Every slice's own board, at the level of its step: the statements about all slices of all columns hold together."""
    question, scores = whole.question, whole.board.scores
    membership = {column: slice_masks(scores, column, question.slice_separator) for column in question.slice_columns}
    sizes = {(column, name): int(mask.sum()) for column, masks in membership.items() for name, mask in masks.items()}
    boards = {(column, name): part_of_board(whole, scores.only(membership[column][name])) for column, name in sizes}
    judged = {key: one for key, one in boards.items() if one is not None and one.units >= question.slice_least}
    if not judged:
        units = [(name, 0 if board is None else board.units) for (_, name), board in boards.items()]
        raise too_few_in_slices(units, question.slice_least)
    every = np.ones(len(scores.items), dtype=np.bool_)
    columns = tuple(
        slice_column(column, masks, every, [name for of, name in judged if of == column])
        for column, masks in membership.items()
    )
    correction = correction_of(question)
    family = SliceFamily(str(correction), correction.label, len(judged), question.slice_least, columns)
    results = tuple(_standing(*key, found, whole) for key, found in _ranked(judged, question).items())
    return AnswerPart({"slices": results, "slice_family": family}, tuple(_notes(family, sizes)))


def _ranked(judged: dict[Key, Board], question: RankQuestion) -> dict[Key, RankedBoard]:
    """Each board at the level of its step: a slice all of whose pairs are told apart leaves its part of alpha to the others."""
    levels = slice_levels(question, np.ones(len(judged)), question.alpha)
    found = {
        key: rank_board(board, replace(question, alpha=level))
        for (key, board), level in zip(judged.items(), levels.tolist(), strict=True)
    }
    if any(one.judged.correction.guarantee != "family-wise" for one in found.values()):
        return found
    last = slice_levels(question, np.array([one.judged.adjusted.max() for one in found.values()]), question.alpha)
    for key, level in zip(found, last.tolist(), strict=True):
        if level != found[key].question.alpha:
            found[key] = rank_board(judged[key], replace(question, alpha=level))
    return found


def _standing(column: str, name: str, found: RankedBoard, whole: RankedBoard) -> SliceStanding:
    board, systems = found.board, found.standing_results()
    known = {one.name: one for one in whole.standing_results()}
    ranks = [(one, known[one.name]) for one in systems] if len(systems) == len(known) else []
    elsewhere = [one.name for one, all_ in ranks if one.rank_low > all_.rank_high or one.rank_high < all_.rank_low]
    return SliceStanding(
        name=name,
        items=len(board.scores.items),
        systems=systems,
        pairs=found.pair_results(),
        separation=found.separation(),
        column=column,
        clusters=None if board.clusters is None else board.units,
        alpha=found.question.alpha,
        elsewhere=tuple(elsewhere) if whole.question.baseline is None else (),
    )


def _notes(family: SliceFamily, sizes: dict[Key, int]) -> Iterator[Note]:
    yield Note("slices_ranked")
    for column in family.columns:
        items = {name: size for (of, name), size in sizes.items() if of == column.column}
        yield from column_notes(column, items, family.least)
