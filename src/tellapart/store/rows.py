"""What a row of the file says, and the checksum by which a changed byte is found."""

from typing import Any, NamedTuple

from tellapart.fingerprint import digest
from tellapart.store.values import packed

CHECKED = 16
"""Hexadecimal digits of a checksum."""

Place = tuple[int, int]
"""A block's number and size."""


class StoredBlock(NamedTuple):
    """One finished block, its value as it is packed."""

    number: int
    size: int
    value: str | bytes
    checksum: str

    @classmethod
    def of(cls, study: str, place: Place, value: Any) -> "StoredBlock":
        content = packed(value)
        return cls(*place, content, checksum(study, *place, content))

    def sound(self, study: str) -> bool:
        return self.checksum == checksum(study, *self[:3])


def checksum(*parts: Any) -> str:
    """Of what stands in a row, and of the study that it belongs to."""
    texts = [part for part in parts if not isinstance(part, bytes)]
    raw = [part for part in parts if isinstance(part, bytes)]
    return digest([repr(tuple(texts)).encode("utf-8", "backslashreplace"), *raw])[:CHECKED]
