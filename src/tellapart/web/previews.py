"""Previews of long simulated plans, with an increasing number of simulated evaluations, and text search in pages.

A page asks for a look by a field of its own beside those of the question. What it shows is the answer to the question with so many
replicates, so the command beside it gives the same numbers.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tellapart.answers.answer import Answer
from tellapart.answers.page import Page
from tellapart.foundation.errors import UsageError
from tellapart.web.messages import Refused
from tellapart.web.request_body import fields_in
from tellapart.web.request_parsing import WebQuestion

# What somebody looks for on a page of what is known, and the rows that hold it.

FIND = "find"
LONGEST = 200


def sought(query: str) -> str:
    """The text that is looked for; nothing where all is wanted."""
    text = next((value for key, value in fields_in(query) if key == FIND), "").strip()
    if len(text) > LONGEST:
        raise Refused(400, f"found {len(text):,} characters to search for; wanted at most {LONGEST}")
    return text


def holding(page: Page, text: str) -> Page:
    """The rows and remarks of a page that hold a text, however it is written."""
    wanted = text.lower()
    grids = tuple(
        replace(grid, rows=tuple(row for row in grid.rows if any(wanted in cell.text.lower() for cell in row)))
        for grid in page.grids
    )
    remarks = tuple(
        (heading, tuple(line for line in lines if wanted in line.lower())) for heading, lines in page.remarks
    )
    return replace(page, grids=grids, remarks=remarks)


LOOK = "look"
"""The field that says how many simulated evaluations a look takes, or that it is to be all of them."""
FIRST, ALL = 400, "all"
STEPS = (1_000,)
"""The looks between the first and the whole answer."""
_SAID = frozenset(("replicates", "until"))


@dataclass(frozen=True)
class Look:
    """How much of a plan is simulated for now; of everything else, and where it was said, all is answered."""

    replicates: int | None = None

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]], *, hurried: bool) -> "Look":
        """The requested preview; long plans without a request start with a first look."""
        said = next((text for name, text in pairs if name == LOOK), "")
        if said == ALL:
            return cls()
        if not said:
            return cls(FIRST if hurried else None)
        if said not in {str(one) for one in (FIRST, *STEPS)}:
            wanted = ", ".join(map(str, (FIRST, *STEPS)))
            raise UsageError(f"{LOOK} is {said[:20]!r}; it should be one of {wanted}, {ALL}")
        return cls(int(said))

    def at(self, question: WebQuestion) -> WebQuestion:
        """The question with as many replicates as the look takes."""
        if self.replicates is None or question.offer.verb != "plan" or _SAID & set(question.fields):
            return question
        return replace(question, fields={**question.fields, "replicates": (str(self.replicates),)})


def simulated(answer: Answer | None) -> bool:
    """Whether anything of an answer comes from simulated evaluations."""
    return any(getattr(row, "replicates", None) is not None for row in getattr(answer, "rows", ()))


def next_look(replicates: int) -> str:
    """The number of evaluations after this one."""
    return next((str(one) for one in STEPS if one > replicates), ALL)
