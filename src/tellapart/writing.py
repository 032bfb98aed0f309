"""Files that are written whole or not at all: nobody ever finds half of one, or half of one over a good one."""

import contextlib
import os
import secrets
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
    """What takes the place of a file is for nobody else to read before it has that one's rights."""
    return os.open(path, flags, 0o600)
