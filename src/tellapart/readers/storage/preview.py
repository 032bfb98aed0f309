"""Preview of a file from its first bytes: the kind of content and the first two records."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

ContentKind = Literal["text", "object", "array", "records", "zip", "parquet", "xml", "binary", "nothing"]

_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
_BLANK = re.compile(r"[ \t\r\n]*")
_MARK = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\],]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Preview:
    """`first` and `second` are the first two records: of an array its elements, else the values one after the other.

    A record that goes beyond the head holds what the head has of it. `whole` says that the first one ends within the head.
    """

    kind: ContentKind
    first: Any = None
    second: Any = None
    whole: bool = True

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self.first) if isinstance(self.first, dict) else frozenset()

    def has(self, *keys: str) -> bool:
        """Whether the first record is an object with all of these keys."""
        return self.keys.issuperset(keys)

    def at(self, *path: str) -> Any:
        """The value under a path of keys in the first record, or None."""
        found = self.first
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        return found


def preview_bytes(head: bytes) -> Preview | None:
    """The preview of binary content, by its first bytes."""
    for signature, kind in _SIGNATURES.items():
        if head.startswith(signature):
            return Preview(kind)
    # No UTF-8 text has a NUL, and hardly any other file does without one for so long.
    return Preview("binary") if b"\0" in head[:4096] else None


def preview_text(opening: str) -> Preview:
    """The preview of a text; never raises."""
    start = _after_blanks(opening, 0)
    mark = opening[start : start + 1]
    if mark == "{":
        return _records(opening, start)
    return _array(opening, start) if mark == "[" else Preview(_BY_MARK.get(mark, "text"))


_SIGNATURES: dict[bytes, ContentKind] = {b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"PAR1": "parquet"}
_BY_MARK: dict[str, ContentKind] = {"<": "xml", "": "nothing"}


def _records(text: str, start: int) -> Preview:
    first, end = _object_at(text, start)
    if end is None:
        return Preview("object", first, whole=False)
    following = _after_blanks(text, end)
    if text[following : following + 1] != "{":
        return Preview("object", first)
    return Preview("records", first, _object_at(text, following)[0])


def _array(text: str, start: int) -> Preview:
    at = _after_blanks(text, start + 1)
    if text[at : at + 1] != "{":
        return Preview("array")
    first, end = _object_at(text, at)
    if end is None:
        return Preview("array", first, whole=False)
    comma = _after_blanks(text, end)
    following = _after_blanks(text, comma + 1)
    there = text[comma : comma + 1] == "," and text[following : following + 1] == "{"
    return Preview("array", first, _object_at(text, following)[0] if there else None)


def _after_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _object_at(text: str, start: int) -> tuple[Any, int | None]:
    """The object that begins here and where it ends, or what there is of it and no end."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    try:
        return _DECODER.decode(_closed(text, start)), None
    except (ValueError, RecursionError):
        return None, None


def _closed(text: str, start: int) -> str:
    """A text that is cut, up to its last whole part, with the brackets closed that are open there."""
    stack: list[str] = []
    safe = start
    for mark in _MARK.finditer(text, start):
        found = mark[0]
        # A quote that no other one follows: the text was cut within a string.
        if found == '"':
            break
        if found in "{[":
            stack.append(_CLOSING[found])
        elif found in "}]":
            if not stack or stack.pop() != found:
                break
        elif found != ",":
            continue
        safe = mark.start() if found == "," else mark.end()
    return text[start:safe] + "".join(reversed(stack))
