"""What `score` is asked, by any door."""

from dataclasses import dataclass

from tellapart.data.summaries import Differences, Proportion
from tellapart.foundation.spelling import setting
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.verbs.judging_options import JudgingOptions


def _of_one_system() -> list[str]:
    """Intervals that can be had of one system's scores."""
    return [name for name in INTERVALS if INTERVALS.parse(name).needs in {Proportion, Differences}]


@dataclass(frozen=True)
class ScoreQuestion(JudgingOptions):
    """Which system, and by which interval."""

    system: str | None = setting(
        None, "Only this system (default: every one there is).", metavar="S", kw_only=False
    )
    interval: Interval | str | None = setting(
        None, lambda: f"An interval by its spelling: {', '.join(_of_one_system())}.", metavar="I"
    )

    @property
    def named_interval(self) -> Interval | None:
        return None if self.interval is None else Interval.parse(self.interval)
