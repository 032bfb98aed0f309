"""The list at the end of a zip archive: what each member is called and where it is."""

import io
import itertools
import struct
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from tellapart.arrays import IntArray

_END = struct.Struct("<4s4H2IH")
_MARK, _END_MARK = b"PK\x01\x02", b"PK\x05\x06"
_FIELDS = np.dtype(
    [
        ("by", "<u2"), ("create_version", "<u2"), ("flag_bits", "<u2"), ("compress_type", "<u2"), ("time", "<u4"), ("CRC", "<u4"),
        ("compress_size", "<u4"), ("file_size", "<u4"), ("name", "<u2"), ("extra", "<u2"), ("comment", "<u2"), ("disk", "<u2"),
        ("internal", "<u2"), ("external", "<u4"), ("header_offset", "<u4"),
    ]
)  # fmt: skip
"""What stands between the mark of an entry and its name; what Python wants to know has Python's names."""
_WANTED = ("flag_bits", "compress_type", "CRC", "compress_size", "file_size", "header_offset")
_UTF8 = 0x800
"""Bit 11 of an entry's flags: its name is UTF-8 (APPNOTE 4.4.4)."""
_NEWEST = 63
"""The version of the format, in tenths, that Python reads."""
_ELSEWHERE = 0xFFFFFFFF
"""Stands for a number that is too large for its place."""


@dataclass(frozen=True, eq=False)
class ZipList:
    """The members of an archive in its order, folders too; `info` is what Python wants told to open one."""

    names: Sequence[str]
    flags: IntArray
    offsets: IntArray
    info: Callable[[int], zipfile.ZipInfo]


def zip_list(stream: BinaryIO) -> ZipList:
    """What an archive says that it holds."""
    return _plain_list(stream) or _any_list(stream)


def _any_list(stream: BinaryIO) -> ZipList:
    found = zipfile.ZipFile(stream).infolist()
    flags, offsets = ([getattr(one, name) for one in found] for name in ("flag_bits", "header_offset"))
    return ZipList([one.filename for one in found], np.array(flags), np.array(offsets), found.__getitem__)


def _plain_list(stream: BinaryIO) -> ZipList | None:
    """The list as most programs write it, three times as fast as Python reads it; None where anything about it is unusual."""
    directory = _directory(stream)
    if not directory.startswith(_MARK):
        return None
    # Where a number looks like a mark, what is cut there has no length that fits.
    cut = directory.split(_MARK)[1:]
    size = _FIELDS.itemsize
    table = np.frombuffer(b"".join([one[:size] for one in cut]).ljust(size), dtype=np.uint8)
    if len(table) != len(cut) * size:
        return None
    fields, called = table.view(_FIELDS), [one[size:] for one in cut]
    usual = (fields["extra"] == 0) & (fields["comment"] == 0) & (fields["create_version"] <= _NEWEST)
    for name in ("compress_size", "file_size", "header_offset"):
        usual &= fields[name] != _ELSEWHERE
    flags, offsets = (fields[name].astype(np.int64) for name in ("flag_bits", "header_offset"))
    names = _names(called, flags)
    if not usual.all() or fields["name"].tolist() != [*map(len, called)] or names is None:
        return None
    return ZipList(names, flags, offsets, lambda place: _info(names[place], fields[place]))


def _names(called: Sequence[bytes], flags: IntArray) -> list[str] | None:
    """Names in letters that are beyond doubt; others are left to Python, which cuts at a NUL and may turn backslashes round."""
    text = b"".join(called)
    if b"\0" in text or b"\\" in text:
        return None
    if not text.isascii() and not all(map(bytes.isascii, itertools.compress(called, flags & _UTF8 == 0))):
        return None
    try:
        return [str(one, "utf-8") for one in called]
    except UnicodeDecodeError:
        return None


def _info(name: str, fields: np.void) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    for field in _WANTED:
        setattr(found, field, int(fields[field]))
    return found


def _directory(stream: BinaryIO) -> bytes:
    """The bytes of the list, where it ends the file and says truly where it is; else nothing."""
    end = stream.seek(0, io.SEEK_END) - _END.size
    if end < 0:
        return b""
    stream.seek(end)
    mark, disk, first, here, total, size, start, comment = _END.unpack(stream.read(_END.size))
    usual = mark == _END_MARK and not (disk or first or comment) and here == total != 0xFFFF
    if not usual or start + size != end:
        return b""
    stream.seek(start)
    return stream.read(size)
