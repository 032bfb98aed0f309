"""A board as a folder of static files, to be served by any web server or opened from disk.

`index.html` holds every row of its tables, and the pairs as JSON that is never run. Its policy allows the style and the script beside it
and nothing else; the script sorts, filters, and compares the others with the system that is chosen.
"""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tellapart.answers.leaderboard.published_page import Board, BoardTable, Since, badge_words, board_tables, gone_since
from tellapart.answers.page import page_of
from tellapart.foundation.formatting import printable
from tellapart.render.csv import csv
from tellapart.render.html import template

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
BADGE_LETTER = 6.6
"""Pixels that a letter of a badge takes at 11 px, rather too many than too few."""
LONGEST_BADGE = 60


SITE_FILES = ("board.json", "board.csv", "badge.svg", "site.css", "site.js", "index.html")


def site_files(answer: Board, title: str = "", command: str = "", since: Since | None = None) -> dict[str, str]:
    """The content of every file by its name; the page comes last, for it shows the others."""
    made = (
        answer.to_json() + "\n",
        csv(answer),
        badge(badge_words(answer)),
        template("site/site.css").render(),
        (Path(__file__).parent / "site.js").read_text(encoding="utf-8"),
        _site_page(answer, title, command, since),
    )
    return dict(zip(SITE_FILES, made, strict=True))


def _site_page(answer: Board, title: str, command: str, since: Since | None) -> str:
    tables = board_tables(answer, since)
    page: str = template("site/index.html.j2").render(
        page=page_of(answer, command),
        title=printable(title),
        policy=POLICY,
        tables=[(table, _slug(table, tables)) for table in tables],
        data=_data_block(tables),
        systems=len(answer.systems),
        gone=() if since is None else [printable(name) for name in gone_since(answer, since)],
        since=since,
        joint="family-wise" in answer.guarantee,
        guarantee=answer.guarantee,
        baseline="" if answer.baseline is None else printable(answer.baseline),
        command=command,
        quote=lambda name: quote(name, safe=""),
    )
    return page + "\n"


def _slug(table: BoardTable, tables: tuple[BoardTable, ...]) -> str:
    """What stands before the name of a system in the address of its row; nothing for the first table."""
    return "" if table is tables[0] else quote(table.name, safe="") + "/"


def _data_block(tables: tuple[BoardTable, ...]) -> str:
    """The pairs as JSON in which nothing ends the element that holds it."""
    told: list[dict[str, Any]] = [
        {"places": one.places, "pairs": one.pairs, "outcomes": one.outcomes} for one in tables
    ]
    return json.dumps(told, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def badge(words: str, label: str = "tellapart") -> str:
    """A badge as projects put it on their first page; its words are text, and shortened where they are long."""
    said = printable(words)
    said = said if len(said) <= LONGEST_BADGE else said[: LONGEST_BADGE - 1] + "…"
    left, right = (round(10 + BADGE_LETTER * len(text)) for text in (label, said))
    svg: str = template("site/badge.svg.j2").render(label=label, words=said, left=left, right=right)
    return svg + "\n"
