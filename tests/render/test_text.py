"""Text for a terminal: tables that line up by what their columns hold, lines that fit, colour only where asked for."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from tellapart.answers.page import Cell, Column, Grid, Page
from tellapart.render.screen import PAPER, Screen
from tellapart.render.text import text


def test_the_whole_page(page: Page) -> None:
    """Everything on the page, in order: names and words begin below each other, numbers and intervals end so."""
    shown = text(replace(page, figures=()), PAPER)
    assert shown == (
        "large is better\n"
        "\n"
        "both systems\n"
        "system  score       95 % CI  method\n"
        "large   0.757  [0.70, 0.81]  wilson\n"
        "xs       −0.5       [−1, 0]  student_t\n"
        "\n"
        "items  300\n"
        "test   paired_t\n"
        "\n"
        "Notes\n"
        "  • first note\n"
        "  • second note\n"
        "\n"
        "To quote\n"
        "  large 0.757 vs xs −0.5.\n"
        "\n"
        "tellapart 0.1.0 compare | seed=0\n"
    )


COMMAND = "tellapart plan pilot 'a file with  blanks in its name.csv' --effect 0.1 --power 0.8 --test 'equivalence(test=paired_t, margin=0.1)'"


@pytest.mark.parametrize("width", [20, 79, 110])
def test_commands_stand_on_a_line_of_their_own(page: Page, width: int) -> None:
    """To be copied, whatever the width: broken inside a quoted name, or behind the program's name, they did not run."""
    remarks = (("Notes", (f"that takes a simulation: {COMMAND}", "another")), ("Type next", (COMMAND,)))
    lines = text(replace(page, figures=(), remarks=remarks), Screen(width, terminal=True)).splitlines()
    first = lines.index(f"    {COMMAND}")
    assert lines[first - 1].endswith("simulation:")
    assert lines[first + 1] == "  • another"
    assert f"  • {COMMAND}" in lines


def test_a_figure_is_drawn(page: Page) -> None:
    """The figure's numbers become characters, between tables and facts."""
    lines = text(page, PAPER).splitlines()
    drawing = lines[lines.index("power") : lines.index("items  300")]
    assert drawing[1].startswith("1.00 ┤")
    assert drawing[-2] == "      ● paired_t"


@pytest.mark.parametrize("width", [12, 20, 40, 79])
def test_lines_fit_the_screen(page: Page, width: int) -> None:
    """However narrow the terminal, no line is wider, and no cell loses a character."""
    long = replace(page, figures=(), headline="a headline of many words " * 5, sentence="many more words " * 20)
    narrow = text(long, Screen(width, terminal=True))
    assert max(map(len, narrow.splitlines())) <= width
    assert Counter("".join(narrow.split())) == Counter("".join(text(long, PAPER).split()))


def test_a_screen_too_narrow_for_its_columns(page: Page) -> None:
    """Every column keeps one place, and the text is still there to be read down."""
    lines = text(replace(page, figures=()), Screen(3)).splitlines()
    assert "s" + " " * 8 + "m" in lines
    assert Counter("".join("".join(lines).split())) == Counter("".join(text(replace(page, figures=()), PAPER).split()))


def test_only_a_terminal_breaks_the_signature(page: Page) -> None:
    """In a file the signature stays one line, to be copied and found again."""
    long = replace(page, signature="signature " * 30)
    assert long.signature.strip() in text(long, Screen(40)).splitlines()
    assert max(map(len, text(replace(long, figures=()), Screen(40, terminal=True)).splitlines())) <= 40


def test_colours_only_where_asked_for(page: Page) -> None:
    """Painted text is the plain text between escape sequences; the headline's colour is its tone's."""
    painted = text(page, Screen(color=True))
    assert painted.startswith("\x1b[1;32mlarge is better\x1b[0m\n")
    assert text(replace(page, tone="bad"), Screen(color=True)).startswith("\x1b[1;31m")
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert [line.rstrip() for line in bare.splitlines()] == text(page, PAPER).splitlines()
    assert "\x1b" not in text(page, PAPER)


def test_columns_give_way_before_words_break(page: Page) -> None:
    """The widest column folds first, and titles stand right above their column."""
    columns = (Column("system", "name"), Column("p-value", "number"), Column("the reason", "words"))
    row = (Cell("a"), Cell("p < 0.0001"), Cell("so many words that they take more than one line"))
    lines = text(replace(page, grids=(Grid(columns, (row,)),)), Screen(40)).splitlines()[2:5]
    assert lines == [
        "system     p-value  the reason",
        "a       p < 0.0001  so many words that",
        "                    they take more than",
    ]


def test_wide_characters_take_two_columns(page: Page) -> None:
    """Chinese names line up with Latin ones in a terminal."""
    grid = Grid((Column("system", "name"), Column("score", "number")), ((Cell("模型"), Cell("0.5")),))
    assert "模型      0.5\n" in text(replace(page, grids=(grid,)), PAPER)
