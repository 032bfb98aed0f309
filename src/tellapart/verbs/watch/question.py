"""Options of `watch`, shared by command line and Python."""

from dataclasses import dataclass
from typing import Any

from tellapart.foundation.arrays import LARGEST
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Range, setting
from tellapart.foundation.surfaces import option
from tellapart.verbs.compare.systems import SystemPairOptions
from tellapart.verbs.judging_options import SMALLEST_ALPHA, JudgingOptions

EVERY = 100
"""Items after which a fresh watch begins, where nothing is said."""


@dataclass(frozen=True)
class WatchQuestion(JudgingOptions, SystemPairOptions):
    """How large a loss does not matter, when a fresh watch begins, and what was seen so far."""

    margin: float = setting(
        0.0,
        "The largest loss that does not matter.",
        range=Range(least=0, most=LARGEST, usual="in the units of the scores"),
    )
    alpha: float = setting(
        0.05,
        "How often a watch in which there never is a larger loss may ever raise an alarm.",
        range=Range(above=0, least=SMALLEST_ALPHA, below=0.25, usual="usually 0.05"),
    )
    range: str | None = setting(None, "The lowest and highest possible score (default: 0:1).", metavar="L:H")
    by: str | None = setting(None, "Begin a fresh watch with each value of this column, such as a day.", metavar="COL")
    every: int | None = setting(
        None, f"Begin a fresh watch after so many items (default: {EVERY}).", range=Range(least=2), metavar="N"
    )
    state: str | None = setting(None, "What was seen so far; made where there is none.", metavar="FILE")
    new: bool = setting(default=False, help="The file holds only rows that were not seen before.")
    restart: bool = setting(
        default=False, help="Begin anew after an alarm, or with another question; rows seen stay seen."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by is not None and self.every is not None:
            raise UsageError(
                f"{option('by')} and {option('every')} both say when a fresh watch begins; leave one of them out"
            )
        if self.state is None and (self.new or self.restart):
            named = "new" if self.new else "restart"
            raise UsageError(
                f"{option(named)} is about what was seen before: name the file that holds it, {option('state')}"
            )

    @property
    def period(self) -> int | None:
        """Items after which a fresh watch begins; None where a column says it."""
        return None if self.by is not None else self.every or EVERY

    def asked(self, names: tuple[str, str], measure: str) -> dict[str, Any]:
        """What a state must have been asked to be gone on from."""
        return {
            "a": names[0],
            "b": names[1],
            "measure": measure,
            "margin": self.margin,
            "alpha": self.alpha,
            "range": self.range or "0:1",
            "by": self.by,
            "every": self.period,
            "lower_is_better": self.lower_is_better,
        }
