"""Detection of a file's format, by its content first and by its name second."""

import ast
import re
from functools import cache
from pathlib import Path

from tellapart.foundation.errors import ReadError
from tellapart.foundation.surfaces import option, verb
from tellapart.readers import formats
from tellapart.readers.format import FORMATS, Certainty, Format, formats_in_words
from tellapart.readers.storage.files import ZIP
from tellapart.readers.storage.origin import GZIP, Origin

UNREADABLE = {
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    ZIP: "a zip archive or Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    GZIP: "gzip inside gzip",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "zstd inside zstd or gzip",
    b"ARROW1": "an Arrow file (Feather)",
    b"FEA1": "an old Feather file",
    b"\xff\xff\xff\xff": "an Arrow stream, as save_to_disk writes it",
    b"SQLite format 3": "a SQLite database",
    b"%PDF": "a PDF",
}
_PACKED = {"a tar archive", "a bzip2 archive", "an xz archive", "gzip inside gzip", "zstd inside zstd or gzip"}


_FIRST_LINE = re.compile(r'^    first_line = (?:\(\s*)?(r?".*")$', re.MULTILINE)


@cache
def _first_lines() -> dict[str, re.Pattern[str]]:
    """The formats of `formats/` whose pattern fits the first line of a text."""
    sources = (
        (file.stem, file.read_text(encoding="utf-8")) for path in formats.__path__ for file in Path(path).glob("*.py")
    )
    said = ((name, _FIRST_LINE.search(source)) for name, source in sorted(sources))
    return {name: re.compile(ast.literal_eval(found[1])) for name, found in said if found is not None}


def detect(origin: Origin) -> Format:
    """The format that is surest of this origin; binary content that none is sure of is refused."""
    # Bytes that cannot be had are refused here, in words; claims find them at hand and never raise.
    _ = origin.head
    candidates = _candidates(origin)
    format_, certainty = _surest(origin, candidates)
    if certainty < Certainty.CERTAIN and origin.preview.kind != "parquet":
        refuse_summary(origin, candidates)
        refuse_unreadable(origin)
    if format_ is None:
        raise ReadError(f"{origin.name}: no known format; wanted {formats_in_words()}")
    return format_


def best_format(origin: Origin) -> tuple[Format | None, Certainty]:
    """The format that is surest of this origin, and how sure; two that are equally sure are an error that names both."""
    _ = origin.head  # as above
    return _surest(origin, _candidates(origin))


def _surest(origin: Origin, candidates: list[Format]) -> tuple[Format | None, Certainty]:
    claims = [format_.claim(origin) for format_ in candidates]
    best = max(claims)
    if best == Certainty.NONE:
        return None, best
    first, *others = [format_ for format_, claim in zip(candidates, claims, strict=True) if claim == best]
    if others:
        raise ReadError(
            f"{origin.name}: fits the formats '{first}' and '{others[0]}' equally well. Say which it is:  "
            f"{option('as_', str(first))}"
        )
    return first, best


def _candidates(origin: Origin) -> list[Format]:
    """The formats that this may have: a text whose first line shows no mark of a log is a table, as nearly all texts are."""
    if origin.preview.kind != "text":
        return [FORMATS[name]() for name in FORMATS]
    marked = _marked(origin)
    tables = [format_.name for format_ in FORMATS.at_hand if format_.plain_table]
    return [FORMATS[name]() for name in dict.fromkeys([*tables, *marked])]


def _marked(origin: Origin) -> list[str]:
    """The formats whose mark the first line of a text shows, or its name."""
    first, file = origin.opening.lstrip().partition("\n")[0], Path(origin.path).name
    return [name for name, mark in _first_lines().items() if mark.search(first) or mark.fullmatch(file)]


def refuse_summary(origin: Origin, candidates: list[Format] | None = None) -> None:
    """Refuse what a program wrote beside its items: means, settings, texts."""
    found = summary_only(origin, candidates)
    if found is not None:
        raise ReadError(f"{origin.name}: holds no items: {found}, or check reported numbers with {verb('audit')}")


def summary_only(origin: Origin, candidates: list[Format] | None = None) -> str | None:
    """The kind of a file without items and what to pass instead, if a format knows it."""
    if origin.preview.kind == "nothing" or (origin.preview.kind == "text" and not _marked(origin)):
        return None
    known = (format_ for format_ in candidates or _candidates(origin) if not format_.plain_table)
    return next((found for one in known if (found := one.summary_only(origin)) is not None), None)


def refuse_unreadable(origin: Origin) -> None:
    """Refuse what is no text, by the name of what it is where that is known."""
    with origin.binary():  # a folder that no format takes as a whole says so itself
        pass
    for signature, kind in UNREADABLE.items():
        if origin.head.startswith(signature):
            raise ReadError(f"{origin.name}: found {kind}; wanted {formats_in_words()}. {_way_out(kind)}")
    if b"\0" in origin.head:
        kind = (
            "what looks like UTF-16 text"
            if _every_second_is_nul(origin.head)
            else "a tar archive"
            if origin.head[257:262] == b"ustar"
            else "binary content (NUL bytes)"
        )
        raise ReadError(f"{origin.name}: found {kind}; wanted {formats_in_words()}. {_way_out(kind)}")
    if not origin.opening.strip():
        raise ReadError(
            f"{origin.name}: the file is empty; wanted {formats_in_words()} with a header and one row per score"
        )


def _way_out(kind: str) -> str:
    if kind in _PACKED:
        return "Unpack it and pass the files or the folder"
    if "UTF-16" in kind:
        return "Save it as UTF-8"
    return next((way for name, way in _EXPORTS.items() if name in kind), "Export the scores to one of these")


_EXPORTS = {
    "SQLite": "Export its table: sqlite3 -header -csv FILE 'select * from TABLE' > scores.csv",
    "stream": "Export it in Python: datasets.load_from_disk(FOLDER).to_csv('scores.csv')",
    "Feather": "Export it in Python: pandas.read_feather(FILE).to_csv('scores.csv', index=False)",
}


def _every_second_is_nul(head: bytes) -> bool:
    # Latin text in UTF-16 has a NUL in every second byte; with a few other letters it still has most of them.
    pairs = len(head) // 2
    return any(head[offset::2].count(0) > 0.8 * pairs for offset in (0, 1))
