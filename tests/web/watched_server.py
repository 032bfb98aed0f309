"""`tellapart serve` with an ear on it: what the server itself opens, reaches for or runs once it is up is said on stderr."""

import os
import re
import sys
from typing import Any

from tellapart.cli import main
from tellapart.web import server
from tellapart.web.worker import installation

PARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.getaddrinfo")


def listen() -> None:
    allowed = installation()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        strange = event in PARTS
        if event == "socket.connect":
            strange = isinstance(arguments[1], tuple)  # an address of a network; processes of ours have a path
        if event == "open" and not isinstance(arguments[0], int):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            # The last is the folder of multiprocessing's own socket, made at the start and removed at the end.
            strange = not path.startswith(allowed) and not re.fullmatch(
                r"/proc/\d+/(stat|statm)|/dev/null|/dev/urandom|.*/pymp-\w+", path
            )
        if strange:
            os.write(2, f"trespass: the server tried {event} {arguments!r}\n".encode())

    sys.addaudithook(hook)


if __name__ == "__main__":
    usual = server.Server.startup

    async def startup(self: Any, sockets: Any = None) -> None:
        await usual(self, sockets)
        listen()

    server.Server.startup = startup  # type: ignore[method-assign]
    main()
