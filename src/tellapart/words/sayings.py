"""What the notes of one kind of answer say: a function per code, which takes the answer, or its part, and the note's values."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from tellapart.results.note import Note

Subject = TypeVar("Subject")
"""An answer, or the part of one that its notes are about."""


class Sayings(Generic[Subject]):
    """Sentences by the code of their note. A function joins under its own name, which is the code."""

    def __init__(self, *shared: "Sayings[Any]") -> None:
        self._known: dict[str, Callable[..., str]] = {
            code: saying
            for others in shared
            for code, saying in others._known.items()  # noqa: SLF001  (its own kind)
        }

    def __call__(self, saying: Callable[..., str]) -> Callable[..., str]:
        self._known[saying.__name__] = saying
        return saying

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def told(self, answer: Subject, notes: tuple[Note, ...]) -> tuple[Note, ...]:
        """The notes with their sentences."""
        return tuple([self.tell(answer, note) for note in notes])

    def tell(self, answer: Subject, note: Note) -> Note:
        said: Any = self._known[note.code](answer, **note.values)
        return dataclasses.replace(note, text=said)
