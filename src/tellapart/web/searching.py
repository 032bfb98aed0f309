"""What somebody looks for on a page of what is known, and the rows that hold it."""

from dataclasses import replace

from tellapart.render.sheet import Sheet
from tellapart.web.body import fields_in
from tellapart.web.problem import Refused

FIND = "find"
LONGEST = 200


def sought(query: str) -> str:
    """The text that is looked for; nothing where all is wanted."""
    text = next((value for key, value in fields_in(query) if key == FIND), "").strip()
    if len(text) > LONGEST:
        raise Refused(400, f"found {len(text):,} characters to search for; wanted at most {LONGEST}")
    return text


def holding(sheet: Sheet, text: str) -> Sheet:
    """The rows and remarks of a sheet that hold a text, however it is written."""
    wanted = text.lower()
    grids = tuple(
        replace(
            grid, rows=tuple(row for row in grid.rows if any(wanted in cell.text.lower() for cell in row))
        )
        for grid in sheet.grids
    )
    remarks = tuple(
        (heading, tuple(line for line in lines if wanted in line.lower())) for heading, lines in sheet.remarks
    )
    return replace(sheet, grids=grids, remarks=remarks)
