"""Dataclasses of the `watch` answer: whether a stream of scores has ever shown a loss, and since when."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note
from tellapart.foundation.errors import GateFailed

WatchVerdict = Literal["quiet", "alarm"]


@dataclass(frozen=True)
class WatchSince:
    """The group from which on the loss is clearest, and the mean difference towards better since then."""

    group: str
    items: int
    effect: float


@dataclass(frozen=True)
class WatchedGroup:
    """A group of the stream, from which on a fresh watch began; `evidence` is that of the whole watch at its end."""

    group: str
    first: int
    items: int
    effect: float
    evidence: float


@dataclass(frozen=True)
class Watch(Answer):
    """Whether B was ever shown to be worse than A by more than the margin, with an error that holds for the whole life of the watch.

    `evidence` ever exceeds 1/alpha with probability alpha at most; `most_evidence` is the largest so far, and `pvalue` its inverse. `effect`
    is the mean difference towards better of all items, `since` that from the clearest start on. An alarm stands until the watch is restarted.
    """

    schema: ClassVar[str] = "tellapart/watch/1"
    table: ClassVar[str] = "groups"

    verdict: WatchVerdict
    a: str
    b: str
    measure: str
    margin: float
    alpha: float
    items: int
    new_items: int
    """Of these, the items that were added by this run."""
    by: str | None
    every: int | None
    evidence: float
    most_evidence: float
    pvalue: float
    since: WatchSince
    effect: float
    alarm_group: str | None
    alarm_item: int | None
    lower_is_better: bool
    state: str | None
    groups: tuple[WatchedGroup, ...]
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
    restarts: int = field(default=0)

    @property
    def line(self) -> float:
        """The evidence that must not be reached."""
        return 1.0 / self.alpha

    def require(self) -> None:
        """Raise `GateFailed` where there is an alarm."""
        if self.verdict == "alarm":
            raise GateFailed(f"{self.headline or 'alarm'}. {self.sentence}")
