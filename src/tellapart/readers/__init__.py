"""Files and frames become `Scores`. One file per format; importing this room registers them all."""

from tellapart.readers import delimited, json_array, json_lines, parquet  # noqa: F401  (registration)
from tellapart.readers.format import FORMATS, Certainty, Format, formats_in_words
from tellapart.readers.reading import read

__all__ = ["FORMATS", "Certainty", "Format", "formats_in_words", "read"]
