"""Exception classes of all user errors; each message states what was found, what was expected and the remedy.

TellapartError
├── GateFailed            what was required is not shown (exit code 1)
├── WorkLost              a piece of work that ends every worker it is given to (exit code 4)
├── UsageError            the question cannot be asked this way (exit code 2)
│   ├── SpellingError     a name or option that does not exist, with the nearest one that does
│   └── Unsuitable        a method that these scores cannot be given to
└── DataError             the scores cannot be used as they are (exit code 3)
    ├── ReadError         a file, with its line where there is one
    │   ├── NoSuchFile    a path at which there is none
    │   └── OpenScore     a table of which several columns could be the score
    ├── UnknownSystem     a system that is not in the scores, with the nearest names
    ├── ItemMismatch      items that only one of the systems has
    ├── ComesTwice        a score of a system on an item that is there already
    ├── TooFew            not enough items or systems to compare
    └── Degenerate        scores on which a method has no answer, with the method that has one
"""

import difflib
from collections.abc import Iterable
from typing import ClassVar

from tellapart.foundation.formatting import shortened, shown
from tellapart.foundation.surfaces import LINE_END, Surface, spell_marks

LONGEST_LINE = 4000
"""Characters of a line of a message, however many names are listed in it."""


class TellapartError(Exception):
    """Says options as Python spells them; another surface asks for its own spelling with `message_for`."""

    exit_code: ClassVar[int] = 4
    commands: tuple[str, ...] = ()
    """Whole commands that do what the message advises, where one was typed."""

    @property
    def message(self) -> str:
        """The message with its marks, to be built into another one."""
        return super().__str__()

    def message_for(self, surface: Surface) -> str:
        """The message as it is shown: names in it are printable, and short enough to leave the rest of it readable."""
        lines = (shown(spell_marks(line, surface)) for line in self.message.split(LINE_END))
        return "\n".join(shortened(line, LONGEST_LINE) for line in lines)

    def __str__(self) -> str:
        return self.message_for("python")


class GateFailed(TellapartError):
    exit_code = 1


class WorkLost(TellapartError):
    """Says which piece of work it is, and what to do."""

    def __init__(self, what: str, times: int) -> None:
        super().__init__(what, times)
        self.what, self.times = what, times

    @property
    def message(self) -> str:
        return (
            f"{self.what}: every worker that it was given to was lost, {self.times} of them, at last with nothing else to do. It may need "
            "more memory than a worker has: ask about fewer items, or give workers more"
        )


class UsageError(TellapartError):
    exit_code = 2


class SpellingError(UsageError):
    pass


class Unsuitable(UsageError):
    pass


class DataError(TellapartError):
    exit_code = 3


class ReadError(DataError):
    """`columns` are the scores that could be meant, where there are several."""

    def __init__(self, message: str, columns: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.columns = columns


class NoSuchFile(ReadError):
    """`path` is what was taken for one."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path


class OpenScore(ReadError):
    """Several columns of a table could be the score; who wants all there is takes one after the other."""


class UnknownSystem(DataError):
    pass


class ItemMismatch(DataError):
    pass


class ComesTwice(DataError):
    """`found` is what comes twice, `ways` how the rows may be told apart, the likeliest first."""

    def __init__(self, found: str, ways: tuple[str, ...]) -> None:
        *most, last = ways
        told = f"{', '.join(most)} or {last}" if most else last
        super().__init__(f"{found}. Keep one, or say which column tells the rows apart: {told}")
        self.found, self.ways = found, ways


class TooFew(DataError):
    pass


class Degenerate(DataError):
    pass


MOST_KNOWN = 16
"""Known words that are listed when none is close."""


def nearest(word: str, known: Iterable[str], most: int = 3) -> str:
    """A clause naming the known words closest to a mistyped one, or those that contain it, or all of them when none is close.

    >>> nearest("wilcoxn", [])
    'there are none'
    >>> nearest("wilcoxn", ["paired_t", "wilcoxon"])
    "did you mean 'wilcoxon'?"
    >>> nearest("llama", ["meta-llama/Llama-3", "gpt-4o"])
    "did you mean 'meta-llama/Llama-3'?"
    >>> nearest("x", ["paired_t", "wilcoxon"])
    "known: 'paired_t', 'wilcoxon'"
    """
    words = list(known)
    if not words:
        return "there are none"
    folded = {w.casefold(): w for w in words}
    sought = str(word).casefold()
    close = difflib.get_close_matches(sought, list(folded), n=most, cutoff=0.5)
    within = [w for w in folded if len(sought) > 2 and sought in w]
    if close or within:
        found = dict.fromkeys([*close, *within])
        return f"did you mean {' or '.join(repr(folded[w]) for w in list(found)[:most])}?"
    shown = ", ".join(repr(w) for w in words[:MOST_KNOWN])
    return f"known: {shown}{', …' if len(words) > MOST_KNOWN else ''}"
