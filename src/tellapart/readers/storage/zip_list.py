"""The central directory of a zip archive: names and positions of its members."""

import io
import itertools
import struct
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from tellapart.foundation.arrays import IntArray
from tellapart.readers.storage.limits import Limits

_END = struct.Struct("<4s4H2IH")
_MARK, _END_MARK = b"PK\x01\x02", b"PK\x05\x06"
_LARGE_END_MARK, _LARGE_SIZE_AT = b"PK\x06\x06", 40
"""The end of an archive of the larger kind (zip64), and where in it the bytes of the list are counted."""
_LOCATOR_MARK, _LOCATOR = b"PK\x06\x07", 20
"""The locator between that record and the usual end."""
_LONGEST_END = 0xFFFF + _END.size + 76
"""Bytes at the end of an archive within which its list ends, a comment and the records of zip64 included."""
_FIXED, _LENGTHS, _LENGTHS_AT = 46, struct.Struct("<3H"), 28
"""Bytes of an entry before its name, and where in them the lengths of name, extra field and comment are."""
FOLDERS = 10_000
"""Entries beyond the limit of files that may be folders."""
_FIELDS = np.dtype(
    [
        ("by", "<u2"), ("create_version", "<u2"), ("flag_bits", "<u2"), ("compress_type", "<u2"), ("time", "<u4"), ("CRC", "<u4"),
        ("compress_size", "<u4"), ("file_size", "<u4"), ("name", "<u2"), ("extra", "<u2"), ("comment", "<u2"), ("disk", "<u2"),
        ("internal", "<u2"), ("external", "<u4"), ("header_offset", "<u4"),
    ]
)  # fmt: skip
"""Fields between the mark of an entry and its name; those that `zipfile` needs have its names."""
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
    """The entries that an archive lists."""
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
    names = _decoded_names(called, flags)
    if not usual.all() or fields["name"].tolist() != [*map(len, called)] or names is None:
        return None
    return ZipList(names, flags, offsets, lambda place: _info(names[place], fields[place]))


def _decoded_names(called: Sequence[bytes], flags: IntArray) -> list[str] | None:
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


def refuse_many_entries(stream: BinaryIO, name: str, limits: Limits) -> None:
    """Files and folders beyond the limit: counted in the bytes of the list, before Python makes an object of each."""
    directory = _any_directory(stream)
    count = at = 0
    while directory.startswith(_MARK, at) and count <= limits.members + FOLDERS:
        lengths = _LENGTHS.unpack_from(directory, at + _LENGTHS_AT) if at + _FIXED <= len(directory) else (0,)
        count, at = count + 1, at + _FIXED + sum(lengths)
    if count > limits.members + FOLDERS:
        raise limits.refusal(name, f"an archive of more than {limits.members:,} files", "members")


def _any_directory(stream: BinaryIO) -> bytes:
    """The list of an archive of any kind as it is stored; nothing where none is found."""
    end = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, end - _LONGEST_END))
    tail = stream.read()
    place = tail.rfind(_END_MARK)
    if place < 0 or place + _END.size > len(tail):
        return b""
    *_, size, _start, _comment = _END.unpack_from(tail, place)
    large = tail.rfind(_LARGE_END_MARK, 0, place) if tail.startswith(_LOCATOR_MARK, place - _LOCATOR) else -1
    if large >= 0:
        size, place = struct.unpack_from("<Q", tail, large + _LARGE_SIZE_AT)[0], large
    ends = end - len(tail) + place
    stream.seek(max(0, ends - size))
    return stream.read(min(size, ends))
