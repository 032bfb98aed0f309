"""Messages between server and workers as bytes; the server never unpickles what an exposed worker sends."""

import asyncio
import json
import socket
import struct
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from tellapart.foundation.errors import DataError, TellapartError, UsageError

# The line between the server and a worker: pieces of bytes, each with its kind and its length before it.

JOB, READY, REPLY, LONG = b"J", b"R", b"A", b"L"
"""Kinds of pieces; the last is a worker's that sees that its answer will take longer than it has."""
_HEAD = struct.Struct("!cQ")


def opening(kind: bytes, length: int) -> bytes:
    """The header of a piece of this length."""
    return _HEAD.pack(kind, length)


class WorkerLine:
    """The end of a worker, which does one thing at a time and waits for it."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._coming = end, end.makefile("rb")

    def say(self, kind: bytes, content: bytes = b"") -> None:
        self._end.sendall(opening(kind, len(content)) + content)

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


SEPARATOR = b"\n"
"""Between the head, which is one line of JSON, and the body."""


@dataclass(frozen=True)
class Job:
    """One request: what is asked of which verb, in which form the answer goes back, and the body as it came."""

    verb: str
    form: str
    """`json` for the API; a page names its own."""
    query: str = ""
    content_type: str = ""
    body: bytes = field(default=b"", repr=False)
    simulate: bool = True
    """Whether more than formulas and exact sums may be asked for: no page of somebody else's may make us simulate."""
    hurried: bool = False
    """Whether a first look is enough, where simulating takes long."""
    refused: str = ""
    """Why there is no answer, where that is known and what is wanted is the page with its form, or how to ask elsewhere."""
    refused_with: int = 200
    refused_as: str = ""
    """The name of the error, as programs read it."""

    @property
    def head(self) -> bytes:
        """All but the body, which is large and not copied."""
        return _packed(self, b"")

    @classmethod
    def from_bytes(cls, data: bytes) -> "Job":
        head, body = _unpacked(data)
        return cls(**head, body=body)


@dataclass(frozen=True)
class WebReply:
    """An answer on its way out."""

    status: int
    content_type: str
    body: bytes = field(repr=False)
    download: str | None = None
    """The name under which a browser keeps it, where it is to be kept and not shown."""

    def to_bytes(self) -> bytes:
        return _packed(self, self.body)

    @classmethod
    def from_bytes(cls, data: bytes) -> "WebReply":
        head, body = _unpacked(data)
        return cls(**head, body=body)


def _packed(one: Job | WebReply, body: bytes) -> bytes:
    head = {name: value for name, value in vars(one).items() if name != "body"}
    return json.dumps(head).encode() + SEPARATOR + body


def _unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    head, _, body = data.partition(SEPARATOR)
    return json.loads(head), body


# What went wrong, as programs read it (RFC 9457) and in the words of the command line.

MEDIA = "application/problem+json"


class Refused(TellapartError):
    """A request that is no question yet; it says with which status it is refused."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def problem(status: int, detail: str, kind: str = "") -> WebReply:
    """A problem without an address of its own: its kind is the error's name, as the command line prints it."""
    said = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    body = json.dumps(said | ({"error": kind} if kind else {}), ensure_ascii=False, indent=2)
    return WebReply(status, MEDIA, f"{body}\n".encode("utf-8", "backslashreplace"))


def status_of(error: Exception) -> int:
    """A question that cannot be asked this way is a bad request; data that cannot be used are unprocessable."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, UsageError):
        return HTTPStatus.BAD_REQUEST
    if isinstance(error, DataError | MemoryError):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.INTERNAL_SERVER_ERROR
