"""Reports as a browser shows them from disk, with the network off."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from tests.golden.cases import made

from tellapart import Scores, compare, rank
from tellapart.answers.answer import Answer
from tellapart.render.html import report

CASES = (
    "compare_binary", "compare_continuous", "compare_datasets", "compare_groups", "compare_ratings", "compare_votes", "gate",
    "plan_items", "plan_grid", "rank", "rank_baseline", "rank_datasets", "agreement_judge", "audit_table", "evidence",
    "evidence_fit", "reproduce",
)  # fmt: skip
HOSTILE = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">&amp;\"'"
LONG = "meta-llama/Llama-3.1-405B-Instruct-Turbo-long-context-window-of-128k-tokens-v"

Opening = Callable[..., Any]


@cache
def page_of(case: str) -> str:
    return report(made(case), "tellapart compare 'a file.csv'")


def board(systems: int, items: int = 60, name: str = "system {}") -> Answer:
    rng = np.random.default_rng(systems)
    level = rng.normal(size=items)
    scores = {
        name.format(i): np.round(level + rng.normal(size=items) + i / systems, 3).tolist() for i in range(systems)
    }
    return rank(Scores.from_arrays(scores))


@pytest.mark.parametrize("case", CASES)
def test_whole_quiet_and_accessible(case: str, opened: Opening) -> None:
    """No request but for the file, no message, every chart with a size, and no violation of WCAG A or AA by day and by night."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415  (only where there is a browser)

    for scheme in ("light", "dark"):
        found = opened(page_of(case), scheme=scheme)
        for details in found.page.query_selector_all("summary"):
            details.click()
        result = Axe().run(found.page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
        assert result.violations_count == 0, result.generate_report()
        assert len(found.requests) == 1
        assert found.complaints == []
        for picture in found.page.query_selector_all(".picture svg"):
            box = picture.bounding_box()
            assert box["width"] > 100
            assert box["height"] > 30


OVERLAPS = """svg => {
  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()])
    .filter(([_, b]) => b.width > 0);
  const found = [];
  boxes.forEach(([said, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (w > 1.5 && h > 0.25 * Math.min(a.height, b.height)) found.push(said + ' | ' + other);
  }));
  return found;
}"""
OUTSIDE = """svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(t => { const b = t.getBoundingClientRect();
    return b.left < frame.left - 3 || b.right > frame.right + 3 || b.top < frame.top - 3 || b.bottom > frame.bottom + 3; })
    .map(t => t.textContent);
}"""


@pytest.mark.parametrize("width", [360, 900, 1200])
def test_words_are_as_large_in_each_picture(width: int, opened: Opening) -> None:
    """A small matrix is not blown up to the width of a page beside charts that fill it."""
    pictures = opened(page_of("rank"), width=width).page.query_selector_all(".picture svg")
    enlarged = [
        one.evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width") for one in pictures
    ]
    assert len(enlarged) == 4
    assert max(enlarged) < 1.6 * min(enlarged)


@pytest.mark.parametrize("case", CASES)
def test_no_words_overlap_or_are_cut(case: str, opened: Opening) -> None:
    found = opened(page_of(case))
    for picture in found.page.query_selector_all(".picture svg"):
        assert picture.evaluate(OVERLAPS) == []
        assert picture.evaluate(OUTSIDE) == []


SMALLEST = """() => Math.min(...[...document.querySelectorAll('main *')]
  .filter(one => [...one.childNodes].some(child => child.nodeType === 3 && child.textContent.trim()))
  .map(one => {
    const drawn = one.getScreenCTM ? one.getScreenCTM() : null, scale = drawn ? Math.hypot(drawn.a, drawn.b) : 1;
    return scale ? scale * parseFloat(getComputedStyle(one).fontSize) : Infinity;
  }))"""


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_too_small_to_read(case: str, opened: Opening) -> None:
    """On a phone no letter is below 10 pixels, on paper none below 7 points."""
    found = opened(page_of(case), width=360)
    assert found.page.evaluate(SMALLEST) >= 10.0
    paper = opened(page_of(case), width=round(PAPER[0] * 96 / 25.4))
    paper.page.emulate_media(media="print")
    assert paper.page.evaluate(SMALLEST) >= 7.0 * 96 / 72 - 0.01


@pytest.mark.parametrize(
    ("systems", "name"), [(3, LONG + "{}"), (14, LONG + "{}"), (44, "model {}"), (44, LONG + "{}")]
)
def test_names_of_many_systems(systems: int, name: str, opened: Opening) -> None:
    """Long ones and many: whole, and apart from each other."""
    found = opened(report(board(systems, name=name)))
    for details in found.page.query_selector_all("summary"):
        details.click()
    pictures = found.page.query_selector_all(".picture svg")
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.evaluate(OVERLAPS) == []
        assert picture.evaluate(OUTSIDE) == []
    first = pictures[0].evaluate("svg => svg.textContent").replace("\n", "")
    assert all(name.format(i) in first for i in range(systems))


def test_markup_in_names_is_text(opened: Opening) -> None:
    """Nothing of it is run or fetched; it can be read in the heading and in a chart."""
    scores = {HOSTILE: [0.1, 0.5, 0.3, 0.9, 0.2, 0.4], "new": [0.2, 0.7, 0.4, 0.8, 0.3, 0.6]}
    found = opened(report(compare(Scores.from_arrays(scores), HOSTILE, "new"), f"tellapart compare {HOSTILE}"))
    assert found.page.title() != "run"
    assert len(found.requests) == 1
    assert found.complaints == []
    assert found.page.query_selector("script, img") is None
    assert HOSTILE in found.page.inner_text("h1")
    assert HOSTILE in found.page.inner_text("#command")
    assert "<script>" in found.page.text_content(".picture svg >> nth=0")


@pytest.mark.parametrize("case", ["compare_continuous", "rank", "plan_items", "audit_table"])
def test_numbers_are_those_of_the_json(case: str, opened: Opening) -> None:
    """Read back out of the page: what tables show is in the answer that it carries, and that is the answer."""
    found = opened(page_of(case))
    link = found.page.get_attribute("#answer", "href")
    told = json.loads(unquote(link.partition(",")[2]))
    assert told == json.loads(made(case).to_json())
    known = {abs(number) for number in _numbers(told)} | {0.0}
    known |= {100.0 * number for number in known}  # right or wrong is shown in percent
    shown = found.page.eval_on_selector_all("[data-values]", "cells => cells.map(c => c.dataset.values)")
    read = [abs(float(number)) for values in shown for number in values.split()]
    assert read
    assert set(read) <= known


def test_the_answer_can_be_taken_along(opened: Opening) -> None:
    """Without a script: a link that saves the JSON."""
    found = opened(page_of("compare_binary"))
    with found.page.expect_download() as saving:
        found.page.click("#answer")
    assert saving.value.suggested_filename == "tellapart-comparison.json"
    assert json.loads(saving.value.path().read_text()) == json.loads(made("compare_binary").to_json())


def test_by_keyboard_on_a_phone_and_on_paper(opened: Opening) -> None:
    """Tables open with Enter, nothing is wider than a phone, and paper is white whatever the scheme."""
    found = opened(page_of("rank"), scheme="dark", width=360)
    assert found.page.evaluate("document.documentElement.scrollWidth") <= 360
    summary = found.page.query_selector("summary")
    summary.focus()
    found.page.keyboard.press("Enter")
    assert found.page.evaluate("document.querySelector('details').open")
    found.page.emulate_media(media="print")
    assert found.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert found.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_a_board_begins_with_its_table(opened: Opening) -> None:
    """Every row has the bar of its ranks, in proportion; charts of many systems open on demand, and paper has the table alone."""
    found = opened(report(board(44)))
    table = found.page.locator("section[aria-labelledby=board] table")
    assert table.bounding_box()["y"] < 700
    bars = table.locator("svg.bar").evaluate_all(
        "bars => bars.map(bar => bar.children[1].getBoundingClientRect().width / bar.getBoundingClientRect().width)"
    )
    ranks = [text.split("\u2013") for text in table.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => row.querySelector('.bar').parentNode.textContent.trim())"
    )]  # fmt: skip
    for share, ends in zip(bars, ranks, strict=True):
        assert abs(share - (int(ends[-1]) - int(ends[0]) + 1) / 44) < 0.02
    assert found.page.locator("#chart-means").is_visible() is False
    found.page.emulate_media(media="print")
    assert found.page.locator(".more-charts").is_visible() is False


