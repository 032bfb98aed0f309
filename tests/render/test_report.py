"""A page in one file: whole without a network, its numbers those of the JSON, names that are text whatever they hold."""

import itertools
import json
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote

import numpy as np
import pytest
from tests.golden.cases import ANSWERS, made

import tellapart
from tellapart.answers.leaderboard import Leaderboard
from tellapart.render import render
from tellapart.render.html import report
from tellapart.render.screen import Screen

VOID = {"meta", "link", "br", "img"}


class Page(HTMLParser):
    """What a browser would make of a page: elements with their attributes, headings, texts of cells, the text that is seen."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.seen: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.seen.append((self.open[-1], data))

    def embedded(self) -> dict[str, object]:
        link = next(found["href"] for tag, found in self.elements if tag == "a" and found.get("id") == "answer")
        assert link is not None
        told: dict[str, object] = json.loads(unquote(link.partition(",")[2]))
        return told

    def texts(self, tag: str) -> list[str]:
        return [text for where, text in self.seen if where == tag]


@pytest.mark.parametrize("case", ANSWERS)
def test_every_answer_has_a_page(case: str) -> None:
    """Every element is closed; the verdict is the heading; the JSON is the answer; nothing is to be fetched or run."""
    answer = made(case)
    text = render(answer, "html", Screen(command="tellapart verb 'a file'"))
    page = Page(text)
    assert page.open == []
    assert answer.headline in "".join(page.texts("h1"))  # type: ignore[attr-defined]  # every answer here has one
    assert page.embedded() == json.loads(answer.to_json())
    assert "tellapart verb 'a file'" in page.texts("code")
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    addresses = [found[name] for _, found in page.elements for name in ("href", "src", "xlink:href") if name in found]
    assert all(str(address).startswith("data:application/json") for address in addresses)
    assert "@import" not in text
    assert "url(http" not in text
    headings = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(there <= here + 1 for here, there in itertools.pairwise(headings))


@pytest.mark.parametrize("case", ["compare_binary"])
def test_charts_stand_in_the_page(case: str) -> None:
    """Each as one image that has a name, with its finding and the table of its numbers."""
    answer = made(case)
    page = Page(report(answer))
    images = [found for tag, found in page.elements if tag == "svg"]
    assert len(images) == len(answer.charts) > 0
    assert all(found["role"] == "img" and found["aria-label"] for found in images)
    assert len(page.texts("figcaption")) == len(images)
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))


HOSTILE = "<script>alert(1)</script>\"'&<b>x</b>"


def test_markup_in_names_is_text() -> None:
    """In headings, tables, captions, charts and the command alike."""
    scores = tellapart.Scores.from_arrays({HOSTILE: [0.1, 0.5, 0.3, 0.9, 0.2], "new": [0.2, 0.7, 0.4, 0.8, 0.3]})
    text = report(tellapart.compare(scores, HOSTILE, "new"), f"tellapart compare {HOSTILE}")
    page = Page(text)
    assert not {"script", "b"} & {tag for tag, _ in page.elements}
    assert any(HOSTILE in seen for seen in page.texts("figcaption"))
    assert any("<script>" in seen for seen in (*page.texts("text"), *page.texts("tspan")))


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has its tables, and says how to get charts."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setattr("tellapart.render.html.ready", lambda: False)
    monkeypatch.setattr("tellapart.render.html.ready", lambda: False)
    page = Page(report(made("compare_binary")))
    assert "svg" not in {tag for tag, _ in page.elements}
    assert "pip install 'tellapart[plot]'" in page.texts("code")
    assert page.texts("figcaption")


def board(systems: int) -> Leaderboard:
    rng = np.random.default_rng(systems)
    level = rng.normal(size=50)
    scores = {
        f"organisation/some-model-of-size-{i}": (level + rng.normal(size=50)).round(3).tolist() for i in range(systems)
    }
    return tellapart.rank(tellapart.Scores.from_arrays(scores), resamples=400)


def test_size() -> None:
    """Up to 60 systems a page carries every pair and stays below 1.5 MB; beyond it leaves them out, and says so."""
    whole = report(board(60))
    assert len(whole.encode()) <= 1_500_000
    assert len(list(Page(whole).embedded()["pairs"])) == 1770  # type: ignore[call-overload]  # a list of JSON
    assert "without its pairs" not in whole
    cut = report(board(61))
    assert "pairs" not in Page(cut).embedded()
    assert "without its pairs" in cut
    assert "Shown are the first 60 of 61 systems" in cut


def test_a_page_that_would_be_too_large_leaves_pairs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever makes it so: names may be long, and datasets many."""
    monkeypatch.setattr("tellapart.render.html.MOST_BYTES", 20_000)
    cut = report(made("rank_datasets"))
    told = Page(cut).embedded()
    assert "pairs" not in told
    assert all("pairs" not in one for one in told["datasets"]["within"])  # type: ignore[index]  # JSON
    assert "without its pairs" in cut
