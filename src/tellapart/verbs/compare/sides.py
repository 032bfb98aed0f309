"""What a two-sided test finds on each side: where differences lean, an effect to one side takes more than one to the other."""

from typing import Literal

from tellapart.results.comparison import Detectable
from tellapart.results.note import Note

Found = Detectable | Note | None
"""What is detectable on one side; a note why none is said, or None where that is noted by itself."""
WORTH_SAYING = 1.1
"""By which factor the effects of both sides differ at least for both to be said."""


def on_sides(higher: Found, lower: Found | Literal["untested"] = "untested") -> tuple[Found, ...]:
    """What is detected whichever system is better, which is the larger effect, and a note of each side where they differ.

    Which system is called A changes nothing about the number. A single side that is tested speaks for itself.
    """
    if lower == "untested":
        return (higher,)
    known = [one for one in (higher, lower) if isinstance(one, Detectable)]
    if len(known) == 2:
        small, large = sorted(known, key=lambda one: one.effect)
        return (
            (large, _each_side(higher, lower, large))
            if large.effect > WORTH_SAYING * small.effect
            else (large,)
        )
    notes = [one for one in (higher, lower) if isinstance(one, Note)]
    if known:
        return known[0], _each_side(higher, lower, known[0])
    return (max(notes, key=lambda note: float(note.values["effect"])),) if notes else (None,)


def _each_side(higher: Found, lower: Found, said: Detectable) -> Note:
    effects = {
        name: one.effect if isinstance(one, Detectable) else None
        for name, one in (("b_higher", higher), ("b_lower", lower))
    }
    return Note("detectable_by_side", {**effects, "power": said.power})
