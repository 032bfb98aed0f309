"""The stream that a watch reads: items in order of arrival, their groups, and a chain of hashes over all of them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tellapart.data.rows import show_item
from tellapart.data.scores import Scores
from tellapart.data.summaries import average_runs
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import ComesTwice, Unsuitable
from tellapart.foundation.surfaces import option

BEGINNING = hashlib.sha256(b"tellapart/watch").hexdigest()
"""Of a chain without rows."""


@dataclass(frozen=True, eq=False)
class WatchStream:
    """Items in order of arrival that both systems completed."""

    items: Sequence[str]
    labels: Sequence[str] | None
    """The group of each item, where a column says it."""
    differences: FloatArray
    """Towards better."""
    scores: FloatArray
    """Of both systems, `(item, 2)`."""
    waiting: int
    """Items behind one that only one system completed."""
    first_waiting: str

    def part(self, rows: slice) -> "WatchStream":
        labels = None if self.labels is None else self.labels[rows]
        return replace(
            self, items=self.items[rows], labels=labels, differences=self.differences[rows], scores=self.scores[rows]
        )

    def chain(self, before: str) -> list[str]:
        """The hash of all rows up to each one, the first being that of those before."""
        links = [before]
        labels = self.labels or [""] * len(self.items)
        for item, label, scores in zip(self.items, labels, self.scores, strict=True):
            row = f"{links[-1]}\x1f{item.lstrip('0')}\x1f{label}\x1f".encode() + scores.tobytes()
            links.append(hashlib.sha256(row).hexdigest())
        return links


def watch_stream(scores: Scores, names: tuple[str, str], *, lower_is_better: bool, drop: bool) -> WatchStream:
    """The beginning of the stream that both systems completed; with `drop` all that they completed."""
    _refuse_unlike_streams(scores)
    order = np.arange(len(scores.items)) if scores.arrival is None else np.argsort(scores.arrival, kind="stable")
    done = (scores.scored(names[0]) & scores.scored(names[1]))[order]
    reached = len(done) if drop or done.all() else int(done.argmin())
    kept: IntArray = order[:reached][done[:reached]]
    shown = [show_item(scores.items[int(place)]) for place in kept]
    _refuse_repeated(shown)
    values = np.stack([average_runs(scores.values[scores.system(name)])[kept, 0] for name in names], axis=-1)
    groups = scores.groups
    labels = None if groups is None else [str(groups.names[code]) for code in groups.codes[kept].tolist()]
    sign = -1.0 if lower_is_better else 1.0
    waiting = 0 if drop else int(done[reached:].sum())
    first = "" if reached == len(done) else show_item(scores.items[int(order[reached])])
    return WatchStream(shown, labels, sign * (values[:, 1] - values[:, 0]), values, waiting, first)


def _refuse_unlike_streams(scores: Scores) -> None:
    if scores.clusters is not None:
        raise Unsuitable(
            f"items come in clusters, and a watch takes every item for a new one; leave {option('cluster')} out where they are none"
        )
    if scores.seed_runs is not None:
        raise Unsuitable(
            f"several seeds are several trainings, which a watch does not tell apart; pass {option('seeds_as', 'fixed')}"
        )
    if len(scores.parts) > 1:
        raise Unsuitable("a watch is about means of scores, and these are parts of a metric; give a score per item")


def _refuse_repeated(shown: Sequence[str]) -> None:
    """The same items every night are no stream: what they get wrong they get wrong again."""
    if len(set(shown)) == len(shown):
        return
    met: set[str] = set()
    twice = next(item for item in shown if item in met or met.add(item))  # type: ignore[func-returns-value]  # adds, and goes on
    raise ComesTwice(
        f"item {twice!r} comes again: the same items every night are no stream, for their errors repeat. To hold nights against each other ask "
        "compare with a column of nights",
        (option("column", "item=…"),),
    )
