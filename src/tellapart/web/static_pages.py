"""Pages that need no worker: style sheets, scripts, login and error pages."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from tellapart.web.access import COOKIE, SESSION_SECONDS, SLOWED, Sessions
from tellapart.web.messages import Refused, WebReply, problem
from tellapart.web.middleware import NEXT
from tellapart.web.pages import HTML, template
from tellapart.web.request_body import fields_in

STATIC_FILES = [
    *(Path(__file__).parent / "static").glob("*.[cj]s*"),
    Path(__file__).parents[1] / "render" / "tokens.css",
]
"""The style sheets and scripts of pages, and the colours that reports have too."""
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
LONGEST_LOGIN = 32_000
Handler = Callable[[Request], Awaitable[Response]]


def front(sessions: Sessions | None) -> list[tuple[str, Handler, list[str]]]:
    """Routes and who answers them; files are read once, before anybody asks."""
    files = [(f"/static/{file.name}", _fixed(file.read_bytes(), TYPES[file.suffix]), ["GET"]) for file in STATIC_FILES]
    agents_page = (resources.files("tellapart.cli") / "agents.md").read_bytes()
    files.append(("/llms.txt", _fixed(agents_page, "text/plain; charset=utf-8"), ["GET"]))
    return [*files, ("/login", _login(sessions), ["GET", "POST"])]


def _fixed(content: bytes, kind: str) -> Handler:
    async def handler(_: Request) -> Response:
        return Response(content, headers={"content-type": kind})

    return handler


def _login(sessions: Sessions | None) -> Handler:
    async def handler(request: Request) -> Response:
        if sessions is None:
            return RedirectResponse("/", 303)
        if request.method == "GET":
            return _asked(_onward(request.query_params.get(NEXT, "")), wrong=False)
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST_LOGIN:
                return refusal_page(problem(413, f"found more than {LONGEST_LOGIN:,} bytes; wanted the token"))
        try:
            said = dict(fields_in(body.decode("utf-8", "replace")))
        except Refused as error:
            return refusal_page(problem(error.status, str(error)))
        onward = _onward(said.get(NEXT, ""))
        if not sessions.knows_token(said.get("token", "").strip()):
            await asyncio.sleep(SLOWED)
            return _asked(onward, wrong=True)
        entered = RedirectResponse(onward, 303)
        entered.set_cookie(
            COOKIE, sessions.begin(), max_age=SESSION_SECONDS, httponly=True, samesite="lax", secure=sessions.secure
        )
        return entered

    return handler


def _onward(address: str) -> str:
    """An address of ours and of nobody else: browsers take two strokes, of either kind, for another server."""
    ours = re.fullmatch(r"/(?![/\\])[!-~]*", address)
    return address if ours and not address.startswith("/login") else "/"


def _asked(onward: str, *, wrong: bool) -> Response:
    page = template("login.html.j2").render(onward=onward, wrong=wrong)
    return Response(page, 401 if wrong else 200, headers={"content-type": HTML})


def refusal_page(found: WebReply | Response, *, part: bool = False) -> Response:
    """A problem as a person reads it, on a page or in the middle of one."""
    status = found.status if isinstance(found, WebReply) else found.status_code
    detail = json.loads(bytes(found.body))["detail"]
    heads = {"content-type": HTML}
    if isinstance(found, Response) and "retry-after" in found.headers:
        heads["retry-after"] = found.headers["retry-after"]
    return Response(template("refusal.html.j2").render(detail=detail, part=part), status, headers=heads)
