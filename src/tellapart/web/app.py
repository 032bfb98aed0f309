"""Routes of the server: each turns a request into a job, passes it to the worker pool and sends the reply."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from tellapart import __version__
from tellapart.web.access import Sessions, from_elsewhere
from tellapart.web.home_page import HOME
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import MEDIA, Job, WebReply, problem
from tellapart.web.middleware import CLIENT, ROUTE, BodyMemory, NoRoom, response
from tellapart.web.openapi import API, openapi_document
from tellapart.web.pool import Full, Pools
from tellapart.web.process import Died, TooLarge, TooSlow
from tellapart.web.record_pages import MEASURED
from tellapart.web.served_verbs import offers
from tellapart.web.static_pages import front, refusal_page

RETRY_SECONDS = 2
"""What a refusal for want of room asks a program to wait."""
MOMENT = 0.05
"""Seconds after which it is listened whether anybody is still there."""
TOO_MUCH = frozenset((TooSlow.__name__, TooLarge.__name__))
GONE = 499
"""What the log says where nobody is left to be answered."""

Handler = Callable[[Request], Awaitable[Response]]


class Gone(Exception):
    """Whoever asked has left."""


def application(limits: ServeLimits, sessions: Sessions | None = None) -> FastAPI:
    """All that can be asked; who may ask is the door's business."""
    pools = Pools(limits)

    @asynccontextmanager
    async def alive(_: FastAPI) -> AsyncIterator[None]:
        await pools.start()
        try:
            yield
        finally:
            await pools.close()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=alive, redirect_slashes=False)
    app.state.pools = pools
    asking = Asking(pools, limits)
    for verb, offer in offers().items():
        add(app, f"{API}/{offer.path}", asking.api(verb), ["POST"] if offer.options else ["GET"])
        taking_files = ["GET", "POST"] if offer.files and verb != "plan" else ["GET"]
        add(app, f"/{offer.path}", asking.page(verb), taking_files)
    for name in MEASURED:
        add(app, f"/{name}", asking.page(name), ["GET"])
    add(app, "/", asking.page(HOME), ["GET"])
    add(app, "/plan/pilot", asking.page("plan"), ["POST"])
    for path, handler, methods in front(sessions):
        add(app, path, handler, methods)
    add(app, f"{API}/openapi.json", _described, ["GET"])
    add(app, "/healthz", _healthy, ["GET"])
    app.add_exception_handler(HTTPException, _refused)
    return app


def add(app: FastAPI, path: str, handler: Handler, methods: list[str]) -> None:
    async def routed(request: Request) -> Response:
        request.scope[ROUTE] = path
        return await handler(request)

    app.add_route(path, routed, methods=methods)


