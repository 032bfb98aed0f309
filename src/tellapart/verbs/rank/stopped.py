"""What is noted of a board whose resamples were stopped before all were drawn."""

from collections.abc import Iterator

from tellapart.results.note import Note
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.workers import Runner


def stopped_notes(ranked: RankedBoard, runner: Runner) -> Iterator[Note]:
    jointly = ranked.judged.jointly
    if runner.interrupted and jointly is not None:
        values = {"resamples": jointly.joint.resamples, "asked_resamples": jointly.resamples}
        yield Note("time_limit" if runner.stopped == "time" else "interrupted", values)
