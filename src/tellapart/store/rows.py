"""What a row of the file says, and the checksum by which a changed byte is found."""

import json
from typing import Any, NamedTuple

from tellapart.fingerprint import digest

CHECKED = 16
"""Hexadecimal digits of a checksum."""

Place = tuple[int, int]
"""A block's number and size."""


class StoredBlock(NamedTuple):
    """One finished block: its value as JSON, from which numbers come back to the bit. Nothing of it is ever run."""

    number: int
    size: int
    value: str
    checksum: str

    @classmethod
    def of(cls, study: str, place: Place, value: Any) -> "StoredBlock":
        text = json.dumps(value)
        return cls(*place, text, checksum(study, *place, text))

    def sound(self, study: str) -> bool:
        return self.checksum == checksum(study, *self[:3])


def checksum(*parts: Any) -> str:
    """Of what stands in a row, and of the study that it belongs to."""
    return digest([repr(parts).encode("utf-8", "backslashreplace")])[:CHECKED]
