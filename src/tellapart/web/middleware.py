"""The door of the server: every request passes here once, on its way in and on its way out."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from tellapart.web import access
from tellapart.web.access import Names, Sessions
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import WebReply
from tellapart.web.problem import problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

ROUTE = "tellapart.route"
"""Where a handler says which template its address has."""
NEXT = "next"
"""The field that says where somebody wanted to go who had to log in first."""
OPEN = frozenset(("/healthz", "/login", "/static/page.css", "/static/page.js"))
"""What is shown before anybody is known."""


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
        refused = await self._refused(scope)
        try:
            await (self.app if refused is None else refused)(scope, receive, sent)
        except Exception as error:  # noqa: BLE001  (the last door: what failed is named, and nothing of what was asked)
            sys.stderr.write(f"failed: {type(error).__name__}\n")
            if not sent.status:
                await response(problem(500, "something failed here that should not have"))(
                    scope, receive, sent
                )
        finally:
            if not self.quiet:
                _log(scope, sent, time.perf_counter() - began)

    async def _refused(self, scope: Scope) -> Response | None:
        """What is said in place of an answer; None where there is one to be had."""
        heads = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        hosts = sum(name.lower() == b"host" for name, _ in scope["headers"])
        names = self.names.at(scope.get("server"))
        found = access.refusal(names, scope["method"], heads) if hosts == 1 else (400, "wanted one Host")
        if found is not None:
            return response(problem(*found))
        if len(scope["query_string"]) > self.limits.most_query:
            return response(
                problem(
                    414,
                    f"the address has more than {self.limits.most_query:,} bytes behind its question mark",
                )
            )
        if self.sessions is None or scope["path"] in OPEN:
            return None
        return await self._unknown(heads, scope, self.sessions)

    async def _unknown(self, heads: access.Heads, scope: Scope, sessions: Sessions) -> Response | None:
        token, name = access.bearer(heads), access.session(heads)
        if (name is not None and sessions.knows(name)) or (token is not None and sessions.knows_token(token)):
            return None
        if token is not None:
            await asyncio.sleep(access.SLOWED)
        if not scope["path"].startswith("/api/") and "text/html" in heads.get("accept", ""):
            return RedirectResponse(self._login(scope), 303)
        said = "this server wants its token: send it as Authorization: Bearer …, or log in at /login"
        return response(problem(401, said), {"www-authenticate": "Bearer"})

    def _login(self, scope: Scope) -> str:
        """Where to log in; whoever followed a link is led on to it afterwards."""
        query = scope["query_string"].decode("latin-1")
        onward = urlencode({NEXT: f"{scope['path']}?{query}" if query else scope["path"]})
        followed = scope["method"] == "GET" and len(onward) <= self.limits.most_query
        return f"/login?{onward}" if followed else "/login"


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


def _log(scope: Scope, sent: _Sent, seconds: float) -> None:
    """The template of the route, never the address: that holds what somebody asks."""
    route = scope.get(ROUTE, "-")
    sys.stderr.write(
        f"{scope['method'] if scope['method'] in _METHODS else '-'} {route} {sent.status} {sent.bytes} B {1000 * seconds:.0f} ms\n"
    )


_METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"))
