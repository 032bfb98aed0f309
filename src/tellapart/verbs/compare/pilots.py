"""What `plan` has to be told of files that are no tables, so that what a note advises can be typed as it stands."""

from dataclasses import replace

from tellapart.results.comparison import Comparison
from tellapart.sources import Reading

BY_PLAN = frozenset(("detectable_by_plan", "items_by_plan"))


def naming_files(answer: Comparison, reading: Reading) -> Comparison:
    """The answer whose notes on `plan` name the files of both systems, and what they are scored with."""
    of_system = {source.system: source.file for source in reading.sources}
    named = {
        "files": [of_system[system.name] for system in (answer.a, answer.b)],
        "beside": {name: list(values) for name, values in reading.beside.items()},
    }
    notes = (
        replace(note, values={**note.values, **named}) if note.code in BY_PLAN else note
        for note in answer.notes
    )
    return replace(answer, notes=tuple(notes))
