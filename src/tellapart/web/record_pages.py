"""Pages of recorded results with a search field: the calibration of the defaults, and reproduced tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tellapart.web.messages import Job, WebReply
from tellapart.web.pages import HTML, template
from tellapart.web.previews import sought

FOLDER = Path(__file__).parent / "measured"
MEASURED = {
    "calibration": "Do the default tests and intervals keep what they promise?",
    "reproduction": "Do published tables of power and sample size hold?",
}


@dataclass(frozen=True)
class Section:
    """Words, and the table below them where there is one."""

    words: str
    columns: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def holding(self, text: str) -> "Section | None":
        """The part that holds a text: all where its words do, else the rows that do."""
        if text in self.words.lower():
            return self
        rows = [row for row in self.rows if any(text in cell.lower() for cell in row)]
        return Section(self.words, self.columns, rows) if rows else None


@cache
def sections(name: str) -> tuple[Section, ...]:
    """The parts of a page that was generated as Markdown."""
    return tuple(_sections((FOLDER / f"{name}.md").read_text(encoding="utf-8").splitlines()))


def _sections(lines: list[str]) -> Iterator[Section]:
    open_one: Section | None = None
    for line in lines:
        if not line.startswith("|"):
            if not line.strip() and (open_one is None or not open_one.columns):
                continue  # words stand a line above their table
            if open_one is not None:
                yield open_one
            open_one = Section(_plain(line)) if line.strip() else None
            continue
        cells = tuple(_plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        if open_one is None or not open_one.columns:
            open_one = Section("" if open_one is None else open_one.words, cells)
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            open_one.rows.append(cells)
    if open_one is not None:
        yield open_one


def _plain(text: str) -> str:
    """Words without their marks."""
    return re.sub(r"\\(.)", r"\1", text.strip().replace("**", "").removeprefix("- ").lstrip("# "))


def found(name: str, query: str) -> tuple[str, tuple[Section, ...]]:
    """The search text, and the sections that hold it."""
    text = sought(query)
    if not text:
        return "", sections(name)
    held = (one.holding(text.lower()) for one in sections(name))
    return text, tuple(one for one in held if one is not None)


def measured(job: Job) -> WebReply:
    """The page of what was measured."""
    text, held = found(job.verb, job.query)
    page = template("measured.html.j2").render(
        verb=job.verb, doc=MEASURED[job.verb], find=text, sections=held, rows=sum(len(one.rows) for one in held)
    )
    return WebReply(200, HTML, page.encode())
