"""Row format of a store file: packing of values, and a checksum against corruption."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tellapart.foundation.errors import ReadError
from tellapart.foundation.seeds import digest

# What a block comes to, as a row of the file holds it: JSON, and behind it raw little-endian arrays.
# Nothing of it is ever run.

AnyArray = npt.NDArray[Any]

ARRAY = "array"
"""The key under which the text of a value names an array: how its numbers are kept, how they were, and its shape."""
_LENGTH = 8
"""Bytes that say how long the text before the arrays is."""


def packed(value: Any) -> str | bytes:
    """A number, a text, an array, or sequences of these; numbers come back to the bit, and every sequence as a tuple."""
    raw: list[bytes] = []
    text = json.dumps(_plain(value, raw))
    if not raw:
        return text
    head = text.encode()
    return b"".join([len(head).to_bytes(_LENGTH, "little"), head, *raw])


def unpacked(content: str | bytes) -> Any:
    """The value, as it was but for the kind of its sequences.

    >>> unpacked(packed((1, 0.1, None, "text")))
    (1, 0.1, None, 'text')
    """
    if isinstance(content, str):
        return _value(json.loads(content), memoryview(b""))
    start = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    return _value(json.loads(content[_LENGTH:start]), memoryview(content)[start:])


def _plain(value: Any, raw: list[bytes]) -> Any:
    if isinstance(value, np.ndarray):
        kept = _smaller(value)
        raw.append(kept.tobytes())
        first = sum(map(len, raw[:-1]))
        return {ARRAY: [kept.dtype.str, value.dtype.str, list(value.shape), first]}
    return [_plain(one, raw) for one in value] if isinstance(value, list | tuple) else value


def _smaller(value: AnyArray) -> AnyArray:
    """Counts in as few bytes as hold the largest of them: those of a large board would be eight times as many."""
    kept = value.dtype
    if kept.kind in "iu" and value.size and value.min() >= 0:
        kept = np.min_scalar_type(int(value.max()))
    return value.astype(kept.newbyteorder("<"))


def _value(told: Any, raw: memoryview) -> Any:
    if isinstance(told, list):
        return tuple(_value(one, raw) for one in told)
    if not isinstance(told, dict):
        return told
    kept, dtype, shape, first = told[ARRAY]
    found = np.frombuffer(raw, kept, int(np.prod(shape, dtype=np.int64)), first)
    # A copy: aligned, and its own.
    return found.astype(dtype).reshape(shape)


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


# Whose file it is, told from its first bytes: a file of somebody else is not even opened, for opening a
# database may change it.

MAGIC = b"SQLite format 3\0"
OURS = 0x74656C6C
"""The application that SQLite's header names: "tell"."""
FORMAT = 2
"""Of the tables and of what they hold."""
_HEADER_LENGTH, _VERSION, _APPLICATION = 100, slice(60, 64), slice(68, 72)
"""Of a database header, and where in it the user version and the application id stand (SQLite file format, section 1.3)."""


def unusable(path: Path, why: str) -> ReadError:
    return ReadError(
        f"{path}: not a store of tellapart: {why}. Nothing was changed; name another file, or move this one away"
    )


def refuse_foreign(path: Path) -> None:
    """Refuses a file that is there and is no store of ours, and one of another format."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_LENGTH)
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from None
    if not head.startswith(MAGIC) or len(head) < _HEADER_LENGTH:
        raise unusable(path, "it is not a database")
    if int.from_bytes(head[_APPLICATION], "big") != OURS:
        raise unusable(path, "it is a database of another program")
    version = int.from_bytes(head[_VERSION], "big")
    if version != FORMAT:
        raise unusable(path, f"it has format {version}, and this version of tellapart knows format {FORMAT}")


# Whether a file lies on another machine.

MOUNTS = Path("/proc/mounts")
NETWORKED = (
    *("nfs", "cifs", "smb", "lustre", "gpfs", "beegfs", "ceph", "glusterfs", "afs", "9p", "ncpfs", "orangefs"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.rclone"),
)


def on_network(path: Path, mounts: Path = MOUNTS) -> bool:
    """By the file system that it is mounted from; False where the system does not say."""
    try:
        rows = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return False
    place = path.absolute()
    holding = [row for row in rows if len(row) > 2 and place.is_relative_to(row[1].replace("\\040", " "))]
    nearest = max(holding, key=lambda row: len(row[1]), default=None)
    return nearest is not None and nearest[2].startswith(NETWORKED)
