"""Files and frames become `Scores`. One file a format; importing this room registers them all."""

from tellapart.readers import delimited, json_array, json_lines, parquet  # noqa: F401  (registration)
from tellapart.readers.format import FORMATS, Claim, Format
from tellapart.readers.reading import read

__all__ = ["FORMATS", "Claim", "Format", "read"]
