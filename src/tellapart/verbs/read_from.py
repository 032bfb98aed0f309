"""What an answer says of the files its scores were read from."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from tellapart import __version__
from tellapart.answers.parts import BadRow, Note
from tellapart.data.pair import Pair
from tellapart.data.provenance import Direction, Remark
from tellapart.data.scores import Scores
from tellapart.foundation.errors import TellapartError
from tellapart.foundation.seeds import fingerprint
from tellapart.foundation.spelling import spell
from tellapart.verbs.judged import Judged

if TYPE_CHECKING:
    from tellapart.answers.comparison.fields import Comparison
    from tellapart.answers.leaderboard.fields import Leaderboard

LESS_IS_BETTER = frozenset(
    [
        "latency",
        "loss",
        "error",
        "errors",
        "wer",
        "cer",
        "ter",
        "ppl",
        "perplexity",
        "nll",
        "brier",
        "rmse",
        "mse",
        "mae",
        "ms",
        "seconds",
        "secs",
        "duration",
        "runtime",
        "cost",
    ]
)
"""Words in names of scores, or of columns of them, of which less is usually better."""
WORD = re.compile(r"[a-z]+")

Answered = TypeVar("Answered", "Comparison", "Leaderboard")


def with_sources(answer: Answered, scores: Scores, question: Judged) -> Answered:
    """The answer with its sources, which way is up and who says so, what groups the items, and notes on what was met."""
    reading = scores.reading
    if reading is None:
        return asking_back(answer, scores, question)
    if reading.plain:
        sourced = replace(answer, sources=reading.sources, cluster=reading.cluster)
        return asking_back(sourced, scores, question)
    direction: Direction = _direction(question, reading.better)
    return replace(
        answer,
        sources=reading.sources,
        direction=direction,
        cluster=reading.cluster,
        notes=(*answer.notes, *([Note("direction_assumed")] if direction.source == "assumed" else [])),
    )


def asking_back(answer: Answered, scores: Scores, question: Judged) -> Answered:
    """Whether less is better, where a name sounds like that and nobody said so: the winner would be the loser."""
    # Votes come here too, and are no scores of anything.
    if answer.lower_is_better or question.higher_is_better or not hasattr(scores, "measure"):
        return answer
    names = (scores.measure, *scores.systems)
    named = next((name for name in names if not LESS_IS_BETTER.isdisjoint(WORD.findall(name.lower()))), None)
    return (
        answer
        if named is None
        else replace(answer, notes=(Note("perhaps_lower", {"name": named}), *answer.notes))
    )


def _direction(question: Judged, said: str | None) -> Direction:
    if question.lower_is_better or question.higher_is_better:
        return Direction("lower" if question.lower_is_better else "higher", "flag")
    if said is None:
        return Direction("higher", "assumed")
    return Direction("lower" if said == "lower" else "higher", "file")


# What reading the scores left to say, as notes of the answer that is made of them.


def reading_notes(remarks: Iterable[Remark]) -> tuple[Note, ...]:
    return tuple([Note(remark.code, dict(remark.values)) for remark in remarks])


# Rows of a table of reported numbers, each made into what it is about; those that cannot be are told by
# their line.

if TYPE_CHECKING:
    from tellapart.readers.tables.reported import ReportedRow, ReportedTable

T = TypeVar("T")


def usable_rows(
    table: "ReportedTable", make: "Callable[[ReportedRow], T]"
) -> tuple[tuple[T, ...], tuple[BadRow, ...]]:
    """What can be made of the rows, and the rows of which nothing can; a bad row stops none of the others."""
    made, bad = [], [BadRow(line, problem) for line, problem in table.ragged]
    for row in table.rows:
        try:
            made.append(make(row))
        except TellapartError as error:
            bad.append(BadRow(row.line, error.message))
    return tuple(made), in_order(bad)


def in_order(bad: list[BadRow]) -> tuple[BadRow, ...]:
    return tuple(sorted(bad, key=lambda row: row.line))


def unused_columns(columns: tuple[str, ...]) -> tuple[Note, ...]:
    return (Note("columns_not_used", {"columns": list(columns)}),) if columns else ()


# One line with everything needed to rerun a number.

BETWEEN = " | "
"""Between the parts of a signature; the data, which is a hash, is the last."""
HASHED = 1 << 16
"""Names that are one text at once."""


def sign(verb: str, data: str | Pair, /, **settings: Any) -> str:
    """Version, verb, settings in their spelling, and what the number was computed from."""
    data = pair_fingerprint(data) if isinstance(data, Pair) else data
    said = [f"{key}={spell(value)}" for key, value in settings.items() if value is not None]
    return BETWEEN.join([f"tellapart {__version__} {verb}", *said, f"data={data}"])


def amended(signature: str, **settings: Any) -> str:
    """The signature of a number that came about otherwise than was asked for: with these settings too, before the data."""
    head, _, data = signature.rpartition(BETWEEN)
    said = (f"{key}={spell(value)}" for key, value in settings.items() if value is not None)
    return BETWEEN.join([head, *said, data])


def pair_fingerprint(pair: Pair) -> str:
    """A short hash of the paired scores: equal for equal scores in canonical order, whatever file they came from."""
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    pieces = [piece for x in arrays for piece in (repr(x.shape).encode(), _bytes_of(x))]
    if len(pair.items) > HASHED:
        return fingerprint(chain(pieces, _joined(pair.items)))
    return fingerprint([*pieces, *_joined(pair.items)])


def _bytes_of(array: npt.NDArray[Any]) -> memoryview:
    """As they lie in memory: millions of scores are not copied to be hashed."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _joined(names: Sequence[str]) -> Iterator[bytes]:
    """All names with a NUL between them, some at a time."""
    for start in range(0, len(names), HASHED):
        between = "" if start == 0 else "\x00"
        yield (between + "\x00".join(names[start : start + HASHED])).encode(errors="surrogatepass")
