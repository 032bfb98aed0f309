"""Markdown for GitHub: tables by the kind of their columns, and no name that becomes markup."""

import re
from dataclasses import replace

import pytest
from tests.golden.cases import ANSWERS, made

from tellapart.answers.page import Page
from tellapart.render import render
from tellapart.render.markdown import markdown


def test_the_whole_page(page: Page) -> None:
    """Verdict, tables and the sentence at once; numbers, notes and the signature open; no line art."""
    blocks = markdown(page).split("\n\n")
    assert blocks[:2] == ["**large is better**", "both systems:"]
    assert blocks[2].splitlines() == [
        "| system | score | 95 % CI | method |",
        "| --- | ---: | ---: | --- |",
        "| large | 0.757 | \\[0.70, 0.81] | wilson |",
        "| xs | −0.5 | \\[−1, 0] | student\\_t |",
    ]
    assert blocks[3:] == [
        "> large 0.757 vs xs −0.5.",
        '<details markdown="1"><summary>Numbers and notes</summary>',
        "- items: 300\n- test: paired\\_t",
        "Notes:",
        "- first note\n- second note",
        "`tellapart 0.1.0 compare | seed=0`",
        "</details>\n",
    ]


def test_commands_are_code(page: Page) -> None:
    """As they are typed: escaped like the words before them, a name in them would be another."""
    command = "tellapart plan pilot 'a_b  `c`.csv' --power 0.8"
    notes = f"`a_b` takes a simulation: {command}", command
    shown = markdown(replace(page, remarks=(("Notes", notes),)))
    assert f"- \\`a\\_b\\` takes a simulation: ``{command}``\n- ``{command}``\n" in shown


def test_a_document_shows_all_that_it_has(page: Page) -> None:
    """Nothing is folded on a page that is there to be looked through."""
    shown = markdown(replace(long(page, 50), document=True))
    assert "<details" not in shown
    assert shown.endswith("> large 0.757 vs xs −0.5.\n\n`tellapart 0.1.0 compare | seed=0`\n")
    assert shown.count("\n| xs |") == 50


def long(page: Page, rows: int) -> Page:
    (grid,) = page.grids
    return replace(page, grids=(replace(grid, rows=grid.rows[1:] * rows),))


@pytest.mark.parametrize(("rows", "folded"), [(20, 0), (21, 1), (250, 230)])
def test_what_would_bury_a_comment_is_folded(page: Page, rows: int, folded: int) -> None:
    shown = markdown(long(page, rows))
    at_once, _, rest = shown.partition(f"<summary>{folded:,} more rows</summary>")
    assert bool(rest) == bool(folded)
    assert (at_once.count("\n| xs |"), rest.count("\n| xs |")) == (rows - folded, folded)
    assert rest.count("\n| --- |") == bool(folded)


@pytest.mark.parametrize("name", ANSWERS)
def test_no_line_art(name: str) -> None:
    """Not a sign of a drawing in a comment."""
    assert not set(render(made(name), "markdown")) & set("│┤├└─┼●○◆◇▲△■□")


def test_markup_in_names_is_text(hostile: Page) -> None:
    """Every mark that GitHub reads has a backslash before it, so that a table keeps its columns."""
    shown = markdown(hostile)
    shown = re.sub(r"</?(details|summary)[^>]*>", "", shown)
    marks = [match.start() for match in re.finditer(r"(?<!\\)(?:\\\\)*[*_`<\[]", shown.partition("\n")[2])]
    signature = shown.rindex("`tellapart`") - len(shown.partition("\n")[0]) - 1
    assert marks == [signature, signature + len("`tellapart")]
    table = next(line for line in shown.splitlines() if line.startswith("| \\<"))
    assert len(re.findall(r"(?<!\\)\|", table)) == 3
