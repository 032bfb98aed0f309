"""Whole lines of the calibration of leaderboards, each in one block, at whatever scale a test can wait for."""

from collections.abc import Iterator, Sequence

from tellapart.calibration.boards import OFTEN, BoardLine, BoardTally, as_line, board_lines, counted_boards
from tellapart.calibration.leaning_boards import as_leaning_line, counted_leaning, leaning_lines, often
from tellapart.calibration.measure import ALPHA, StreamBlock


def calibrated_boards(scale: float, *, systems: Sequence[int], seed: int = 0) -> Iterator[BoardLine]:
    for line in board_lines(systems):
        block = _block(OFTEN, scale, seed)
        found = BoardTally(block.size, *counted_boards(line, systems, block, ALPHA))
        yield as_line(line, systems, found, ALPHA)


def calibrated_leaning_boards(scale: float, *, seed: int = 0) -> Iterator[BoardLine]:
    for line in leaning_lines():
        block = _block(often(line), scale, seed)
        found = BoardTally(block.size, *counted_leaning(line, block, alpha=ALPHA))
        yield as_leaning_line(line, found, alpha=ALPHA)


def _block(often: int, scale: float, seed: int) -> StreamBlock:
    return StreamBlock(0, max(1, round(often * scale)), seed)
