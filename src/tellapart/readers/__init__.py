"""Files and frames become `Scores`, `Ratings` or `Votes`. One file per format: a new file here is all that a new format takes."""

from tellapart.readers import formats
from tellapart.readers.format import FORMATS, Certainty, Format, formats_in_words
from tellapart.readers.reading import read
from tellapart.spelling import import_files

_LATER = (
    *("archive", "brackets", "characters", "counted_columns", "counted_sides", "counting", "expanding", "formats", "frames", "inspect_samples"),
    *("json_text", "json_walk", "kind", "log", "logs", "occurrences", "reported", "row_refusals", "segments", "sides", "small_json", "tabbed_lines"),
    *("text_files", "uncounted", "vote_rows", "vote_sources", "zip_list", "zstd"),
)  # fmt: skip
"""What a table of scores does not need."""
import_files(__name__, __path__, later=_LATER)
# Logs of evaluation programs are many, and no table needs them: they are imported where a file may be one.
FORMATS.lies_in(formats.__name__, formats.__path__)

__all__ = ["FORMATS", "Certainty", "Format", "formats_in_words", "read"]
