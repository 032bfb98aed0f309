"""HTML for a notebook: well-formed, the numbers kept behind their words, and names that are text whatever they hold."""

import math
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import tellapart
from tellapart.answers.page import Cell, Page
from tellapart.render.html import html

EXAMPLES = Path(__file__).parents[2] / "examples"


class Read(HTMLParser):
    """What a browser would make of a page: its elements, their attributes, and the text that is seen."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.seen: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.seen.append(data)


def test_commands_are_code(page: Page) -> None:
    """One element each, to be copied; what is said before one stands before it."""
    command = "tellapart plan pilot 'a <b>.csv' --power 0.8"
    read = Read(html(replace(page, remarks=(("Notes", (f"it takes a plan: {command}", command, "plain")),))))
    assert read.open == []
    assert [tag for tag, _ in read.elements].count("code") == 3
    at = read.seen.index("it takes a plan: ")
    assert read.seen[at + 1 : at + 4] == [command, command, "plain"]


def test_the_whole_page(page: Page) -> None:
    """Everything on the page in order, but figures; every element is closed."""
    read = Read(html(page))
    assert read.open == []
    assert read.seen == [
        "large is better", "both systems", "system", "score", "95 % CI", "method",
        "large", "0.757", "[0.70, 0.81]", "wilson", "xs", "−0.5", "[−1, 0]", "student_t",
        "items", "300", "test", "paired_t", "Notes", "first note", "second note",
        "To quote", "large 0.757 vs xs −0.5.", "tellapart 0.1.0 compare | seed=0",
    ]  # fmt: skip


def test_cells(page: Page) -> None:
    """Sides follow from the columns, rows and columns have headers, and cells keep the numbers that they show."""
    elements = Read(html(page)).elements
    cells = [(tag, found) for tag, found in elements if tag in {"th", "td"}]
    assert [found["style"] for _, found in cells[:4]] == [
        f"text-align: {side}" for side in ("left", "right", "right", "left")
    ]
    assert [found.get("scope") for tag, found in cells if tag == "th"] == ["col"] * 4 + ["row"] * 2
    assert [found.get("data-values") for tag, found in cells if tag == "td"] == [
        "0.7571", "0.703 0.805", None, "-0.5", "-1.0 0.0", None,
    ]  # fmt: skip


def test_what_is_undefined_has_no_number_behind_it(page: Page) -> None:
    """Neither None nor NaN reaches a page as a number."""
    row = (Cell("a"), Cell("", (None,)), Cell("[0, undefined]", (0.0, math.nan)), Cell("t"))
    assert "data-values" not in html(replace(page, grids=(replace(page.grids[0], rows=(row,)),)))


def test_markup_in_names_is_text(hostile: Page) -> None:
    """A name that looks like a script is shown, not run, wherever it stands."""
    shown_page = html(hostile)
    read = Read(shown_page)
    assert "<script" not in shown_page
    assert "script" not in {tag for tag, _ in read.elements}
    assert read.seen.count(hostile.sentence) == 9


def test_answers_show_themselves_in_a_notebook() -> None:
    """Whatever a verb answers has an HTML form, in which the user's names are text."""
    scores = tellapart.Scores.from_arrays({"<b>old</b>": [0.1, 0.5, 0.3, 0.9], "new": [0.2, 0.7, 0.4, 0.8]})
    answer = tellapart.compare(scores)
    assert "A = &lt;b&gt;old&lt;/b&gt;" in (answer._repr_html_() or "")
    board = tellapart.rank(tellapart.read(EXAMPLES / "answers.csv"))
    assert "large" in Read(board._repr_html_() or "").seen


def test_templates_are_loaded_only_where_shown() -> None:
    """An answer and its text need no jinja2; its notebook form does."""
    code = (
        "import sys, tellapart\n"
        "from tellapart.render import render\n"
        "answer = tellapart.plan('gaussian(sd=0.12, correlation=0.8, effect=0.01)', power=0.8)\n"
        "render(answer, 'text'), render(answer, 'json'), render(answer, 'markdown')\n"
        "assert not {'jinja2', 'rich', 'tellapart.render.html'} & set(sys.modules)\n"
        "assert '<table>' in answer._repr_html_()\n"
        "assert 'jinja2' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
