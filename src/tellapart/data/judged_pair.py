"""Scores of systems by a judge on all items and by people on some of them, and two systems of these."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tellapart.data.pair import Missing, Pair, paired
from tellapart.data.provenance import Reading
from tellapart.data.rows import Items, show_item
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.foundation.errors import DataError, ItemMismatch
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option

BY_JUDGE = "judge"
"""In place of a column: strata by whether the judge sees A ahead, no difference, or B ahead."""


@dataclass(frozen=True, eq=False)
class JudgedPair:
    """`human` holds the labelled items, `judge` all of them; `labelled` is the place of each labelled item among all."""

    human: Pair
    judge: Pair
    labelled: IntArray
    strata: IntArray | None = None
    """The stratum of each item, 0, 1, …, where labels were drawn stratum by stratum."""
    strata_names: tuple[str, ...] = ()
    labels_dropped: int = 0
    """Labelled items that were left out because the judge has no score on them."""
    raters: bool = False
    """Whether people and judge are raters of one measure."""


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The same systems scored by people, where they labelled an item, and by a judge."""

    human: Scores
    judge: Scores
    people: int = 1
    """How many people's scores were averaged, at most, where a column says who gave them."""
    raters: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        return self.judge.systems

    @property
    def items(self) -> Items:
        return self.judge.items

    @property
    def measure(self) -> str:
        return self.human.measure

    @property
    def reading(self) -> Reading | None:
        return self.human.reading

    @property
    def more_is_better(self) -> bool:
        return self.human.more_is_better

    def pair(self, a: str, b: str, missing: Missing, strata: str | None = None) -> JudgedPair:
        """Two systems on the items that the judge scored of both, and on those that people did."""
        judge, judged = paired(self.judge, a, b, missing), self.judge.scored(a) & self.judge.scored(b)
        chosen = self._labelled_of_both(a, b, missing)
        place = self._place_of_human[chosen]
        known = (place >= 0) & judged[np.maximum(place, 0)]
        if missing == "error" and not known.all():
            first = show_item(self.human.items[int(np.flatnonzero(chosen)[int((~known).argmax())])])
            raise ItemMismatch(
                f"{amount(int((~known).sum()), 'labelled item')} ({first!r} for one) without a judge's score; judge them too, or pass "
                f"{option('missing', 'drop')} to leave them out"
            )
        chosen[np.flatnonzero(chosen)[~known]] = False
        human = paired(self.human.only(chosen), a, b, missing)
        labelled = (np.cumsum(judged) - 1)[place[known]]
        pair = JudgedPair(human, judge, labelled, labels_dropped=int((~known).sum()), raters=self.raters)
        if strata is None:
            return pair
        codes, names = self._strata_of_items(strata, judge, judged)
        return replace(pair, strata=codes, strata_names=names)

    def _labelled_of_both(self, a: str, b: str, missing: Missing) -> BoolArray:
        """Which of people's items have a label of both systems; one of a single system counts as none where it may be dropped."""
        has_a, has_b = (self.human.scored(one) if one in self.human.systems else None for one in (a, b))
        if has_a is None or has_b is None:
            raise DataError(f"system {a if has_a is None else b!r} has no human score; label items of both systems")
        alone = has_a != has_b
        if missing == "error" and alone.any():
            ids = [repr(show_item(self.human.items[int(i)])) for i in np.flatnonzero(alone)[:5]]
            more = f" and {int(alone.sum()) - 5} more" if alone.sum() > 5 else ""
            raise ItemMismatch(
                f"{amount(int(alone.sum()), 'item')} labelled for one system alone: {', '.join(ids)}{more}. Label the other system's answer too, or pass "
                f"{option('missing', 'drop')} to count them as unlabelled"
            )
        return np.array(has_a & has_b)

    @cached_property
    def _place_of_human(self) -> IntArray:
        """The place of each of people's items among the judge's; −1 where the judge has none."""
        if len(self.human.items) == len(self.judge.items) and tuple(self.human.items) == tuple(self.judge.items):
            return np.arange(len(self.human.items))
        place = {key: i for i, key in enumerate(self.judge.items)}
        return np.array([place.get(key, -1) for key in self.human.items], dtype=np.int64)

    def _strata_of_items(self, strata: str, judge: Pair, judged: BoolArray) -> tuple[IntArray, tuple[str, ...]]:
        if strata == BY_JUDGE and strata not in self.judge.slices:
            signs = np.sign((judge.b - judge.a).mean(axis=(-2, -1)))
            values, codes = np.unique(signs, return_inverse=True)
            said = {-1.0: "judge sees A ahead", 0.0: "judge sees no difference", 1.0: "judge sees B ahead"}
            return codes, tuple(said[sign] for sign in values.tolist())
        column = self.judge.slices[strata].only(np.flatnonzero(judged))
        met, codes = np.unique(column.codes, return_inverse=True)
        names = tuple(column.names[code] for code in met.tolist())
        if "" in names:
            raise DataError(
                f"{strata}: some items are in no stratum; fill in the column, or leave {option('strata')} out"
            )
        return codes, names
