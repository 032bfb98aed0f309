"""What a chart finds, in words: one module per kind of answer, named after it, with one function per chart."""

import importlib

from tellapart.doors import Door, spelled
from tellapart.results.answer import Answer
from tellapart.wording import shown


def caption(answer: Answer, name: str, door: Door = "python") -> str:
    """The finding of the chart of this name, from the fields of the answer alone."""
    module = importlib.import_module(f"tellapart.words.captions.{answer.kind}")
    return shown(spelled(module.CAPTIONS[name](answer), door))
