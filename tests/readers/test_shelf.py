"""While a uploads is held, readers know of nothing else: no path leads to the disk."""

import io
import zipfile
from pathlib import Path

import pytest

from tellapart.foundation.errors import ReadError
from tellapart.foundation.files import UploadedFiles, reading_uploads
from tellapart.readers import read

TABLE = b"item,a,b\nq1,1,0\nq2,0,1\nq3,1,1\n"


def test_what_lies_on_it_is_read_as_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE)
    with reading_uploads(UploadedFiles({"t.csv": TABLE}, 10**6)):
        shelved = read("t.csv")
    there = read(str(tmp_path / "t.csv"))
    assert shelved.systems == there.systems
    assert shelved.items == there.items


@pytest.mark.parametrize("way", ["{}", "{}/*.csv", "{}/../{}/t.csv", "-", "/dev/stdin", "/etc/passwd", "5"])
def test_nothing_else_is(tmp_path: Path, way: str) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE)
    with reading_uploads(UploadedFiles({}, 10**6)), pytest.raises(ReadError, match="no such file"):
        read(way.replace("{}", str(tmp_path)))


def test_it_has_no_neighbours_and_its_limit_is_its_own() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big.csv", b"item,a,b\n" + b"q,1,0\n" * 200_000)
    with (
        reading_uploads(UploadedFiles({"z.zip": packed.getvalue()}, 100_000)),
        pytest.raises(ReadError, match="bytes"),
    ):
        read("z.zip")
