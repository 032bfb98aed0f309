"""What was measured before can be read and searched; the pages are those of the documents."""

import re
from pathlib import Path

import pytest

from tellapart.web.job_handler import answered
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job
from tellapart.web.record_pages import FOLDER, MEASURED, sections

DOCS = Path(__file__).parents[2] / "docs"


def shown(name: str, query: str = "") -> tuple[int, str]:
    reply = answered(Job(name, "page", query), ServeLimits())
    return reply.status, reply.body.decode()


@pytest.mark.parametrize("name", MEASURED)
def test_what_is_shipped_is_what_was_generated(name: str) -> None:
    """After `make calibrate` or `make reproduce`: both copy it."""
    assert (FOLDER / f"{name}.md").read_text() == (DOCS / f"{name}.md").read_text()


@pytest.mark.parametrize("name", MEASURED)
def test_every_row_is_shown(name: str) -> None:
    lines = [line for line in (DOCS / f"{name}.md").read_text().splitlines() if line.startswith("|")]
    tables = [one for one in sections(name) if one.columns]
    assert sum(len(one.rows) + 2 for one in tables) == len(lines)
    assert all(one.words for one in tables), "every table says what it is of"
    assert all(len(row) == len(one.columns) for one in tables for row in one.rows)
    status, page = shown(name)
    assert status == 200
    assert page.count("<tr>") == len(lines) - len(tables)


def test_search_finds_rows_and_says_how_many() -> None:
    status, page = shown("reproduction", "find=effect%3D0.01%2C+correlation%3D0.95")
    rows = [row for one in sections("reproduction") for row in one.rows if "effect=0.01, correlation=0.95" in row[0]]
    assert status == 200
    assert rows
    assert page.count('<th scope="row"') == len(rows)
    assert f"{len(rows)} rows with" in page
    status, none = shown("reproduction", "find=%3Cscript%3E")
    assert (status, none.count("<tbody>")) == (200, 0)
    assert "<script>" not in none
    assert shown("calibration", "find=" + "x" * 201)[0] == 400


def test_evidence_is_searched_too() -> None:
    def named(page: str) -> list[str]:
        return re.findall(r'<th scope="row"[^>]*>([^<]+)<', page)

    status, page = shown("evidence")
    assert (status, len(named(page))) == (200, 17)
    status, found = shown("evidence", "find=SQuAD2_")
    assert status == 200
    assert named(found) == [name for name in named(page) if "squad2" in name]
    assert f"{len(named(found))} rows with" in found
    status, none = shown("evidence", "find=%3Cscript%3E")
    assert (status, named(none)) == (200, [])
    assert "0 rows with “&lt;script&gt;”" in none
    assert shown("evidence", "find=" + "x" * 201)[0] == 400
    assert shown("evidence", "strange=1")[0] == 400
