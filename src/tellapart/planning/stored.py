"""Tallies that a store holds of studies, under names that say all that their bits depend on."""

import functools
import inspect
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tellapart
from tellapart.fingerprint import digest
from tellapart.planning.budget import Budget
from tellapart.planning.study import Study
from tellapart.planning.tally import Tally
from tellapart.workers.identity import own

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
        names = [name_of(study, budget.seed) for study in studies]
        found = [store.blocks(name, budget.replicates) for name in names]
        return cls(store, names, [{place: Tally(*one) for place, one in blocks.items()} for blocks in found])

    def keep(self, study: int, place: Place, tally: Tally) -> None:
        if self.store is not None:
            self.store.keep(self.names[study], place, astuple(tally))

    def enough(self, study: int, replicates: int) -> None:
        """So many replicates of a study were all that it took."""
        if self.store is not None:
            self.store.enough(self.names[study], replicates)


def name_of(study: Study, seed: int) -> str:
    """A study as the store knows it: its canonical spelling, the hash of its data, the seed, and who computes."""
    told = {
        "population": str(study.population),
        "data": getattr(study.population, "digest", None),
        "test": str(study.test),
        "design": repr(study.design),
        "alpha": study.alpha,
        "seed": seed,
        "plugins": _plugins(type(study.population), type(study.test)),
        "versions": {**asdict(own()), "code": code()},
    }
    return json.dumps(told, sort_keys=True)


def computing_here(versions: Any) -> bool:
    """Whether what is kept under these versions is what this process would compute."""
    return bool(versions == {**asdict(own()), "code": code()})


@functools.cache
def code() -> str:
    """The hash of this package as it is installed: versions stay the same while somebody works on it, its text does not."""
    folder = Path(tellapart.__file__).parent
    files = sorted(folder.rglob("*.py"))
    parts = (part for file in files for part in (f"|{file.relative_to(folder)}|".encode(), file.read_bytes()))
    return digest(parts)[:16]


def _plugins(*kinds: type[Any]) -> str | None:
    """The hash of the modules of methods and populations that come from elsewhere."""
    package = tellapart.__name__
    outside = {kind.__module__ for kind in kinds if kind.__module__.partition(".")[0] != package}
    return digest(_source(name).encode() for name in sorted(outside))[:16] if outside else None


def _source(module: str) -> str:
    try:
        return inspect.getsource(sys.modules[module])
    except (OSError, TypeError, KeyError):
        return module  # typed at a prompt: nothing else is known of it
