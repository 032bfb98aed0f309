"""How a published table is recomputed: one function per table, registered beside its definition."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from tellapart.fingerprint import digest
from tellapart.reproduce.judgement import Ours
from tellapart.reproduce.published import PublishedRow, lines_of
from tellapart.workers import Runner

FILES = {
    "glue": ("nlppower_glue_paper_annotations.csv.gz", "nlppower_glue_test_sizes.csv.gz"),
    "pplm": ("pplm_human_ratings.csv.gz",),
    "survey": (
        "nlppower_humaneval_master.csv.gz",
        "nlppower_likert_ratings_meta.csv.gz",
        "nlppower_num_items_vs_effect_size.csv.gz",
    ),
    "squad": ("nlppower_squad2_models.csv.gz", "nlppower_squad2_pairs_dev.csv.gz"),
    "wmt17": ("wmt17_ende_bleu_stats.csv.gz", "wmt17_ende_system_outputs.csv.gz"),
}
"""Real data that some tables are recomputed from; they lie beside the checkout and are never part of it."""
LIBRARIES = {"mt": "sacrebleu"}
"""What some tables are recomputed with, by the extra that installs it."""


def beside_checkout() -> Path:
    """Where the real data lie when this package is used from a checkout that has them beside it."""
    return Path(__file__).parents[4] / "shared" / "data"


@dataclass(frozen=True)
class Setting:
    """From which seed and how often to simulate, and where the real data are."""

    seed: int
    replicates: int
    data: Path
    runner: Runner | None = field(default=None, compare=False)
    """Who simulates, where a table is recomputed by whoever asked."""

    def lacks(self, needs: Sequence[str]) -> list[str]:
        """The files that are needed and not there, and libraries that are not installed."""
        files = [name for need in needs for name in FILES.get(need, ()) if not (self.data / name).is_file()]
        libraries = [LIBRARIES[need] for need in needs if need in LIBRARIES]
        return [*files, *(name for name in libraries if find_spec(name) is None)]

    def digest(self, needs: Sequence[str]) -> str:
        """The hash of the files that are needed, and the versions of the libraries."""
        files = [self.data / name for need in needs for name in FILES.get(need, ())]
        libraries = [LIBRARIES[need] for need in needs if need in LIBRARIES]
        told = (f"|{name} {version(name)}|".encode() for name in libraries)
        return digest([*(file.read_bytes() for file in files), *told])[:16]

    def table(self, name: str) -> list[list[str]]:
        """The rows of a real table, its header first."""
        return lines_of(self.data / name)


Recompute = Callable[[Sequence[PublishedRow], Setting], Sequence[Ours | None]]
"""Our number for each row; None where there is none."""

RECOMPUTED: dict[str, Recompute] = {}
SIMULATED: set[str] = set()
"""Tables whose numbers are simulated as plans are: block by block, by all workers together."""


Function = TypeVar("Function", bound=Recompute)


def recomputes(name: str, *, simulating: bool = False) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        assert name not in RECOMPUTED, name
        RECOMPUTED[name] = function
        if simulating:
            SIMULATED.add(name)
        return function

    return register


def nothing(rows: Sequence[PublishedRow], setting: Setting) -> list[None]:  # noqa: ARG001  (the shape of every table)
    """A table that is shown as published."""
    return [None for _ in rows]
