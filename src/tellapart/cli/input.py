"""Where the scores are and which of them are asked about: the flags that every command on files shares."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tellapart.cli.flags import argument, flag
from tellapart.errors import SpellingError, UsageError
from tellapart.metrics import METRICS, Metric
from tellapart.readers import read
from tellapart.roles import ROLES
from tellapart.scores import Missing, Scores


@dataclass(frozen=True)
class Source:
    """Files of plain scores, and how to read them."""

    files: tuple[str, ...] = argument("FILE...")
    measure: str | None = flag(
        "Which score to take when the file holds several; else its label.", metavar="M"
    )
    cluster: str | None = flag("The column that says which items belong together.", metavar="COL")
    dataset: str | None = flag("Only the items of this dataset.", metavar="D")
    column: tuple[str, ...] = flag(
        f"The column that plays a role, where its name does not say so: {', '.join(ROLES)}.",
        (),
        metavar="ROLE=NAME",
    )

    @property
    def parts(self) -> tuple[str, ...]:
        """What a score is made of."""
        return ("score",)

    def scores(self, *systems: str | None) -> Scores:
        """What the files hold; where all the systems asked about are named, other columns may hold anything."""
        named = [system for system in systems if system is not None]
        clusters = [] if self.cluster is None else [f"cluster={self.cluster}"]
        source: Any = self.files[0] if len(self.files) == 1 else list(self.files)
        scores = read(
            source,
            measure=self.measure,
            parts=self.parts,
            columns=_roles([*self.column, *clusters]),
            systems=named if len(named) == len(systems) else (),
        )
        return scores if self.dataset is None else scores.within(self.dataset)


@dataclass(frozen=True)
class Input(Source):
    """Scores that are to be judged: also how they become one number, and which way is up."""

    metric: str = flag(
        f"How items become one number: {', '.join(METRICS)}. Not the name of a score: that is --measure.",
        "mean",
        metavar="M",
    )
    lower_is_better: bool = flag("Lower scores are better: changes the verdict, not the sign.", default=False)

    @property
    def parts(self) -> tuple[str, ...]:
        try:
            return Metric.parse(self.metric).parts()
        except SpellingError as error:
            stop = "" if str(error).endswith("?") else "."
            raise SpellingError(f"{error}{stop} A score is picked by its name with --measure") from None


@dataclass(frozen=True)
class Sides:
    """The two systems that are asked about, and what becomes of items that only one of them has."""

    a: str | None = flag("System A, the one compared with (default: the first in the file).", metavar="S")
    b: str | None = flag("System B (default: the second).", metavar="S")
    missing: Missing = flag(  # noqa: RUF009  (a field, made by flag)
        "Items that only one of them has: refuse them, or drop them.", "error"
    )


def _roles(columns: Iterable[str]) -> dict[str, str]:
    roles: dict[str, str] = {}
    for text in columns:
        role, equals, name = (s.strip() for s in text.partition("="))
        if not (role and equals and name):
            raise UsageError(f"--column {text!r} should be role=name, for example --column item=query_id")
        if roles.setdefault(role, name) != name:
            raise UsageError(f"the {role} is said to be column {roles[role]!r} and column {name!r}; name one")
    return roles
