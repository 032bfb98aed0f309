"""One line with everything needed to rank the same board again."""

from collections import Counter
from itertools import chain

from tellapart.fingerprint import fingerprint
from tellapart.multiplicity.board import Board
from tellapart.scores.on_disk import rows_of
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.verbs.signature import sign


def signature(ranked: RankedBoard, *, partial: bool = False) -> str:
    """Of a partial answer, which cannot be had again, with the resamples that it comes from."""
    question, alone, jointly = ranked.question, ranked.judged.alone, ranked.judged.jointly
    return sign(
        "rank",
        _fingerprint(ranked.board),
        metric=str(ranked.board.metric),
        correction=ranked.judged.judge,
        baseline=question.baseline,
        missing=question.missing,
        alpha=question.alpha,
        test=None if alone is None else alone.test,
        interval=None if alone is None else alone.intervals.method,
        margin=question.margin,
        resamples=None if jointly is None else jointly.joint.resamples if partial else jointly.resamples,
        seed=question.seed,
        lower_is_better=True if question.lower_is_better else None,
        partial=partial or None,
    )


def _fingerprint(board: Board) -> str:
    """A short hash of the board: equal for equal scores, whatever order systems and items came in, and whatever items are called."""
    homes = sorted(Counter(home for home, _ in board.scores.items).items())
    names = (repr(board.systems).encode(), repr(homes).encode())
    clusters = () if board.clusters is None else (board.clusters.tobytes(),)
    return fingerprint(chain(names, (row.tobytes() for row in rows_of(board.values)), clusters))
