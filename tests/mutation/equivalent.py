"""Changes that nothing can notice, each with the reason: `equivalent.toml`.

An entry names file, function and change, as survivors are told. `within` is the expression around it, where a function has
several such changes and only one is meant. The change "*" is every one of a function that decides how quickly, and never what, is
answered, or of a module's `constant` that does; the reason then names what holds that: a test that decides otherwise and gets the
same answer.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.changes import Change
from tests.mutation.trial import PACKAGE

FILE = Path(__file__).parent / "equivalent.toml"
EVERY = "*"


@dataclass(frozen=True)
class Equivalent:
    file: str
    function: str
    change: str
    reason: str
    within: str | None = None
    constant: str | None = None

    def lets_off(self, change: Change) -> bool:
        # What is quickly told apart comes first.
        return (
            self.function == change.function
            and self.file == str(change.file.relative_to(PACKAGE))
            and self.change in (EVERY, change.words)
            and self.within in (None, change.within)
            and (self.constant is None or self.constant == change.constant)
        )


def equivalents() -> list[Equivalent]:
    return [Equivalent(**entry) for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["equivalent"]]


def noticeable(changes: Iterable[Change]) -> Iterator[Change]:
    """All but those that are listed."""
    listed = equivalents()
    return (change for change in changes if not any(entry.lets_off(change) for entry in listed))
