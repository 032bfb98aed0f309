"""Charts of answers: a pure function from an answer to a picture, and the numbers that it shows as rows of a table.

One module per kind of answer, named after it, with the tuple `CHARTS`, the most telling first. No arithmetic: what a chart shows
is in the answer already, so that it can be drawn from its JSON alone. Files of the folder are found by themselves.
"""

import importlib
import importlib.util

from tellapart.charts.altair import Picture
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.theme import themed
from tellapart.errors import UsageError
from tellapart.results.answer import Answer
from tellapart.words.captions import caption


def drawings(kind: str) -> tuple[Drawing, ...]:
    """Every chart that this kind of answer may have."""
    module = f"tellapart.charts.{kind}"
    if importlib.util.find_spec(module) is None:
        return ()
    found: tuple[Drawing, ...] = importlib.import_module(module).CHARTS
    return found


def drawn(answer: Answer) -> tuple[Drawing, ...]:
    """The charts of this answer: those that it has the numbers for."""
    return tuple(one for one in drawings(answer.kind) if one.rows(answer))


def names(answer: Answer) -> tuple[str, ...]:
    """What `chart` takes, the most telling first."""
    return tuple(one.name for one in drawn(answer))


def named(answer: Answer, name: str | None = None) -> Drawing:
    """The chart of this name, or the first."""
    for one in drawings(answer.kind):
        if name in {one.name, None} and one.rows(answer):
            return one
    known = names(answer)
    if not known:
        raise UsageError(f"this {answer.kind.replace('_', ' ')} has nothing to draw")
    raise UsageError(f"this answer has no chart {name!r}; its charts: {', '.join(known)}")


def chart(answer: Answer, name: str | None = None) -> Picture:
    """A chart of an answer as altair has it, with what it finds as its description."""
    one = named(answer, name)
    return pictured(answer, one, one.rows(answer))


def pictured(answer: Answer, one: Drawing, rows: Rows) -> Picture:
    """The picture of a chart whose rows are there already."""
    return themed(one.picture(answer, rows).properties(description=caption(answer, one.name)))
