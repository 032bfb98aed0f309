"""Connections that say nothing, or say it too slowly, are closed; so are those beyond what the server holds."""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from tellapart.web.limits import ServeLimits

BYTES_PER_SECOND = 64_000
"""At least so many of a request arrive in a second, once the usual patience is used up."""
LONGEST_HEAD = 32_768
"""Bytes of a request before its body: those of browsers are far shorter, and one without end is an attack."""


class Patient(H11Protocol):
    """The protocol of uvicorn with a clock in it."""

    limits: ClassVar[ServeLimits]
    open_now: ClassVar[set[asyncio.Transport]]
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._silent, self._received = 0.0, 0
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
        self._received += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        # The next request of a connection that is kept has its own time.
        self._silent, self._received = 0.0, 0
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
        self._silent = 0.0 if self._answering() else self._silent + self._pause
        if self._silent > self.limits.silence + self._received / BYTES_PER_SECOND:
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
