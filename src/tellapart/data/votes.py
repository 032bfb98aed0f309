"""`Votes`: pairwise votes on which system is better, beside `Scores` and `Ratings`; two systems make a `VotePair`."""

import math
import textwrap
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tellapart.data.array_input import names_of_items
from tellapart.data.provenance import Reading
from tellapart.data.rater_pairs import EntryNumbers, VotePair, refuse_blank_raters
from tellapart.data.records import identify, in_order
from tellapart.data.rows import Labels, Records, refuse_unfit_names, show_items
from tellapart.data.scores import Column
from tellapart.data.tidy import TidyVotes
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray, floats
from tellapart.foundation.errors import DataError, TooFew, UnknownSystem, UsageError, nearest
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option

# Rows of a file as votes: which systems a row names, and rows that no vote can be.

TIES = ("tie", "tied", "draw", "equal", "tie (bothbad)", "both_bad", "bothbad", "tie (inconsistent)")
"""How a vote says that neither is better; the last ones as chat arenas and MT-bench write it."""
ClusterBy = Literal["rater", "item", "both", "none"]
"""Which votes go together: those of a rater, on an item, either, or none."""
FINEST_KEY = 1 << 62
"""Kinds of votes up to which each has a whole number to sort by."""
NO_SYSTEM = -1
"""In place of a system: a tie, or an unknown order."""


def systems_named(rows: Records) -> tuple[str, ...]:
    """The systems of all votes, in the order they are met."""
    a, b = rows.labels["a"], rows.labels["b"]
    both = np.stack([a.codes, b.codes + len(a.names)], axis=1).ravel()
    met, first = np.unique(both, return_index=True)
    names = (*a.names, *b.names)
    return tuple(dict.fromkeys(names[code] for code in met[np.argsort(first)].tolist()))


def places_of(column: Labels, place: dict[str, int]) -> IntArray:
    """The system that each row names; −1 for a tie or a blank, −2 for a stranger."""
    ties = {name: NO_SYSTEM for name in column.names if not name or name.casefold() in TIES}
    known = np.array([place.get(name, ties.get(name, NO_SYSTEM - 1)) for name in column.names], dtype=np.int64)
    return np.asarray(known[column.codes])


def raters_of(rows: Records) -> tuple[tuple[str, ...], IntArray | None]:
    if "rater" not in rows.labels:
        return (), None
    refuse_blank_raters(rows)
    names, rater = in_order(rows.labels["rater"])
    return tuple(names), rater


def refuse_strangers(rows: Records, a: IntArray, b: IntArray, winner: IntArray) -> None:
    same = np.flatnonzero(a == b)
    if len(same):
        row = int(same[0])
        raise DataError(
            f"{rows.where(row)}: a vote between {rows.label('a', row)!r} and itself; wanted two systems. Remove the row"
        )
    strange = (winner != a) & (winner != b) & (winner != NO_SYSTEM)
    named = rows.labels["winner"]
    blank = np.array([not name for name in named.names], dtype=np.bool_)[named.codes]
    bad = np.flatnonzero(strange | blank)
    if len(bad):
        row = int(bad[0])
        found = rows.label("winner", row)
        raise DataError(
            f"{rows.where(row)}: found {repr(found) if found else 'a blank'} for the winner; wanted {rows.label('a', row)!r}, "
            f"{rows.label('b', row)!r} or 'tie'. Correct it or remove the row"
        )


def refuse_unseen(rows: Records, a: IntArray, b: IntArray, first: IntArray) -> None:
    strange = np.flatnonzero((first != a) & (first != b) & (first != NO_SYSTEM))
    if len(strange):
        row = int(strange[0])
        raise DataError(
            f"{rows.where(row)}: found {rows.label('first', row)!r} for what was shown first; wanted {rows.label('a', row)!r} or "
            f"{rows.label('b', row)!r}, or nothing where it is not known. Correct it"
        )


def numbers_of(rows: Records, role: str) -> FloatArray | None:
    """A column of numbers, or None where there is none; anything else is refused with its place."""
    found = rows.labels.get(role)
    if found is None:
        return None
    values = np.array([_number(name) for name in found.names], dtype=np.float64)[found.codes]
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{rows.where(row)}: found {rows.label(role, row)!r} for the {role}; wanted a number. Correct it or remove the row"
        )
    return floats(values)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


