"""Scores in groups, such as weeks: each group alone, and all of them as one sample of items."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.doors import option
from tellapart.errors import ItemMismatch, TooFew, Unsuitable
from tellapart.scores import Missing, Pair, Scores
from tellapart.significance import Procedure
from tellapart.verbs.compare.systems import pair_of


@dataclass(frozen=True, eq=False)
class Grouped:
    """Two systems in groups; every group holds both, and an item may be met once in each."""

    scores: Scores
    names: tuple[str, str]
    missing: Missing

    @cached_property
    def labels(self) -> tuple[str, ...]:
        assert self.scores.groups is not None
        return tuple(self.scores.groups.names)

    @property
    def ordered(self) -> bool:
        """Whether the groups follow each other, and stand not only as they were met."""
        assert self.scores.groups is not None
        return self.scores.groups.ordered

    @cached_property
    def codes(self) -> IntArray:
        assert self.scores.groups is not None
        return self.scores.groups.codes

    @cached_property
    def complete(self) -> BoolArray:
        """The rows on which both systems have a score."""
        a, b = self.names
        return np.asarray(self.scores.scored(a) & self.scores.scored(b))

    @cached_property
    def item(self) -> IntArray:
        """Which item each row is about, numbered in the order of their names."""
        place = {key: number for number, key in enumerate(sorted(set(self.scores.items)))}
        return np.array([place[key] for key in self.scores.items], dtype=np.int64)

    @property
    def repeated(self) -> int:
        """Items that are met in more than one group."""
        return int(np.sum(np.bincount(self.item[self.complete]) > 1))

    @property
    def dropped(self) -> int:
        """Rows of one system alone, of items that another group has of both."""
        a, b = self.names
        some = self.scores.scored(a) | self.scores.scored(b)
        return int(np.sum(some & ~self.complete & self._known[self.item]))

    @cached_property
    def _known(self) -> BoolArray:
        """The items that some group has of both systems."""
        known = np.zeros(int(self.item.max(initial=0)) + 1, dtype=np.bool_)
        known[self.item[self.complete]] = True
        return known

    def items(self, group: int) -> int:
        """Items that both systems have a score on in a group."""
        return int(np.sum(self.complete & (self.codes == group)))

    def units(self, group: int) -> IntArray:
        """The independent units of a group's rows on which both systems have a score: clusters where there are some, else items."""
        codes = self.item if self.scores.clusters is None else self.scores.clusters
        return np.asarray(codes[self.complete & (self.codes == group)])

    def pair(self, group: int, test: Procedure | None) -> Pair | None:
        """Both systems in one group; None where they share fewer than two items there."""
        if test is not None and not test.needs.paired:
            raise Unsuitable(
                f"{test} is for systems scored on different items; changes between groups need the same ones"
            )
        alone = self._alone(group)
        self._refuse_absent(alone, group)
        try:
            return pair_of(alone, self.names, test, self.missing)
        except TooFew:
            return None
        except ItemMismatch as error:
            raise ItemMismatch(f"group {self.labels[group]!r}: {error.message}") from None

    def _alone(self, group: int) -> Scores:
        rows, scores = np.flatnonzero(self.codes == group), self.scores
        keys = tuple(scores.items[row] for row in rows.tolist())
        clusters = None if scores.clusters is None else scores.clusters[rows]
        return replace(scores, items=keys, values=scores.values[:, rows], clusters=clusters, groups=None)

    def _refuse_absent(self, alone: Scores, group: int) -> None:
        for name in self.names:
            if self.missing == "error" and not alone.scored(name).any():
                raise ItemMismatch(
                    f"group {self.labels[group]!r} has no score of {name!r}; a group holds both systems. Pass "
                    f"{option('missing', 'drop')} to leave the group out, or check what makes the groups: {option('by')} a column, "
                    f"{option('labels')} each file"
                )

    def pooled(self) -> Scores:
        """All groups as one sample: an item that several have is one item, and its scores in them are its runs.

        Where an item is complete in one group, what another group has of one system alone is left out.
        """
        scores, known = self.scores, self._known
        rows = np.flatnonzero(self.complete | ~known[self.item])
        item = self.item[rows]
        again = _occurrence(item)
        runs = scores.values.shape[2]
        values: FloatArray = np.full(
            (len(scores.systems), len(known), runs * (int(again.max(initial=0)) + 1), len(scores.parts)),
            np.nan,
        )
        for run in range(runs):
            values[:, item, again * runs + run] = scores.values[:, rows, run]
        clusters = None
        if scores.clusters is not None:
            clusters = np.empty(len(known), dtype=np.int64)
            clusters[self.item] = scores.clusters
        items = tuple(sorted(set(scores.items)))
        return replace(scores, items=items, values=values, clusters=clusters, groups=None)


def _occurrence(item: IntArray) -> IntArray:
    """For each row how many rows of the same item came before it."""
    order = np.argsort(item, kind="stable")
    ordered = item[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    found = np.empty_like(item)
    found[order] = np.arange(len(item)) - np.repeat(starts, np.diff(np.append(starts, len(item))))
    return found
