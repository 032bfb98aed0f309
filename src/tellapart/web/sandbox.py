"""The last wall around a worker: whatever the code above says, Python opens no file of the host, no address and no program.

An audit hook cannot be taken away again. What was installed may still be read, because modules are imported when they are needed.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import tellapart

_OPENING = frozenset(("open", "os.listdir", "os.scandir"))
_REFUSED = (
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "os.startfile",
    "pty.spawn",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "shutil.copyfile",
    "shutil.move",
    "shutil.rmtree",
    "tempfile.mkstemp",
    "tempfile.mkdtemp",
    "urllib.Request",
    "glob.glob",
)


class Trespass(PermissionError):
    """A worker wanted something that no question needs."""


def installation() -> tuple[str, ...]:
    """Where modules lie: Python's own, those that were installed, and ours; the working directory of the server is none of them."""
    paths = [
        *sysconfig.get_paths().values(),
        sys.prefix,
        sys.base_prefix,
        str(Path(tellapart.__file__).parent),
        *sys.path,
    ]
    return tuple(sorted({os.path.realpath(path) + os.sep for path in paths if path}))


def enclose() -> None:
    """From now on and until this process ends."""
    allowed = installation()
    refused = frozenset(_REFUSED)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in refused or (event in _OPENING and _is_elsewhere(arguments, allowed)):
            # By number: a line of the log, whatever became of the streams; what was wanted is in the question, and not said.
            os.write(2, f"trespass: a worker tried {event}\n".encode())
            raise Trespass(f"a worker does not {event}")

    sys.addaudithook(hook)


def _is_elsewhere(arguments: tuple[Any, ...], allowed: tuple[str, ...]) -> bool:
    """Whether a file is written, or read that was not installed."""
    path, mode, flags = (*arguments, None, None)[:3]
    if isinstance(path, int) or path is None:
        return False
    written = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
    if written or (isinstance(mode, str) and not set(mode) <= set("rbt")):
        return True
    place = os.path.realpath(os.fsdecode(path))
    return not f"{place}{os.sep}".startswith(allowed) and place not in _HARMLESS


_HARMLESS = frozenset(("/dev/null", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"))
