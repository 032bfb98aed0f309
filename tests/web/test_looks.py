"""A plan that takes long is looked at first; what a page shows is what its command gives."""

import html
import json
import re
from typing import Any

import httpx
import pytest
from tests.web.conftest import Running

from tellapart.web.job_handler import answered
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job

BETA = "kind=beta&mean=0.6&sd=0.2&correlation=0.8&effect=0.02&items=50&test=wilcoxon"
LONG = "kind=retrieval&mean=0.3&sd=0.3&zero_share=0.2&correlation=0.7&effect=0.02&power=0.8"
LIMITS = ServeLimits()


def page(query: str, **more: Any) -> tuple[int, str]:
    reply = answered(Job("plan", "page", query, **more), LIMITS)
    return reply.status, html.unescape(reply.body.decode())


def looked(text: str) -> tuple[str, str] | None:
    found = re.search(r'data-look="(\d+)" data-next="(\w+)"', text)
    return None if found is None else (found[1], found[2])


def test_looks_lead_to_the_whole_answer() -> None:
    """From one to the next, each with the command that gives its numbers, and the link of the question as it was asked."""
    step, met = "", []
    for _ in range(5):
        status, text = page(f"{BETA}{step}", hurried=not step)
        assert status == 200
        command = re.findall(r'id="command">(.*?)</code>', text)[0]
        assert "look=" not in re.findall(r'id="link" href="([^"]+)"', text)[0]
        assert "replicates" not in re.findall(r'id="link" href="([^"]+)"', text)[0]
        found = looked(text)
        met.append((found, "--replicates" in command))
        if found is None:
            break
        assert f"--replicates {found[0]}" in command
        assert f"replicates={found[0]}&download=json" in text, "what is kept is what is seen"
        step = f"&look={found[1]}"
    assert met == [(("400", "1000"), True), (("1000", "all"), True), (None, False)]


@pytest.mark.parametrize("query", ["kind=gaussian&sd=0.12&correlation=0.8&effect=0.01&power=0.8", f"{BETA}&replicates=90", f"{BETA}&until=0.1"])  # fmt: skip
def test_what_is_not_simulated_or_says_how_much_is_answered_whole(query: str) -> None:
    text = page(query, hurried=True)[1]
    assert 'id="headline"' in text
    assert looked(text) is None
    assert page(query)[1] == text


def test_a_look_of_any_other_size_is_refused() -> None:
    for look in ("401", "x", "-1"):
        status, text = page(f"{BETA}&look={look}")
        assert status == 400
        assert "400, 1000, all" in text


def test_what_is_kept_is_never_hurried() -> None:
    """A file that is downloaded is the answer to what was asked."""
    reply = answered(Job("plan", "page", f"{BETA}&download=json", hurried=True), LIMITS)
    assert json.loads(reply.body)["rows"][0]["replicates"] == 10_000


def test_why_there_is_no_answer_is_said_above_the_form_as_it_was() -> None:
    status, text = page(LONG, refused="this takes too long", refused_with=422)
    assert status == 422
    assert "this takes too long: tellapart plan retrieval --mean 0.3" in text
    assert 'name="zero_share" value="0.2"' in text
    assert 'id="headline"' not in text


def test_a_plan_that_takes_long_is_answered_by_a_look(server: Running, client: httpx.Client) -> None:
    """All of it takes a quarter of a minute of the processor; without a script a link leads on."""
    answer = client.get(f"/plan?{LONG}")
    assert answer.status_code == 200, answer.text[-600:]
    assert looked(answer.text) == ("400", "1000")
    assert re.search(r'id="refine" href="[^"]*look=1000"', answer.text)
    assert 'name="zero_share" value="0.2"' in answer.text
