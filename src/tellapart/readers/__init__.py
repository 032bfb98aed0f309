"""Reading of files and data frames into `Scores`, `Ratings` or `Votes`.

From bytes to rows:

1. `read` (`reading.py`) turns paths, patterns, `-` or a frame into origins. An `Origin` (`storage/`) has bytes that can be opened again,
   unpacked where they are gzip or zstd, and counted against `Limits`; a folder or an archive has origins as children.
2. `detect.py` asks the formats how sure each is that an origin is its own. They look at `origin.preview`, which parses the head of the
   content once for all: what kind of content it is, and its first two records. The surest format reads the file. A text whose first line
   shows no format's `first_line` is a plain table, and no other format is imported for it.
3. A plain table (`tables/`: delimited text, JSON, Parquet, frames) gives blocks of rows of named columns. `columns.py` finds which column
   plays which role, `layout.py` whether the table is long or wide, `values.py` what each cell is worth, and `rows.py` collects names and
   scores over all tables. `assembly.py` makes `Scores`, `Ratings` or `Votes` of them, or refuses with the line and the way out.
   Where a metric is counted from texts or labels, `counting.py` puts its parts in place of the scores first.
4. A log of an evaluation program (`formats/`, a `Log`) gives one `Row` per score and says in `Facts` what holds of all of them. `logs/`
   collects the rows of all files, folders and archives (`collect.py`), picks one measure and one value of each axis (`selection.py`), adds
   the items that a list of solved ones leaves out (`universe.py`), settles what two runs of one system are (`repeated_runs.py`) and joins
   everything to one table of records (`combine.py`). `reading.py` of that folder tells these steps in order.
5. Runs of retrieval are scored with their judgements in `retrieval/`.

A new reader is one file in `formats/` and its test, and no other file is edited. The file registers a class by its own name:

- a `Log` for what one program writes: `recognises`, `rows`, `example`, and where they apply `facts`, `axes`, `parse_measure`,
  `record_keys`, `summary_only`;
- a `TableKind` for a table of any make whose columns say more than scores: `matches` and `survey_rows`;
- a `Format` for any other layout of plain scores: `claim`, `facts` and `blocks`.

A text also says its `first_line`. All of it is imported from `readers/format.py`, whose docstrings say what each means. Detection, help, the
list of formats, `describe`, `convert`, refusals with lines and the laws in `tests/laws` then hold for it; the laws need `write` in its test.
"""

from tellapart.readers import formats
from tellapart.readers.format import FORMATS, Certainty, Format, formats_in_words
from tellapart.readers.reading import read
from tellapart.readers.tables import delimited, json_object, json_rows, parquet  # noqa: F401  (each registers its format)

# Logs of evaluation programs are many, and no table needs them: they are imported where a file may be one.
FORMATS.lies_in(formats.__name__, formats.__path__)

__all__ = ["FORMATS", "Certainty", "Format", "formats_in_words", "read"]
