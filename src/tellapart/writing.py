"""Files that are written whole or not at all: nobody ever finds half of one, or half of one over a good one."""

import contextlib
import os
import tempfile
from pathlib import Path

from tellapart.errors import UsageError


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
        raise UsageError(f"{path} is there and cannot be written over. Remove it, or write elsewhere")


def write_whole(path: Path, content: str | bytes) -> None:
    """The content under this name, or what was there before, whatever happens meanwhile.

    It is written beside its place, and takes that only once it is on the disk. A link is followed, not replaced.
    """
    target = path.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    made, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with open(made, "wb") as file:  # noqa: PTH123  (a number, not a path)
            file.write(content if isinstance(content, bytes) else content.encode())
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    """What new files are not allowed; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
