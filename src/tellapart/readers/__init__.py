"""Files and frames become `Scores`, `Ratings` or `Votes`. One file per format: a new file here is all that a new format takes."""

from tellapart.readers import formats
from tellapart.readers.format import FORMATS, Certainty, Format, formats_in_words
from tellapart.readers.reading import read
from tellapart.readers.tables import delimited, json_rows, parquet  # noqa: F401  (each registers its format)

# Logs of evaluation programs are many, and no table needs them: they are imported where a file may be one.
FORMATS.lies_in(formats.__name__, formats.__path__)

__all__ = ["FORMATS", "Certainty", "Format", "formats_in_words", "read"]
