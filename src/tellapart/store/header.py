"""Whose file it is, told from its first bytes: a file of somebody else is not even opened, for opening a database may change it."""

from pathlib import Path

from tellapart.errors import ReadError

MAGIC = b"SQLite format 3\0"
OURS = 0x74656C6C
"""The application that SQLite's header names: "tell"."""
FORMAT = 2
"""Of the tables and of what they hold."""
_LENGTH, _VERSION, _APPLICATION = 100, slice(60, 64), slice(68, 72)
"""Of a database header, and where in it the user version and the application id stand (SQLite file format, section 1.3)."""


def unusable(path: Path, why: str) -> ReadError:
    return ReadError(
        f"{path}: this cannot be used as a store of tellapart: {why}. Nothing in it was changed; name another file, or move this one away"
    )


def refuse_foreign(path: Path) -> None:
    """Refuses a file that is there and is no store of ours, and one of another format."""
    try:
        with path.open("rb") as file:
            head = file.read(_LENGTH)
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from None
    if not head.startswith(MAGIC) or len(head) < _LENGTH:
        raise unusable(path, "it is no database")
    if int.from_bytes(head[_APPLICATION], "big") != OURS:
        raise unusable(path, "it is a database of another program")
    version = int.from_bytes(head[_VERSION], "big")
    if version != FORMAT:
        raise unusable(path, f"it has format {version}, and this version of tellapart knows format {FORMAT}")
