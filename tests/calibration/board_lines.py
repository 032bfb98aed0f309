"""Whole lines of the calibration of leaderboards, each in one block, at whatever scale a test can wait for."""

from collections.abc import Iterator, Sequence

from tellapart.studies.calibration.boards import (
    OFTEN,
    BoardLine,
    BoardTally,
    as_line,
    as_skewed_line,
    board_lines,
    counted_boards,
    counted_skewed,
    skewed_lines,
)
from tellapart.studies.calibration.measure import ALPHA, StreamBlock


def calibrated_boards(scale: float, *, systems: Sequence[int], seed: int = 0) -> Iterator[BoardLine]:
    for line in board_lines(systems):
        block = _block(OFTEN, scale, seed)
        found = BoardTally(block.size, *counted_boards(line, systems, block, ALPHA))
        yield as_line(line, systems, found, ALPHA)


def calibrated_skewed_boards(scale: float, *, seed: int = 0) -> Iterator[BoardLine]:
    for line in skewed_lines():
        block = _block(OFTEN, scale, seed)
        yield as_skewed_line(line, BoardTally(block.size, *counted_skewed(line, block)))


def _block(often: int, scale: float, seed: int) -> StreamBlock:
    return StreamBlock(0, max(1, round(often * scale)), seed)
