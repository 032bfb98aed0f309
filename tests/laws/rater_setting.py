"""What laws of methods on ratings are tried in: ratings in pairs with and without gaps, one rater per item, votes."""

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from tellapart.data.rater_pairs import RatedPair, VotePair
from tellapart.data.summaries.rater_samples import ByRaters, VotesByOrder
from tellapart.foundation.arrays import BoolArray, FloatArray, floats
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import Outcome
from tellapart.metrics.mean import Mean

Kind = Literal[
    "pairs",
    "gaps",
    "one rater per item",
    "votes",
    "votes in both orders",
    "lone votes in both orders",
    "single",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

RATERS, ITEMS = 8, 24


@dataclass(frozen=True)
class RaterSetting:
    """A plug-in and the kind of ratings that it is given."""

    plug_in: Any
    kind: Kind

    def __str__(self) -> str:
        return f"{self.plug_in}-{self.kind}"

    @property
    def in_both_orders(self) -> bool:
        return self.kind in {"votes in both orders", "lone votes in both orders"}

    @property
    def of_votes(self) -> bool:
        return self.kind == "votes" or self.in_both_orders

    @property
    def spreads_over_items(self) -> bool:
        """Whether items may have differences of their own: not for methods that are about these items where raters share them."""
        return self.plug_in.name == "mixed_model" or self.kind == "one rater per item"

    def sample(self, *, effect: float = 0.2, batch: tuple[int, ...] = (), seed: int = 1, raters: int = RATERS) -> Any:
        """Ratings whose raters and items have levels and, where that is allowed for, differences of their own."""
        rng = np.random.default_rng(seed)
        rated = self._rated(raters)
        own_items = 0.5 * self.spreads_over_items
        levels = rng.normal(size=(*batch, raters, 1)) + rng.normal(size=(*batch, 1, ITEMS))
        own = 0.5 * rng.normal(size=(*batch, raters, 1)) + own_items * rng.normal(size=(*batch, 1, ITEMS))
        noise = 0.6 * rng.normal(size=(2, *batch, raters, ITEMS))
        a, b = levels - own / 2.0 + noise[0], levels + own / 2.0 + noise[1] + effect
        rater, item = np.nonzero(rated)
        if self.kind == "votes":
            gap = (b - a)[..., rater, item]
            return VotePair(1.0 * (gap > 0.3) - (gap < -0.3), rater, item, _names(raters), _names(ITEMS))
        if self.in_both_orders:
            return self._ordered(b - a, effect, rng)
        values = np.concatenate([a[..., rater, item], b[..., rater, item]], axis=-1)
        of_b = np.repeat([False, True], len(rater))
        rater, item = np.tile(rater, 2), np.tile(item, 2)
        # Of single ratings each rater gives one or the other on an item, as often as not.
        kept = ((rater + item) % 2 == of_b) if self.kind == "single" else np.ones(len(of_b), dtype=np.bool_)
        return RatedPair(values[..., kept], of_b[kept], rater[kept], item[kept], _names(raters), _names(ITEMS))

    def _ordered(self, gap: FloatArray, effect: float, rng: np.random.Generator) -> VotePair:
        """Votes that showed B first in three of four, and lean to what was first."""
        votes = gap.shape[-2] * gap.shape[-1]
        b_first = np.array(rng.permutation(votes) % 4 > 0, dtype=np.float64)
        rater, item = (code.ravel() for code in np.indices(gap.shape[-2:]))
        names: tuple[str, ...] = _names(gap.shape[-2])
        items: tuple[str, ...] = _names(gap.shape[-1])
        if self.kind == "lone votes in both orders":
            rater = item = np.arange(votes)
            names = items = _names(votes)
            gap = effect + rng.normal(size=gap.shape)
        leaning = gap.reshape(*gap.shape[:-2], votes) + 0.5 * (2.0 * b_first - 1.0)
        return VotePair(floats(1.0 * (leaning > 0.3) - (leaning < -0.3)), rater, item, names, items, b_first)

    def _rated(self, raters: int) -> BoolArray:
        if self.kind == "one rater per item":
            return np.asarray(np.arange(raters)[:, np.newaxis] == np.arange(ITEMS) % raters)
        present = np.random.default_rng(9).random((raters, ITEMS)) < (0.7 if self.kind == "gaps" else 1.0)
        # Nobody is left without an item, and no item without raters.
        present[np.arange(ITEMS) % raters, np.arange(ITEMS)] = True
        return np.asarray(present)

    def summary(self, sample: Any) -> ByRaters:
        found: ByRaters = self.plug_in.needs.of(sample, Mean())
        return found

    def found(self, sample: Any, **changes: Any) -> Outcome:
        outcome: Outcome = self.plug_in.replace(**changes).apply(self.summary(sample), stream(0))
        return outcome


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"{i:02d}" for i in range(count))


def rater_settings(plug_ins: list[Any]) -> list[RaterSetting]:
    return [
        RaterSetting(plug_in, kind)
        for plug_in in plug_ins
        if issubclass(plug_in.needs, ByRaters)
        for kind in KINDS
        if takes(plug_in, kind)
    ]


def takes(plug_in: Any, kind: Kind) -> bool:
    """Whether the plug-in is for such ratings; of those that take long to fit, the two laws that are chosen."""
    if kind in {"single", "votes in both orders"}:
        return str(plug_in) in {"mixed_model(df=kenward_roger)", "mixed_model(df=cochran)"}
    if kind == "lone votes in both orders":
        return issubclass(plug_in.needs, VotesByOrder)
    setting = RaterSetting(plug_in, kind)
    try:
        setting.summary(setting.sample())
    except Unsuitable:
        return False
    return True


def moved(sample: Any, values: Any) -> Any:
    return replace(sample, values=values)


def shuffled(sample: Any) -> Any:
    """The same ratings in another order, raters and items under other numbers."""
    rng = np.random.default_rng(5)
    order = rng.permutation(sample.values.shape[-1])
    raters, items = (rng.permutation(int(codes.max()) + 1) for codes in (sample.rater, sample.item))
    changes: dict[str, Any] = {"rater": raters[sample.rater[order]], "item": items[sample.item[order]]}
    if isinstance(sample, RatedPair):
        return replace(sample, values=sample.values[..., order], of_b=sample.of_b[order], **changes)
    if sample.b_first is not None:
        changes["b_first"] = sample.b_first[order]
    return replace(sample, values=sample.values[..., order], **changes)
