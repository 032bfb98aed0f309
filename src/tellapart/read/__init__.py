"""Files and frames become `Scores`. One file a format; importing this room registers them all."""

from tellapart.read import delimited, json_lines, parquet  # noqa: F401  (registration)
from tellapart.read.format import FORMATS, Claim, Format
from tellapart.read.reading import read

__all__ = ["FORMATS", "Claim", "Format", "read"]
