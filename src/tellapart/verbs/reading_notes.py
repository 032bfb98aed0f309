"""What reading the scores left to say, as notes of the answer that is made of them."""

from collections.abc import Iterable

from tellapart.remarks import Remark
from tellapart.results.note import Note


def reading_notes(remarks: Iterable[Remark]) -> tuple[Note, ...]:
    return tuple([Note(remark.code, dict(remark.values)) for remark in remarks])
