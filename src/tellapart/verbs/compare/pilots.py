"""What `plan` has to be told of the files that were compared, so that what a note advises can be typed as it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tellapart.results.comparison import Comparison
from tellapart.results.note import BY_PLAN, Note
from tellapart.sources import Reading


def naming_files(answer: Comparison, reading: Reading) -> Comparison:
    """The answer whose notes on `plan` name the files of both systems, and what they are scored with."""
    of_system = {source.system: source.file for source in reading.sources}
    return with_files(answer, [of_system[system.name] for system in (answer.a, answer.b)], reading.beside)


def with_files(answer: Comparison, files: Sequence[str], beside: Mapping[str, Sequence[str]]) -> Comparison:
    """The same with these files, and what is said of them: the option, and its values, or none where it has none."""
    named = {"files": list(files), "beside": {name: list(values) for name, values in beside.items()}}
    notes = (
        replace(note, values={**note.values, **named}) if _names_none(note) else note for note in answer.notes
    )
    return replace(answer, notes=tuple(notes))


def _names_none(note: Note) -> bool:
    return note.code in BY_PLAN and "files" not in note.values
