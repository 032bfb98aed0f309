"""Answers of all commands, one package per kind: dataclasses (`__init__`), sentences (`texts`), `page`, `charts`.

A verb makes the fields. `answers.texts.add_text` adds headline, sentence and the texts of notes; a note is a code with values first, so that a
program can ask for the code. Pages hold tables and lines (`page`) and are printed by `render`.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.answers.drawing import chart, drawings
    from tellapart.answers.drawing import names as chart_names
    from tellapart.answers.drawing.files import SUFFIXES as CHART_SUFFIXES
    from tellapart.answers.drawing.files import in_notebook, written
    from tellapart.answers.drawing.theme import INSTALL, no_room, ready, required

__all__ = [
    "CHART_SUFFIXES",
    "INSTALL",
    "chart",
    "chart_names",
    "drawings",
    "in_notebook",
    "no_room",
    "ready",
    "required",
    "written",
]
__getattr__ = lazy_names(__name__)
