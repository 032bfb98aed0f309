"""Tallies that a store holds of studies, under names that say all that their bits depend on."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from tellapart.planning.budget import Budget
from tellapart.planning.study import Study
from tellapart.planning.tally import Tally

if TYPE_CHECKING:
    from tellapart.store import Store

Place = tuple[int, int]
"""A block's number and size."""


@dataclass(frozen=True, eq=False)
class StoredTallies:
    """The tallies of each study, in the order of the studies; without a store there are none, and none are kept."""

    store: "Store | None"
    names: Sequence[str]
    there: Sequence[dict[Place, Tally]]

    @classmethod
    def of(cls, store: "Store | None", studies: Sequence[Study], budget: Budget) -> "StoredTallies":
        if store is None:
            return cls(None, (), [{} for _ in studies])
        names = [study_name(study, budget.seed) for study in studies]
        found = [store.blocks(name, budget.replicates) for name in names]
        return cls(store, names, [{place: Tally(*one) for place, one in blocks.items()} for blocks in found])

    def keep(self, study: int, place: Place, tally: Tally) -> None:
        if self.store is not None:
            self.store.keep(self.names[study], place, astuple(tally))

    def enough(self, study: int, replicates: int) -> None:
        """So many replicates of a study were all that it took."""
        if self.store is not None:
            self.store.enough(self.names[study], replicates)


def study_name(study: Study, seed: int) -> str:
    """A study as the store knows it: its canonical spelling, the hash of its data, the seed, and who computes."""
    from tellapart.workers.naming import name_of  # noqa: PLC0415  (few plans have a store)

    return name_of(
        "plan",
        (type(study.population).__module__, type(study.test).__module__),
        study=str(study.population),
        data=getattr(study.population, "digest", None),
        test=str(study.test),
        design=repr(study.design),
        alpha=study.alpha,
        seed=seed,
    )