class Asking:
    """Hands questions to the pool."""

    def __init__(self, pools: Pools, limits: ServeLimits) -> None:
        self._pools, self._limits = pools, limits
        self._memory = BodyMemory(limits.most_bodies)

    def api(self, verb: str) -> Handler:
        async def handler(request: Request, body: bytes) -> Response:
            kind = request.headers.get("content-type", "")
            made = Job(verb, "json", content_type=kind, body=body)
            found = await self.answer(request, made)
            return await self._given_up(request, made, found) or found

        return self._with_body(handler, response)

    def page(self, verb: str) -> Handler:
        """A page; what goes wrong on the way is said on a page too."""

        async def handler(request: Request, body: bytes) -> Response:
            form = "part" if "part" in request.query_params else "page"
            query = request.scope["query_string"].decode("latin-1")
            kind = request.headers.get("content-type", "")
            made = Job(verb, form, query, kind, body, simulate=not from_elsewhere(request.headers))
            found = await self.answer(request, made, replace(made, hurried=True))
            return found if found.media_type != MEDIA else await self._refused(request, made, found)

        return self._with_body(handler, refusal_page)

    async def _refused(self, request: Request, made: Job, found: Response) -> Response:
        """Why there is no answer, above the form as it was filled in where somebody is free to make it."""
        again = await self._given_up(request, made, found)
        return again or refusal_page(found, part=made.form == "part")

    async def _given_up(self, request: Request, made: Job, found: Response) -> Response | None:
        """Of a question that takes too much here: the same refusal with how to ask it elsewhere, made by who can read it."""
        if found.status_code != HTTPStatus.UNPROCESSABLE_ENTITY:
            return None
        said = json.loads(bytes(found.body))
        if said.get("error") not in TOO_MUCH:
            return None
        told = replace(made, refused=said["detail"], refused_with=found.status_code, refused_as=said["error"])
        again = await self.answer(request, told)
        return again if again.status_code == found.status_code else None

    def _with_body(
        self, handler: Callable[[Request, bytes], Awaitable[Response]], refusal: Callable[[WebReply], Response]
    ) -> Handler:
        """A handler that is given the body; whoever left is answered by nothing, whoever sends too much by a refusal."""

        async def read(request: Request) -> Response:
            with self._memory.holding(request.scope[CLIENT]) as hold:
                try:
                    body = await self.body(request, hold)
                except ClientDisconnect:
                    return Response(status_code=GONE)
                except NoRoom:
                    said = "requests under way take all the memory that this server has for them; send this one again in a moment"
                    refused = refusal(problem(503, said))
                    refused.headers["retry-after"] = str(RETRY_SECONDS)
                    return refused
                return refusal(self.too_much()) if body is None else await handler(request, body)

        return read

    async def body(self, request: Request, hold: Callable[[int], None]) -> bytes | None:
        """The body as it comes, or None as soon as it is too long."""
        most = self._limits.most_body
        said = request.headers.get("content-length", "0")
        if said.isdecimal() and int(said[:20]) > most:
            return None
        content = bytearray()
        async for piece in request.stream():
            content += piece
            if len(content) > most:
                return None
            hold(len(content))
        return bytes(content)

    def too_much(self) -> WebReply:
        return problem(413, f"a request has at most {self._limits.most_body:,} bytes here, its files included")

    async def answer(self, request: Request, job: Job, hurried: Job | None = None) -> Response:
        """The answer; if whoever asked hangs up, the work on it is stopped."""
        try:
            return response(await self._unless_gone(request, job, hurried or job))
        except Full:
            said = "everybody here is busy; ask again in a moment"
            return response(problem(503, said), {"retry-after": str(RETRY_SECONDS)})
        except TooSlow:
            most = self._limits.most_seconds
            said = f"this takes longer than {most:g} seconds, which is all that an answer gets here (--most-seconds of the server). Ask for fewer replicates, a smaller grid or a test that needs no resampling, or run it at a command line"
            return response(problem(422, said, TooSlow.__name__))
        except TooLarge:
            most = self._limits.most_memory
            said = f"this takes more than {most:,} bytes of memory, which is all that an answer gets here (--most-memory of the server). Ask about fewer items or systems, or run it at a command line"
            return response(problem(422, said, TooLarge.__name__))
        except Died:
            said = "the process that worked on this was ended before it answered; ask again, and report it if that happens twice"
            return response(problem(503, said), {"retry-after": str(RETRY_SECONDS)})
        except Gone:
            return Response(status_code=GONE)

    async def _unless_gone(self, request: Request, job: Job, hurried: Job) -> WebReply:
        async with _wanted(request):
            return await self._pools.run(job, hurried, request.scope[CLIENT])


@asynccontextmanager
async def _wanted(request: Request) -> AsyncIterator[None]:
    """What is done here is given up when whoever asked has left. What takes no moment is done before anybody could."""
    loop = asyncio.get_running_loop()
    listening: list[asyncio.Task[None]] = []

    def listen() -> None:
        listening.append(loop.create_task(_left(request)))
        listening[0].add_done_callback(give_up)

    def give_up(left: "asyncio.Task[None]") -> None:
        with suppress(RuntimeError):  # it was done in the same moment
            if not left.cancelled():
                allowed.reschedule(loop.time())

    later = loop.call_later(MOMENT, listen)
    try:
        async with asyncio.timeout(None) as allowed:
            yield
    except TimeoutError:
        raise Gone from None
    finally:
        later.cancel()
        for one in listening:
            one.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _described(_: Request) -> Response:
    return JSONResponse(openapi_document())


async def _healthy(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def _refused(_: Request, error: Any) -> Response:
    said = {404: "there is nothing at this address", 405: "this address is asked in another way"}
    return response(problem(error.status_code, said.get(error.status_code, str(error.detail))))
