"""The home page: sentences that are answered on arrival, and examples behind links."""

import html
import re

import pytest

from tellapart.web.examples import EXAMPLES
from tellapart.web.explorer import START, started
from tellapart.web.job_handler import answered
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job

LIMITS = ServeLimits()


def page(verb: str, query: str = "") -> tuple[int, str]:
    reply = answered(Job(verb, "page", query), LIMITS)
    return reply.status, html.unescape(reply.body.decode())


def outcome(text: str, name: str) -> str:
    found: list[str] = re.findall(rf'id="{name}"[^>]*>(.*?)</span>', text, re.DOTALL)
    return found[0]


def test_the_sentences_are_answered_on_arrival() -> None:
    """70 % and +2 points is 3,813 items, as the command line says; both lead to their pages."""
    status, text = page("home")
    assert status == 200
    needed, supported = outcome(text, "needed"), outcome(text, "supported")
    assert "3,813 items" in needed
    assert "unlikely to be significant" in supported
    for said in (needed, supported):
        verb, query = re.findall(r'href="/(\w+)\?([^"]+)"', said)[0]
        assert page(verb, query)[0] == 200


@pytest.mark.parametrize("right", ["70", "70 %", "70%", "0.7"])
def test_percentages_and_fractions_are_one(right: str) -> None:
    assert "3,813 items" in outcome(page("home", f"right={right.replace('%', '%25')}&gain=2")[1], "needed")


@pytest.mark.parametrize(
    ("query", "wanted"), [("right=x", "is no number"), ("right=99&gain=2", "effect"), ("gain=nan", "is no number")]
)
def test_impossible_numbers_are_refused_beside_their_sentence(query: str, wanted: str) -> None:
    status, text = page("home", query)
    assert status == 200
    assert wanted in outcome(text, "needed")
    assert "unlikely" in outcome(text, "supported")
    assert "--" not in outcome(text, "needed")


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_answered_behind_its_link(name: str) -> None:
    """Its downloads too: an example needs no upload."""
    status, text = page(EXAMPLES[name].verb, f"example={name}")
    assert status == 200
    assert 'id="headline"' in text
    link = re.findall(r'id="link" href="/\w+\?([^"]+)"', text)[0]
    assert answered(Job(EXAMPLES[name].verb, "page", f"{link}&download=json"), LIMITS).body.startswith(b"{")


def test_an_unknown_example_is_refused() -> None:
    status, text = page("compare", "example=/etc/passwd")
    assert status == 400
    assert "no example is called" in text


@pytest.mark.parametrize("kind", START)
def test_every_kind_of_plan_starts_answered(kind: str) -> None:
    """Or, where it is simulated, with a first look."""
    reply = answered(Job("plan", "page", f"kind={kind}", hurried=True), LIMITS)
    text = reply.body.decode()
    assert reply.status == 200, re.findall(r'class="refusal"[^>]*>(.*?)</p>', text)
    assert 'id="headline"' in text


def test_what_is_solved_for_is_set_aside() -> None:
    said = {
        "solve": ("power",),
        "effect": ("0.05",),
        "power": ("0.9",),
        "known": ("agreement",),
        "discordance": ("0.2",),
    }
    assert started("paired_binary", said) == {"effect": ("0.05",), "items": ("1000",), "agreement": ("0.8",)}
    assert started("gaussian", {"sd": ("1",)}) == {"sd": ("1",)}
