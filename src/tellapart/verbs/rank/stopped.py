"""What is noted of a board whose resamples were stopped before all were drawn."""

from collections.abc import Iterator

import numpy as np

from tellapart.distributions.tails import counted
from tellapart.results.note import Note
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.workers import Runner


def stopped_notes(ranked: RankedBoard, runner: Runner) -> Iterator[Note]:
    jointly = ranked.judged.jointly
    if runner.interrupted and jointly is not None:
        resamples = jointly.joint.resamples
        values = {
            "resamples": resamples,
            "asked_resamples": jointly.resamples,
            "smallest_pvalue": float(counted(np.zeros(()), resamples)),
        }
        yield Note("time_limit" if runner.stopped == "time" else "interrupted", values)
