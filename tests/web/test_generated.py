"""Requests drawn from the OpenAPI document, and what some of them say at a command line."""

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.exhaustive import of_all
from tests.web.conftest import Running
from tests.web.generated import EXAMPLES, Request, played, requests

from tellapart.cli import main

SEED, COUNT, COMPARED = 17, of_all(150, 500), of_all(25, 50)


def test_no_request_breaks_anything_and_what_can_be_answered_is(server: Running) -> None:
    score = played(server.address, list(requests(SEED, COUNT)))
    assert score.complaints == []
    assert sum(score.statuses.values()) == COUNT
    assert score.share(200, answerable=True) >= 0.95
    assert score.share(503) <= 0.01
    refused = score.share(400, 413, 415, 422, answerable=False)
    assert refused > 0.3, "broken ones are among them"


@contextlib.contextmanager
def within(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def typed(request: Request) -> str:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with within(EXAMPLES), contextlib.redirect_stdout(out), pytest.raises(SystemExit) as left:
        main(request.typed())
    assert left.value.code in {0, None}, request
    return out.buffer.getvalue().decode()


def test_answers_are_the_command_lines(client: httpx.Client) -> None:
    some = [one for one in requests(SEED, 300) if one.answerable]
    verbs = sorted({one.verb for one in some})
    assert len(verbs) == 8
    made = [one for verb in verbs for one in [each for each in some if each.verb == verb][: COMPARED // 8 + 1]]
    for request in made:
        answer = request.sent(client)
        assert answer.status_code == 200, answer.text
        assert answer.text == typed(request), request
