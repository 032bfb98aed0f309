"""The notes of a board whose resamples were stopped, in words."""

from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import significant, thousands
from tellapart.words.sayings import Sayings
from tellapart.words.workers import STOPPED

STOPPED_BOARD: Sayings[Leaderboard] = Sayings(STOPPED)


@STOPPED_BOARD
def interrupted(_: Leaderboard, resamples: int, asked_resamples: int, smallest_pvalue: float) -> str:
    return f"interrupted: {_drawn(resamples, asked_resamples, smallest_pvalue)}"


@STOPPED_BOARD
def time_limit(_: Leaderboard, resamples: int, asked_resamples: int, smallest_pvalue: float) -> str:
    return f"stopped when the time was up: {_drawn(resamples, asked_resamples, smallest_pvalue)}"


def _drawn(resamples: int, asked: int, smallest: float) -> str:
    return (
        f"pairs are judged by {thousands(resamples)} of {thousands(asked)} resamples, and no p-value is below "
        f"{significant(smallest, 2)} for it"
    )
