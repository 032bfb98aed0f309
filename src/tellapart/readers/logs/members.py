"""The files of an archive that is no log itself, as the files of a folder are read."""

from collections.abc import Iterator

from tellapart.errors import ReadError
from tellapart.readers.origin import Origin

_WORKBOOK = "xl/workbook.xml"


def members_of(origin: Origin) -> Iterator[Origin]:
    """Every file in it; an archive in it is refused, as nobody knows how many follow inside."""
    if _WORKBOOK in origin.contents:
        raise ReadError(
            f"{origin.name}: found an Excel workbook. Export the scores to CSV, TSV, JSON or Parquet"
        )
    for member in origin.children():
        if member.sight.kind == "zip":
            raise ReadError(
                f"{member.name}: an archive inside an archive. Unpack the outer one and pass the files"
            )
        yield member
