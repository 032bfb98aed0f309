"""Which format a file has, judged by its content first and by its name second."""

from tellapart.errors import ReadError
from tellapart.readers.format import FORMATS, Claim, Format
from tellapart.readers.origin import GZIP, Origin

WANTED = "wanted CSV, TSV, JSON or Parquet"

UNREADABLE = {
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"PK\x03\x04": "a zip archive or Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    GZIP: "gzip inside gzip",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"ARROW1": "an Arrow file",
    b"%PDF": "a PDF",
}


def detect(origin: Origin) -> Format:
    """The format that is surest of this file; binary content that none is sure of is refused."""
    formats = [FORMATS[name]() for name in FORMATS]
    claims = [format_.claim(origin) for format_ in formats]
    best = max(claims)
    if best < Claim.CERTAIN:
        refuse_binary(origin)
    return formats[claims.index(best)]


def refuse_binary(origin: Origin) -> None:
    for signature, kind in UNREADABLE.items():
        if origin.head.startswith(signature):
            raise ReadError(f"{origin.name}: found {kind}; {WANTED}. {_way_out(kind)}")
    if b"\0" in origin.head:
        kind = (
            "what looks like UTF-16 text"
            if _every_second_is_nul(origin.head)
            else "binary content (NUL bytes)"
        )
        raise ReadError(f"{origin.name}: found {kind}; {WANTED}. {_way_out(kind)}")
    if not origin.opening.strip():
        raise ReadError(f"{origin.name}: the file is empty; {WANTED} with a header and one row a score")


def _way_out(kind: str) -> str:
    return "Save it as UTF-8" if "UTF-16" in kind else "Export the scores to one of these"


def _every_second_is_nul(head: bytes) -> bool:
    pairs = len(head) // 2
    return any(head[offset::2].count(0) > 0.8 * pairs for offset in (0, 1))
