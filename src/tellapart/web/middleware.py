"""ASGI middleware of the server: access checks, body memory limits, response headers and the access log."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from tellapart.web import access
from tellapart.web.access import Names, Sessions
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import WebReply, problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

ROUTE = "tellapart.route"
"""Where a handler says which template its address has."""
CLIENT = "tellapart.client"
"""Where the application finds who asks: a session, else an address. Clients take turns."""
LONGEST_HEAD = 32_768
"""Bytes of a request before its body: those of browsers are far shorter, and one without end is an attack."""
NEXT = "next"
"""The field that says where somebody wanted to go who had to log in first."""
OPEN = frozenset(("/healthz", "/login"))
"""What is shown before anybody is known, beside style sheets and scripts."""
STATIC = "/static/"


def response(reply: WebReply, extra: dict[str, str] | None = None) -> Response:
    heads = dict(extra or {})
    if reply.download is not None:
        heads["content-disposition"] = f'attachment; filename="{reply.download}"'
    return Response(reply.body, reply.status, heads, media_type=reply.content_type)


@dataclass
class Door:
    """Asks who it is, lets the application answer, puts the headers on, and writes one line that names nobody."""

    app: Callable[[Scope, Receive, Send], Awaitable[None]]
    names: Names
    limits: ServeLimits
    sessions: Sessions | None = None
    quiet: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        began, sent = time.perf_counter(), _Sent(send)
        scope[CLIENT] = self._client(scope)
        refused = await self._refused(scope)
        try:
            await (self.app if refused is None else refused)(scope, receive, sent)
        except Exception as error:  # noqa: BLE001  (the last door: what failed is named, and nothing of what was asked)
            sys.stderr.write(f"failed: {type(error).__name__}\n")
            if not sent.status:
                await response(problem(500, "something failed here that should not have"))(scope, receive, sent)
        finally:
            if not self.quiet:
                _log_request(scope, sent, time.perf_counter() - began)

    def _client(self, scope: Scope) -> str:
        """The session of a browser that logged in; of others the address, which those behind one proxy share."""
        cookie = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"), "")
        name = access.session({"cookie": cookie})
        if self.sessions is not None and name is not None and self.sessions.knows(name):
            return name
        return str((scope.get("client") or ("",))[0])

    async def _refused(self, scope: Scope) -> Response | None:
        """What is said in place of an answer; None where there is one to be had."""
        # The protocol counts what it waits for; a head that comes in one piece is counted here.
        if sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > LONGEST_HEAD:
            return response(problem(431, f"the head of the request has more than {LONGEST_HEAD:,} bytes"))
        heads = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        hosts = sum(name.lower() == b"host" for name, _ in scope["headers"])
        names = self.names.at(scope.get("server"))
        found = access.refusal(names, scope["method"], heads) if hosts == 1 else (400, "wanted one Host")
        if found is not None:
            return response(problem(*found))
        if len(scope["query_string"]) > self.limits.most_query:
            return response(
                problem(414, f"the address has more than {self.limits.most_query:,} bytes behind its question mark")
            )
        if self.sessions is None or scope["path"] in OPEN or scope["path"].startswith(STATIC):
            return None
        return await self._unknown(heads, scope, self.sessions)

    async def _unknown(self, heads: access.Heads, scope: Scope, sessions: Sessions) -> Response | None:
        token, name = access.bearer(heads), access.session(heads)
        if (name is not None and sessions.knows(name)) or (token is not None and sessions.knows_token(token)):
            return None
        if token is not None:
            await asyncio.sleep(access.SLOWED)
        if not scope["path"].startswith("/api/") and "text/html" in heads.get("accept", ""):
            return RedirectResponse(self._login_address(scope), 303)
        said = "this server wants its token: send it as Authorization: Bearer …, or log in at /login"
        return response(problem(401, said), {"www-authenticate": "Bearer"})

    def _login_address(self, scope: Scope) -> str:
        """Where to log in; whoever followed a link is led on to it afterwards."""
        query = scope["query_string"].decode("latin-1")
        onward = urlencode({NEXT: f"{scope['path']}?{query}" if query else scope["path"]})
        followed = scope["method"] == "GET" and len(onward) <= self.limits.most_query
        return f"/login?{onward}" if followed else "/login"


class NoRoom(Exception):
    """Requests under way hold all the memory that is set aside for them."""


FREE = 1_000_000
"""Bytes of each request that are not counted: connections are, so that small questions always have room."""


@dataclass
class BodyMemory:
    """Counts the bytes of all requests under way, from their first byte until their answer."""

    most: int
    _held: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def holding(self, client: str) -> Iterator[Callable[[int], None]]:
        """A function that is told how long the body of one request is by now; raises `NoRoom`."""
        counted = 0

        def hold(length: int) -> None:
            nonlocal counted
            more = max(0, length - FREE) - counted
            if self._held.total() + more > self.most or self._held[client] + more > self.most / 2:
                raise NoRoom
            self._held[client] += more
            counted += more

        try:
            yield hold
        finally:
            self._held[client] -= counted
            if not self._held[client]:
                del self._held[client]


class _Sent:
    """Counts what goes out, and puts the headers on that every answer has."""

    def __init__(self, send: Send) -> None:
        self._send, self.status, self.bytes = send, 0, 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = {name.lower() for name, _ in message.get("headers", ())}
            more = [(n.encode(), v.encode()) for n, v in access.HEADERS if n.encode() not in own]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        elif message["type"] == "http.response.body":
            self.bytes += len(message.get("body", b""))
        await self._send(message)


def _log_request(scope: Scope, sent: _Sent, seconds: float) -> None:
    """The template of the route, never the address: that holds what somebody asks."""
    route = scope.get(ROUTE, "-")
    sys.stderr.write(
        f"{scope['method'] if scope['method'] in _METHODS else '-'} {route} {sent.status} {sent.bytes} B {1000 * seconds:.0f} ms\n"
    )


_METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"))
