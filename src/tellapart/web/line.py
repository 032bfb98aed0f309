"""The line between the server and a worker: pieces of bytes, each with its kind and its length before it."""

import asyncio
import socket
import struct

JOB, READY, REPLY = b"J", b"R", b"A"
_HEAD = struct.Struct("!cQ")


def piece(kind: bytes, content: bytes = b"") -> bytes:
    return _HEAD.pack(kind, len(content)) + content


class WorkerLine:
    """The end of a worker, which does one thing at a time and waits for it."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._coming = end, end.makefile("rb")

    def say(self, kind: bytes, content: bytes = b"") -> None:
        self._end.sendall(piece(kind, content))

    def hear(self) -> bytes:
        """The next piece, of whichever kind; an EOFError where the server has hung up."""
        _, length = _HEAD.unpack(self._exactly(_HEAD.size))
        return self._exactly(length)

    def _exactly(self, length: int) -> bytes:
        content = self._coming.read(length)
        if len(content) < length:
            raise EOFError
        return content


async def heard(coming: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """The next piece at the server's end, and its kind."""
    kind, length = _HEAD.unpack(await coming.readexactly(_HEAD.size))
    return kind, await coming.readexactly(length) if length else b""