PAPER = 180, 267
"""Millimetres that the margins of a page leave, across and down."""
ON_PAPER = """([across, down]) => {
  const mm = 96 / 25.4, wide = [], high = [];
  for (const one of document.querySelectorAll('table, svg, pre, blockquote'))
    if (one.checkVisibility() && one.getBoundingClientRect().right > across * mm + 1) wide.push(one.outerHTML.slice(0, 200));
  for (const one of document.querySelectorAll('figure'))
    if (one.getBoundingClientRect().height > down * mm) high.push(one.id);
  return [wide, high];
}"""


@pytest.mark.parametrize("case", [*CASES, "plan_budget", "plan_cheapest", "calibration", "evidence_of_swaps"])
def test_paper_cuts_nothing(case: str, opened: Opening) -> None:
    """Every table is as wide as the page or less, and no figure is higher than one."""
    found = opened(page_of(case), width=round(PAPER[0] * 96 / 25.4))
    found.page.emulate_media(media="print")
    assert found.page.evaluate(ON_PAPER, PAPER) == [[], []]


def test_evidence_of_scores_shows_its_pairs_and_no_empty_table(opened: Opening) -> None:
    found = opened(page_of("evidence_of_scores"))
    tables = found.page.query_selector_all("section[aria-labelledby=numbers] table")
    assert tables
    assert all(table.query_selector_all("tbody tr") for table in tables)
    assert found.page.inner_text("blockquote").strip()


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in _numbers(part)]
    if isinstance(value, list):
        return [number for part in value for number in _numbers(part)]
    return [float(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []
