"""A note: something a careful reader should know, as a code and values that a program can ask for, and as a sentence."""

from dataclasses import dataclass, field
from typing import Any, Literal

TestedClaim = Literal["difference", "equivalence", "non-inferiority"]
"""What a test is asked to show."""


@dataclass(frozen=True)
class Note:
    """`code` says which kind of note it is, `values` what it is about, as plain values; `text` is its sentence.

    A verb gives code and values. The sentence is made of them in `words`, in the spelling of the door that shows it.
    """

    code: str
    values: dict[str, Any] = field(default_factory=dict)
    text: str = ""


def codes(notes: "tuple[Note, ...]") -> tuple[str, ...]:
    """What kinds of notes there are, in order."""
    return tuple(note.code for note in notes)


def texts(notes: "tuple[Note, ...]") -> tuple[str, ...]:
    """What they say, in order."""
    return tuple(note.text for note in notes)
