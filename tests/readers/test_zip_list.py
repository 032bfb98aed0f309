"""The list of an archive, read by ourselves where it is plain, is what Python reads."""

import io
import zipfile
from pathlib import Path

import pytest

from tellapart.readers.storage import zip_list as lists
from tellapart.readers.storage.zip_list import ZipList, zip_list

TOLD = ("flag_bits", "compress_type", "CRC", "compress_size", "file_size", "header_offset")


def packed(names: list[str], *, comment: bytes = b"", extra: bytes = b"") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, name in enumerate(names):
            info = zipfile.ZipInfo(name)
            info.extra = extra
            archive.writestr(info, f"{number} " * number)
        archive.comment = comment
    return stream.getvalue()


def told(found: ZipList) -> list[tuple[object, ...]]:
    infos = [found.info(place) for place in range(len(found.names))]
    return [(name, *(getattr(info, key) for key in TOLD)) for name, info in zip(found.names, infos, strict=True)]


def as_python_reads(content: bytes) -> list[tuple[object, ...]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(one.filename, *(getattr(one, key) for key in TOLD)) for one in archive.infolist()]


PLAIN = {
    "ascii": packed([f"samples/{number}.json" for number in range(40)]),
    "other letters": packed(["α.json", "b", "ü/c"]),
    "folders": packed(["a/", "a/b"]),
}
UNUSUAL = {
    "comment": packed(["a", "b"], comment=b"written by hand"),
    "extra": packed(["a", "b"], extra=b"UT\x05\x00\x01\0\0\0\0"),
    "backslash": packed(["a\\b"]),
    "behind another file": b"#!/bin/sh\n" + packed(["a"]),
    "empty": packed([]),
}


@pytest.mark.parametrize("content", [*PLAIN.values(), *UNUSUAL.values()], ids=[*PLAIN, *UNUSUAL])
def test_it_is_what_python_reads(content: bytes) -> None:
    found = zip_list(io.BytesIO(content))
    assert told(found) == as_python_reads(content)
    assert [found.flags.tolist(), found.offsets.tolist()] == [[row[k] for row in told(found)] for k in (1, 6)]


@pytest.mark.parametrize("content", PLAIN.values(), ids=PLAIN)
def test_plain_lists_are_not_left_to_python(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "_any_list", None)
    assert zip_list(io.BytesIO(content)).names


def test_a_number_that_looks_like_a_mark_is_left_to_python() -> None:
    content = packed(["PK\x01\x02", "b"])
    assert told(zip_list(io.BytesIO(content))) == as_python_reads(content)


@pytest.mark.parametrize("at", range(-90, 0))
def test_any_changed_byte_is_read_as_python_reads_it(at: int) -> None:
    content = bytearray(packed(["a", "b"]))
    content[at] ^= 0xFF
    try:
        wanted = as_python_reads(bytes(content))
    except (zipfile.BadZipFile, NotImplementedError) as error:
        with pytest.raises(type(error)):
            zip_list(io.BytesIO(bytes(content)))
    else:
        assert told(zip_list(io.BytesIO(bytes(content)))) == wanted


@pytest.mark.shared
def test_real_archives(shared: Path) -> None:
    found = sorted((shared / "format-samples").rglob("*.eval"))
    for path in found:
        with path.open("rb") as stream:
            assert told(zip_list(stream)) == as_python_reads(path.read_bytes())
