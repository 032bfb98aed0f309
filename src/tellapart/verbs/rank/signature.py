"""One line with everything needed to rank the same board again."""

import hashlib
from collections import Counter

from tellapart.multiplicity.board import Board
from tellapart.multiplicity.gaps import Missing
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.verbs.signature import sign


def signature(ranked: RankedBoard, missing: Missing) -> str:
    question = ranked.question
    return sign(
        "rank",
        _fingerprint(ranked.board),
        metric=str(ranked.board.metric),
        correction=question.correction,
        baseline=question.baseline,
        missing=missing,
        alpha=question.alpha,
        resamples=ranked.judged.resamples,
        seed=question.seed,
        lower_is_better=True if question.lower_is_better else None,
    )


def _fingerprint(board: Board) -> str:
    """A short hash of the board: equal for equal scores, whatever order systems and items came in, and whatever items are called."""
    digest = hashlib.sha256(repr(board.systems).encode())
    digest.update(repr(sorted(Counter(home for home, _ in board.scores.items).items())).encode())
    for row in board.values:
        digest.update(row.tobytes())
    if board.clusters is not None:
        digest.update(board.clusters.tobytes())
    return f"sha256:{digest.hexdigest()[:16]}"
