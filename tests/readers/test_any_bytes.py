"""Whatever the bytes, they are read or refused; nothing else happens."""

import contextlib
import gzip
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.foundation.errors import TellapartError
from tellapart.readers import read

GOOD = (
    b"system,item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n",
    b'item;"a";b\n1;0.5;"0.5"\n2;;1\n',
    b'{"system": "a", "item": 1, "score": null}\n{"system": "b", "item": 1, "score": 0.5}\n',
    b'[{"system": "a", "item": 1, "score": null},\n {"system": "b", "item": 1, "score": 0.5}]',
    b"system\titem\tmeasure\tvalue\tcluster\trater\na\t1\tAP\t0\tx\tr\nb\t1\tAP\t1\tx\ts\n",
    gzip.compress(b"item,a,b\n1,1,0\n2,1,0\n", mtime=0),
)
FRAGMENTS = (
    *(
        b",",
        b";",
        b"\t",
        b"\n",
        b"\r",
        b'"',
        b"{",
        b"}",
        b"[",
        b":",
        b" ",
        b"",
        b"\\",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
    ),
    *(b"nan", b"1e999", b"null", b"true", b"0,5", b"item", b"system", b"score", b"task", b"measure", b"PAR1"),
)
edits = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 9), st.sampled_from(FRAGMENTS)), max_size=5)


def edited(content: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for start, length, fragment in changes:
        content = content[:start] + fragment + content[start + length :]
    return content


@settings(deadline=None, max_examples=300)
@given(
    content=st.builds(edited, st.sampled_from(GOOD), edits) | st.binary(max_size=60),
    name=st.sampled_from(["s.csv", "s.jsonl", "s.csv.gz", "s"]),
    measure=st.none() | st.sampled_from(["AP", "b"]),
)
def test_any_bytes_are_read_or_refused(content: bytes, name: str, measure: str | None) -> None:
    """Broken files end in an error of ours, never in a traceback of Python's."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        with contextlib.suppress(TellapartError):
            read(path, measure=measure)
