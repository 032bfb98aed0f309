"""Handling of one job in a worker process: parse the request, run the command, build the reply."""

from functools import lru_cache

import click

from tellapart.answers.drawing.files import warm
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import TellapartError
from tellapart.render import render
from tellapart.web.command import answer_of, elsewhere, message_of
from tellapart.web.home_page import HOME, home
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job, Refused, WebReply, problem, status_of
from tellapart.web.pages import page
from tellapart.web.record_pages import MEASURED, measured
from tellapart.web.request_body import JSON, PARTS, QUESTION, body_of
from tellapart.web.request_parsing import asked
from tellapart.web.served_verbs import offers


def answered(job: Job, limits: ServeLimits) -> WebReply:
    """The answer, or what is wrong with the question; never an error of Python's."""
    try:
        first = job.form == "page" and not job.query and not job.content_type and not job.refused
        return _first_page(job.verb, limits) if first else _reply(job, limits)
    except click.ClickException as error:
        return problem(400, message_of(error), "UsageError")
    except TellapartError as error:
        return problem(status_of(error), message_of(error), type(error).__name__)
    except Exception as error:  # noqa: BLE001  (the last door of a worker)
        return problem(status_of(error), message_of(error))


@lru_cache
def _first_page(verb: str, limits: ServeLimits) -> WebReply:
    """The page of an address without a question, made once."""
    return _reply(Job(verb, "page"), limits)


def _reply(job: Job, limits: ServeLimits) -> WebReply:
    if job.verb in MEASURED:
        return measured(job)
    if job.verb == HOME:
        return home(job, limits)
    return _api(job, limits) if job.form == "json" else page(job, limits)


def _api(job: Job, limits: ServeLimits) -> WebReply:
    """The bytes that `--format json` prints."""
    body = body_of(job.content_type, job.body, limits)
    if body.fields:
        raise Refused(415, f"found the fields of a form; wanted {JSON}, or {PARTS} with the question as {QUESTION!r}")
    question = asked(offers()[job.verb], body.question or {}, body.files, limits)
    if job.refused:
        return problem(job.refused_with, elsewhere(job.refused, question), job.refused_as)
    text = render(add_text(answer_of(question, limits), "command line"), "json")
    return WebReply(200, "application/json", text.encode())


def warmed() -> None:
    """What takes a moment the first time is done before anybody waits for it: a page with its charts, and a table that is read."""
    warm()
    limits = ServeLimits()
    for job in (
        *(Job(verb, "page") for verb in FIRST_VISITED),
        Job("compare", "json", content_type=f"{PARTS}; boundary=x", body=_TABLE),
    ):
        assert answered(job, limits).status == 200, "a worker that cannot answer is none"


FIRST_VISITED = (HOME, "plan")
_TABLE = b"\r\n".join(
    (
        b"--x",
        b'Content-Disposition: form-data; name="files"; filename="t.csv"',
        b"",
        b"item,a,b\n" + b"".join(b"q%d,%d,%d\n" % (n, n % 2, n % 3 == 0) for n in range(30)),
        b"--x--",
        b"",
    )
)
