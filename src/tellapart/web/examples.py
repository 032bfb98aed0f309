"""Example data of the home page, each behind a link: bundled files, a generated board of 44 systems, and a table of claims."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from tellapart.cli.example import text_of
from tellapart.foundation.errors import UsageError, nearest

EXAMPLE = "example"
"""The field of an address that names an example in place of an uploaded file."""
SYSTEMS, ITEMS = 44, 300
CLAIMS = "name,dataset,items,a,b\nOurs,SST-2,1821,0.949,0.957\nOurs,RTE,277,0.704,0.733\nOurs,MNLI,9815,0.846,0.861\n"


@dataclass(frozen=True)
class Example:
    """A file, the verb that answers it, and what its link says."""

    verb: str
    label: str
    text: Callable[[], str]


def example(name: str) -> Example:
    if name not in EXAMPLES:
        raise UsageError(f"no example is called {name[:20]!r}; {nearest(name, EXAMPLES)}")
    return EXAMPLES[name]


@cache
def _board_of_44() -> str:
    """Right or wrong answers of 44 invented systems on 300 questions that are as hard for all of them."""
    rng = random.Random(44)  # noqa: S311  (an example, the same for everybody)
    skill = sorted((rng.gauss(0.6, 0.35) for _ in range(SYSTEMS)), reverse=True)
    hard = [rng.gauss() for _ in range(ITEMS)]
    right = [[int(one - item + 0.8 * rng.gauss() > 0) for one in skill] for item in hard]
    head = ",".join(["item", *(f"model {n:02d}" for n in range(1, SYSTEMS + 1))])
    return "\n".join([head, *(f"q{i:03d}," + ",".join(map(str, row)) for i, row in enumerate(right))]) + "\n"


EXAMPLES = {
    "retrieval": Example("compare", "two runs of 300 queries", partial(text_of, "retrieval")),
    "board": Example("rank", f"a board of {SYSTEMS} systems", _board_of_44),
    "ratings": Example("compare", "ratings by five people", partial(text_of, "ratings")),
    "votes": Example("compare", "votes between two systems", partial(text_of, "votes")),
    "claims": Example("audit", "a paper's table of gains", lambda: CLAIMS),
}
