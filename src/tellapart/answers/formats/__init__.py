"""Dataclasses of the `formats` answer: the log and table formats that can be read."""

from dataclasses import dataclass
from typing import ClassVar

from tellapart.answers.answer import Answer


@dataclass(frozen=True)
class KnownFormat:
    """A format by its name, who writes it, what an item is in it, and what varies in it beside the measure."""

    name: str
    label: str
    program: str
    items: str
    axes: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class FormatList(Answer):
    """Every format that is registered, tables first."""

    schema: ClassVar[str] = "tellapart/formats/1"

    rows: tuple[KnownFormat, ...]
    headline: str = ""
    sentence: str = ""
