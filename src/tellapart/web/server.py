"""Start and shutdown of the server: listening address, host names, token and signals."""

import asyncio
import os
import re
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tellapart.foundation.errors import UsageError
from tellapart.web.access import Names, Sessions, is_loopback
from tellapart.web.app import application
from tellapart.web.limits import ServeLimits
from tellapart.web.middleware import LONGEST_HEAD, Door

# Connections that say nothing, or say it too slowly, are closed; so are those beyond what the server holds.

BYTES_PER_SECOND = 64_000
"""Least bytes of a request per second, once the usual seconds are used up; no silence may be longer than those."""


class Patient(H11Protocol):
    """The protocol of uvicorn with a clock in it."""

    limits: ClassVar[ServeLimits]
    open_now: ClassVar[set[asyncio.Transport]]
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._silent = self._waited = 0.0
        self._received = 0
        if len(self.open_now) >= self.limits.most_connections:
            transport.abort()
            return
        self.open_now.add(transport)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_now.discard(self.transport)
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._silent = 0.0
        self._received += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        # The next request of a connection that is kept has its own time.
        self._silent = self._waited = 0.0
        self._received = 0
        super().on_response_complete()

    def _answering(self) -> bool:
        """Whether the request is here whole, and it is we who take our time."""
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        return cycle is not None and not cycle.more_body and not cycle.response_complete

    @property
    def _pause(self) -> float:
        """Seconds between two looks."""
        return min(0.5, self.limits.silence / 4)

    def _look_later(self) -> None:
        self._watch = self.loop.call_later(self._pause, self._look)

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        # Looks are counted, not the clock: where the machine kept us waiting, nobody else was silent.
        if self._answering():
            self._silent = self._waited = 0.0
        self._silent, self._waited = self._silent + self._pause, self._waited + self._pause
        allowed = self.limits.silence + self._received / BYTES_PER_SECOND
        if self._silent > self.limits.silence or self._waited > allowed:
            self._hang_up()
            return
        self._look_later()

    def _hang_up(self) -> None:
        """Who is between two requests is told, and opens another connection for the next; who sends half a request is not waited for."""
        if self._received:
            self.transport.abort()
        else:
            self.transport.close()


def patient(limits: ServeLimits) -> type[H11Protocol]:
    """The protocol under these limits."""
    return type("Patient", (Patient,), {"limits": limits, "open_now": set()})


TOKEN_VARIABLE = "TELLAPART_TOKEN"  # noqa: S105  (the name of the variable)
SHORTEST_TOKEN, LONGEST_TOKEN = 16, 1_000
"""Characters: sixteen random ones cannot be guessed over a network, and a token of more than a thousand is another file."""
ENDING = 10
"""Seconds in which what runs may finish once the server is told to end."""


@dataclass(frozen=True)
class Place:
    """Where to listen, and who may come."""

    host: str = "127.0.0.1"
    port: int = 8321
    public_url: str | None = None
    token: str | None = None

    def __post_init__(self) -> None:
        if self.token is None and not (is_loopback(self.host) and self.public_url is None):
            raise UsageError(
                f"a server that others can reach ({self.host}) wants a token: --token-file FILE, or {TOKEN_VARIABLE} in the environment"
            )
        if self.token is None:
            return
        if len(self.token) < SHORTEST_TOKEN:
            raise UsageError(
                f"the token has {len(self.token)} characters; wanted at least {SHORTEST_TOKEN}, chosen at random"
            )
        if re.fullmatch(r"[!-~]+", self.token) is None:
            raise UsageError(
                "the token has blanks or characters that no header can hold; wanted letters, digits and signs of ASCII on one line"
            )


def token_of(file: str | None) -> str | None:
    """The token from its file, or from the environment; never from the command line, where others could read it."""
    if file is None:
        return os.environ.get(TOKEN_VARIABLE, "").strip() or None
    try:
        with Path(file).open("rb") as content:
            text = content.read(LONGEST_TOKEN + 1).decode()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"--token-file {file} cannot be read ({why}); wanted a file with the token alone") from None
    if not text.strip() or len(text) > LONGEST_TOKEN:
        found = "is empty" if not text.strip() else f"has more than {LONGEST_TOKEN:,} characters"
        raise UsageError(f"--token-file {file} {found}; wanted a file with the token alone")
    return text.strip()


class Server(uvicorn.Server):
    """Ends with 0 when it is told to; a second signal ends it at once."""

    ready: Callable[[], None] | None = None

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        signal.set_wakeup_fd(-1)  # whoever listened before would end us for taking our time
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._told)
        yield

    def _told(self, _number: int, _frame: FrameType | None) -> None:
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.ready is not None:
            self.ready()


def serve(place: Place, limits: ServeLimits, ready: Callable[[], None] | None = None) -> int:
    """Until a signal says that it is enough; the exit code."""
    sessions = None if place.token is None else Sessions(place.token, (place.public_url or "").startswith("https://"))
    names = Names.of(place.host, place.port, place.public_url)
    config = uvicorn.Config(
        Door(application(limits, sessions), names, limits, sessions),
        host=place.host,
        port=place.port,
        http=patient(limits),
        ws="none",
        loop="asyncio",
        log_config=None,
        log_level="critical",  # one line per request is written at the door
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=ENDING,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        limit_concurrency=None,
        backlog=256,
    )
    server = Server(config)
    server.ready = ready
    try:
        server.run()
    except SystemExit:
        raise UsageError(
            f"port {place.port} of {place.host} cannot be listened on; is it taken? Choose another with --port"
        ) from None
    return 0