# The table of votes: two systems and a winner per row, and where known the item, the rater and what was
# shown first.


@dataclass(frozen=True, eq=False)
class Votes(TidyVotes):
    """One entry per vote, in the order of items, raters and systems, so that the order of rows in a file leaves no trace.

    `a`, `b`, `winner` and `first` are places in `systems`, the last two −1 for a tie and for what is not known; `item` and
    `rater` are places in `items` (dataset and name) and `raters`, None where no column says them.
    """

    systems: tuple[str, ...]
    a: IntArray
    b: IntArray
    winner: IntArray
    items: tuple[tuple[str, str], ...] = ()
    item: IntArray | None = None
    raters: tuple[str, ...] = ()
    rater: IntArray | None = None
    first: IntArray | None = None
    reading: Reading | None = None
    """How they were read, where they come from files."""
    cluster_by: ClusterBy | None = None
    """The clusters that `rank` should use, where the file or a flag names them."""
    control: FloatArray | None = None
    """A number of a less that of b, which strengths are adjusted for."""
    control_name: str = ""

    def __post_init__(self) -> None:
        if len(self.systems) < 2:
            found = f"only of {self.systems[0]!r}" if self.systems else "of no system"
            raise TooFew(f"votes are {found}; two systems are needed to compare")
        refuse_unfit_names((*self.systems, *self.raters, *(part for key in self.items for part in key)))

    def __len__(self) -> int:
        return len(self.winner)

    def __repr__(self) -> str:
        names = textwrap.shorten(", ".join(map(repr, self.systems)), 200, placeholder=" …")
        by = f" by {amount(len(self.raters), 'rater')}" if self.raters else ""
        on = f" on {amount(len(self.items), 'item')}" if self.items else ""
        return f"<Votes: {amount(len(self), 'vote')} between {amount(len(self.systems), 'system')} ({names}){by}{on}>"

    @classmethod
    def from_columns(  # noqa: PLR0913  (one argument per column)
        cls,
        *,
        a: Column,
        b: Column,
        winner: Column,
        item: Column | None = None,
        rater: Column | None = None,
        first: Column | None = None,
        dataset: Column | None = None,
    ) -> "Votes":
        """Votes from columns as a file has them: two systems, and the name of the winner or "tie".

        >>> Votes.from_columns(a=["old", "old"], b=["new", "new"], winner=["new", "tie"])
        <Votes: 2 votes between 2 systems ('old', 'new')>
        """
        votes = len(list(winner))
        given = {"a": a, "b": b, "winner": winner, "item": item, "rater": rater, "dataset": dataset}
        labels = {
            role: Labels.of(names_of_items(role, column, votes)) for role, column in given.items() if column is not None
        }
        if first is not None:
            # What was shown first may not be known; a name is wanted for every other role.
            known = ["" if name is None or name != name else name for name in first]  # noqa: PLR0124  (only NaN differs from itself)
            labels["first"] = Labels.of(names_of_items("first", known, votes))
        return cls.from_records(Records(np.zeros((votes, 1)), labels, EntryNumbers(votes)))

    @classmethod
    def from_records(cls, rows: Records) -> "Votes":
        """The table that rows of a file make, with labels `a`, `b`, `winner`, and where known `item`, `rater`, `first`, `dataset`."""
        systems = systems_named(rows)
        place = {name: code for code, name in enumerate(systems)}
        a, b, winner = (places_of(rows.labels[role], place) for role in ("a", "b", "winner"))
        refuse_strangers(rows, a, b, winner)
        first = places_of(rows.labels["first"], place) if "first" in rows.labels else None
        if first is not None:
            refuse_unseen(rows, a, b, first)
        item, items = identify(rows) if "item" in rows.labels else (None, ())
        raters, rater = raters_of(rows)
        control = numbers_of(rows, "control")
        made = cls(systems, a, b, winner, tuple(items), item, raters, rater, first, rows.reading, control=control)
        return made.only(made.canonical)

    @property
    def canonical(self) -> IntArray:
        """The order that depends on what the votes say alone."""
        names = np.argsort(np.argsort(np.array(self.systems)))
        ranks = np.append(names, NO_SYSTEM)  # which is the last place
        named = [ranks[column] for column in (self.a, self.b, self.winner, self.first) if column is not None]
        columns = [*(column for column in (self.item, self.rater) if column is not None), *named]
        sizes = [int(column.max(initial=0)) + 2 for column in columns]
        if math.prod(sizes) >= FINEST_KEY or self.control is not None:
            return np.lexsort([*([] if self.control is None else [self.control]), *columns[::-1]])
        return np.argsort(np.ravel_multi_index(tuple(column + 1 for column in columns), tuple(sizes)))

    def only(self, which: IntArray | BoolArray) -> "Votes":
        """Some of the votes, in this order; all names keep their places."""
        a, b, winner = self.a[which], self.b[which], self.winner[which]
        item, rater, first = (
            None if column is None else column[which] for column in (self.item, self.rater, self.first)
        )
        control = None if self.control is None else self.control[which]
        return replace(self, a=a, b=b, winner=winner, item=item, rater=rater, first=first, control=control)

    def system_of(self, name: str) -> int:
        """The place of a system, or an error naming the nearest ones."""
        if name not in self.systems:
            raise UnknownSystem(f"no system is called {name!r}; {nearest(name, self.systems)}")
        return self.systems.index(name)

    def refuse_single_cluster(self) -> None:
        """Refuse clusters that no column names, or that are one cluster in all."""
        for kind, column in (("rater", self.rater), ("item", self.item)):
            count = 0 if column is None else len(np.unique(column))
            if self.cluster_by not in {kind, "both"} or count > 1:
                continue
            if not count:
                raise UsageError(
                    f"no column says the {kind} of a vote, which {option('cluster', self.cluster_by)} needs. Name it: "
                    f"{option('column', f'{kind}=…')}, or pass {option('cluster', 'none')}"
                )
            where = "by one rater" if kind == "rater" else "on one item"
            raise TooFew(
                f"votes are {where}, and {option('cluster', self.cluster_by)} needs two or more; pass {option('cluster', 'none')}"
            )

    def by_asked_clusters(self) -> "Votes":
        """Without the raters or items that votes should not go together by, where that was asked."""
        if self.cluster_by is None:
            return self
        self.refuse_single_cluster()
        rater = self.rater if self.cluster_by in {"rater", "both"} else None
        item = self.item if self.cluster_by in {"item", "both"} else None
        return replace(self, rater=rater, item=item, cluster_by=None)

    def within(self, dataset: str) -> "Votes":
        """Only the votes on items of one dataset."""
        homes = [home for home, _ in self.items]
        if dataset not in homes or self.item is None:
            known = [home for home in dict.fromkeys(homes) if home]
            raise DataError(f"no dataset is called {dataset!r}; {nearest(dataset, known)}")
        return self.only(np.array([home == dataset for home in homes])[self.item])

    def pair(self, a: str, b: str) -> VotePair:
        """The votes between two systems, whichever of them a vote names first."""
        one, other = self.system_of(a), self.system_of(b)
        both = self.only(((self.a == one) & (self.b == other)) | ((self.a == other) & (self.b == one)))
        values = floats(1.0 * (both.winner == other) - (both.winner == one))
        item, items = _met(both.item, show_items(self.items), len(both))
        rater, raters = _met(both.rater, self.raters, len(both))
        first = None if both.first is None else floats(both.first == other)
        if first is not None and both.first is not None:
            first[both.first == NO_SYSTEM] = np.nan
        return VotePair(values, rater, item, raters, items, first)


def _met(codes: IntArray | None, names: tuple[str, ...], votes: int) -> tuple[IntArray, tuple[str, ...] | None]:
    """The names that are met, and which of them each vote has; a number of its own where there are no names."""
    if codes is None:
        return np.arange(votes), None
    met, inverse = np.unique(codes, return_inverse=True)
    return inverse, tuple(names[code] for code in met.tolist())
