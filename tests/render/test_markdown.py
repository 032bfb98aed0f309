"""Markdown for GitHub: tables by the kind of their columns, and no name that becomes markup."""

import re

from tellapart.render.markdown import markdown
from tellapart.render.sheet import Sheet


def test_tables_and_figures(page: Sheet) -> None:
    """Sides follow from the columns; a figure is a block of code."""
    blocks = markdown(page).split("\n\n")
    assert blocks[0] == "**large is better**"
    assert blocks[1] == "both systems:"
    assert blocks[2].splitlines() == [
        "| system | score | 95 % CI | method |",
        "| --- | ---: | ---: | --- |",
        "| large | 0.757 | \\[0.70, 0.81] | wilson |",
        "| xs | −0.5 | \\[−1, 0] | student\\_t |",
    ]
    assert blocks[3].startswith("```\npower\n1.00 ┤")
    assert blocks[3].endswith("● paired_t\n```")
    assert blocks[4:] == [
        "- items: 300\n- test: paired\\_t",
        "Notes:",
        "- first note\n- second note",
        "> large 0.757 vs xs −0.5.",
        "`tellapart 0.1.0 compare | seed=0`\n",
    ]


def test_markup_in_names_is_text(hostile: Sheet) -> None:
    """Every mark that GitHub reads has a backslash before it, so that a table keeps its columns."""
    shown = markdown(hostile)
    marks = [match.start() for match in re.finditer(r"(?<!\\)(?:\\\\)*[*_`<\[]", shown.partition("\n")[2])]
    signature = shown.rindex("`tellapart`") - len(shown.partition("\n")[0]) - 1
    assert marks == [signature, signature + len("`tellapart")]
    table = next(line for line in shown.splitlines() if line.startswith("| \\<"))
    assert len(re.findall(r"(?<!\\)\|", table)) == 3
