"""Entry point for the sentences of answers: `add_text` fills in headline, sentence and texts of notes.

One module per kind of answer, named after it, with a function `with_texts(answer)` that fills in headline, sentence and the texts of
notes. Options in them are marked, and spelled for the surface that shows the answer.
"""

import dataclasses
import functools
import importlib
import typing
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note
from tellapart.foundation.formatting import shown
from tellapart.foundation.surfaces import Surface, spell_marks

# What the notes of one kind of answer say: a function per code, which takes the answer, or its part, and
# the note's values.

Subject = TypeVar("Subject")
"""An answer, or the part of one that its notes are about."""


class NoteTexts(Generic[Subject]):
    """Sentences by the code of their note. A function joins under its own name, which is the code."""

    def __init__(self, *shared: "NoteTexts[Any]") -> None:
        self._known: dict[str, Callable[..., str]] = {
            code: saying
            for others in shared
            for code, saying in others._known.items()  # noqa: SLF001  (its own kind)
        }

    def __call__(self, saying: Callable[..., str]) -> Callable[..., str]:
        self._known[saying.__name__] = saying
        return saying

    def plain(self, **sentences: str) -> None:
        """Sentences that hold no values, by their codes."""
        for code, sentence in sentences.items():
            self._known[code] = functools.partial(_unchanged, sentence)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __getitem__(self, code: str) -> Callable[..., str]:
        return self._known[code]

    def with_texts(self, answer: Subject, notes: tuple[Note, ...]) -> tuple[Note, ...]:
        """The notes with their sentences."""
        return tuple([self.with_text(answer, note) for note in notes])

    def with_text(self, answer: Subject, note: Note) -> Note:
        return dataclasses.replace(note, text=self[note.code](answer, **note.values))


def _unchanged(sentence: str, _: Any) -> str:
    return sentence


A = TypeVar("A", bound=Answer)


LONG = 2000
"""Characters of a sentence that only names can have made so long."""


def add_text(answer: A, surface: Surface = "python") -> A:
    """The answer with its sentences, options spelled as this surface takes them."""
    answer_with_texts = importlib.import_module(f"tellapart.answers.{answer.kind}.texts").with_texts(answer)
    return typing.cast(A, _spelled_answer(answer_with_texts, answer, surface))


def _spelled_answer(value: Any, before: Any, surface: Surface) -> Any:
    """Every text of an answer in the spelling of a surface; what holds none stays the same object.

    What was another text before is a sentence: names in it are made printable. Names in fields of their own stay as they are.
    """
    if isinstance(value, str):
        text = spell_marks(value, surface) if "\0" in value else value
        unlike = value is not before and value != before
        return shown(text) if unlike and (len(text) > LONG or not text.isprintable()) else text
    if isinstance(value, tuple):
        known = before if isinstance(before, tuple) and len(before) == len(value) else (None,) * len(value)
        parts = tuple(_spelled_answer(v, b, surface) for v, b in zip(value, known, strict=True))
        return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    kind: type = type(value)
    changes = {
        name: new
        for name in _holding_text(kind)
        if (new := _spelled_answer(old := getattr(value, name), getattr(before, name, None), surface)) is not old
    }
    return dataclasses.replace(value, **changes) if changes else value


@functools.cache
def _holding_text(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass that are no plain numbers: a board of many systems has thousands of rows of those."""
    if not dataclasses.is_dataclass(kind):
        return ()
    hints = typing.get_type_hints(kind)
    return tuple(f.name for f in dataclasses.fields(kind) if f.init and hints[f.name] not in _NUMBERS)


_NUMBERS = (bool, int, float, int | None, float | None, tuple[tuple[float | None, ...], ...])
