"""Atomic writing of files, and in-memory uploads that stand in for the file system."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from tellapart.foundation.errors import ReadError, UsageError

# Bytes that lie where a path points: who reads for others, as a server does, reads these and nothing of its
# own disk.
# While a uploads is held, every path that a reader is given is the label of something on it. There is no way
# around it by another spelling of a path: nothing is looked up on the disk at all. A uploads also says how
# much of what lies there is taken.

_ELSEWHERE = "that is the limit here. Give less, or use the command line"


@dataclass(frozen=True)
class UploadedFiles:
    """Uploads by label, and the limits of their unpacked bytes, rows and systems."""

    content: Mapping[str, bytes]
    most_bytes: int
    most_rows: int = 1 << 62
    most_systems: int = 1 << 62
    _unpacked: dict[str, int] = field(default_factory=dict)

    def refuse_unpacked(self, name: str, found: int) -> None:
        """Bytes are read again and again: of each file counts how far anybody came."""
        if found > self._unpacked.get(name, 0):
            self._unpacked[name] = found
            if sum(self._unpacked.values()) > self.most_bytes:
                raise ReadError(
                    f"{name}: with it the files unpack to more than {self.most_bytes:,} bytes; {_ELSEWHERE}"
                )


UPLOADED_FILES: ContextVar[UploadedFiles | None] = ContextVar("uploads", default=None)
"""The uploads that is held; None where paths are paths."""


@contextmanager
def reading_uploads(uploads: UploadedFiles) -> Iterator[None]:
    """Within, readers know of nothing but this."""
    before = UPLOADED_FILES.set(uploads)
    try:
        yield
    finally:
        UPLOADED_FILES.reset(before)


def refuse_rows(rows: int) -> None:
    """More rows than are read for others."""
    if (uploads := UPLOADED_FILES.get()) is not None and rows > uploads.most_rows:
        raise ReadError(f"found more than {uploads.most_rows:,} rows, one per score; {_ELSEWHERE}")


def refuse_systems(systems: Sized) -> None:
    """More systems than are read for others."""
    if (uploads := UPLOADED_FILES.get()) is not None and len(systems) > uploads.most_systems:
        raise ReadError(
            f"found {len(systems):,} systems; at most {uploads.most_systems:,} are allowed here. Give fewer, or use the command line"
        )


def text_of(path: str, what: str) -> str:
    """The text of a file that is no table: an order, a record or a state."""
    uploads = UPLOADED_FILES.get()
    try:
        return (Path(path).read_bytes() if uploads is None else uploads.content[path]).decode()
    except (OSError, ValueError, LookupError) as error:
        known = {UnicodeDecodeError: "it is not UTF-8 text", KeyError: "there is none"}
        why = known.get(type(error)) or getattr(error, "strerror", None) or error
        raise ReadError(f"{path}: cannot be read ({why}). Check the path of the {what}") from None


def refuse_unwritable(path: Path) -> None:
    """Said before minutes are spent on what could not be written; what is there already stays as it is."""
    try:
        target = path.resolve()
        taken = target.exists() and not (target.is_file() and os.access(target, os.W_OK))
        if not taken:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
                pass
    except (OSError, ValueError) as error:  # the latter of a name that no file can have
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise UsageError(f"{path} cannot be written ({reason}). Write elsewhere") from None
    if taken:
        raise UsageError(f"{path} exists and cannot be overwritten. Remove it, or write elsewhere")


def write_whole(path: Path, content: str | bytes) -> None:
    """The content under this name, or what was there before, whatever happens meanwhile.

    It is written beside its place, and takes that only once it is on the disk. A link is followed, not replaced.
    """
    target = path.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    # Not by the name of the target, which may be as long as names can be.
    made = target.with_name(f".tellapart-{secrets.token_hex(8)}")
    # A new file has the rights that the system gives to new ones: to ask which these are would change them for all threads meanwhile.
    file = open(made, "xb", opener=None if mode is None else _private)  # noqa: SIM115  (closed below)
    try:
        with file:
            file.write(content if isinstance(content, bytes) else content.encode())
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            made.chmod(mode)
        made.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink()
        raise


def _private(path: str, flags: int) -> int:
    """Give a replacement the permissions of the file it replaces before others can read it."""
    return os.open(path, flags, 0o600)
