"""JSON read piece by piece: only the record at hand is in memory, however long the document is."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from tellapart.readers.storage.json_text import TAIL, JsonText, depth
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Characters, Origin

_SHORT = 1 << 10
"""Characters of an element up to which it is decoded together with those that follow, _PIECE characters at a time."""
_PIECE = 1 << 16
_BORDER = "},{"
"""Between two objects as programs write them that mean to be short."""
# Many writers print NaN where a judge failed, and Infinity in settings: no score is there.
_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
_SCAN: Any = getattr(_DECODER, "scan_once")  # noqa: B009  (there, and in no stub)
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
# What the decoder says of a text that ends too soon, wherever it says it.
_CUT = "Unterminated string"


@contextmanager
def walking(origin: Origin) -> Iterator["Walk"]:
    """A walk through the JSON of an origin."""
    with origin.characters() as text:
        yield Walk(origin.name, text, origin.limits)


class Walk(JsonText):
    """A place in a JSON text that moves on: `value` takes what is there, `entries` and `elements` step into it.

    What a caller does not take of the value under a key, or of an element, is passed over.
    """

    def __init__(self, name: str, stream: Characters, limits: Limits) -> None:
        super().__init__(name, stream, limits)
        self._taken = 0

    def value(self) -> Any:
        """The value that begins here, whole."""
        self._taken += 1
        if not self.peek():
            raise self._fault("the file ends where a value should be. Is it whole?")
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._is_real(error) or not self._more():
                    raise self._fault(f"not whole JSON ({error.msg[:1].lower()}{error.msg[1:]})") from None
                continue
            except (ValueError, RecursionError) as error:
                raise self._fault(f"JSON that cannot be read ({error})") from None
            # A number at the very end may go on in the next piece.
            if end < len(self._text) or not self._more():
                self._refuse_nested(end)
                self._at = end
                return found

    def values(self) -> Iterator[tuple[int, Any]]:
        """Every record with its line: one value after the other, or the elements of one array."""
        if self.peek() == "[":
            for found in self.each():
                yield self.line, found
            return
        in_lines = True
        while self.peek():
            if in_lines:
                before = self._at
                yield from self._whole_lines()
                # Where records are not one per line, looking for lines again and again would take longer than decoding.
                in_lines = self._at > before
                if in_lines and "\n" not in self._text[self._at :] and self._more():
                    continue
                if not self.peek():
                    return
            yield self.line, self.value()

    def _whole_lines(self) -> Iterator[tuple[int, Any]]:
        """The records of the lines that are at hand, as long as each is one: decoded with next to nothing around it.

        None is kept once it was taken: memory that is used again at once is three times as fast.
        """
        text, at, end, line = self._text, self._at, self._text.rfind("\n"), self.line
        starts: list[int] = []
        while at < end:
            try:
                found, stop = _SCAN(text, at)
                if text[stop] != "\n":
                    stop = text.index("\r\n", stop, stop + 2) + 1
            except (StopIteration, ValueError, RecursionError, IndexError):
                break
            # A record that goes over several lines is read by itself, so that the number of the next line is known.
            if text.find("\n", at, stop) >= 0:
                break
            starts.append(at)
            at = stop + 1
            line += 1
            yield line - 1, found
        self._refuse_nested_among(starts, at)
        self._at = at

    def each(self) -> Iterator[Any]:
        """The elements of the array that begins here, one by one."""
        for _ in self.elements():
            yield self.value()
            yield from chain.from_iterable(self._pieces_at_hand())
            yield from self._elements_at_hand()

    def _pieces_at_hand(self) -> Iterator[list[Any]]:
        """Short elements that follow, many by one call of the decoder, which then makes each of their keys once.

        A piece ends where an object seems to. If that was within one, the piece is no JSON; else it means the same as in its place.
        """
        text = self._text
        while text.find(_BORDER, self._at, self._at + _SHORT) >= 0 and text.startswith(_BORDER[1:], self._at):
            cut = text.rfind(_BORDER, self._at, self._at + _PIECE) + 1
            piece = f"[{text[self._at + 1 : cut]}]"
            try:
                found = _DECODER.decode(piece)
            except (ValueError, RecursionError):
                return
            # An element is one less deep than the array around it; and who asks for its line wants its own.
            if depth(piece) > self._limits.nesting + 1 or "\n" in piece:
                return
            self._at = cut
            yield found

    def _elements_at_hand(self) -> Iterator[Any]:
        """The elements that follow and are read already, as long as each is whole: decoded with next to nothing around it."""
        yield from self._elements_before(len(self._text) - TAIL)
        self._drop_behind()
        yield from self._elements_before(len(self._text))

    def _elements_before(self, place: int) -> Iterator[Any]:
        text, at, last = self._text, self._at, len(self._text)
        starts: list[int] = []
        while at < place:
            start = at + 1
            if not text.startswith(",{", at):
                comma = _COMMA.match(text, at)
                if comma is None:
                    break
                start = comma.end()
            try:
                found, stop = _SCAN(text, start)
            except (StopIteration, ValueError, RecursionError):
                break
            if stop >= last:
                break
            starts.append(start)
            self._at = at = stop
            yield found
        self._refuse_nested_among(starts, at)
        self._at = at

    def entries(self) -> Iterator[str]:
        """The keys of the object that begins here, each with the walk at its value."""
        yield from self._inside("{", "}")

    def elements(self) -> Iterator[str]:
        """One step per element of the array that begins here."""
        yield from self._inside("[", "]")

    def finish(self) -> None:
        """Nothing may follow."""
        if self.peek():
            raise self._fault(f"found {self._text[self._at : self._at + 20]!r} after the end of the JSON")

    def _inside(self, opening: str, closing: str) -> Iterator[str]:
        if self.peek() != opening:
            raise self._fault(f"found {self.peek()!r}; wanted {opening}")
        self._taken += 1
        self._at += 1
        if self.peek() == closing:
            self._at += 1
            return
        while True:
            key = self._key() if opening == "{" else ""
            taken = self._taken
            yield key
            if self._taken == taken:
                self.value()
            mark = self.peek()
            self._at += 1
            if mark == closing:
                return
            if mark != ",":
                self._at -= 1
                found = f"found {mark!r}" if mark else "the file ends"
                raise self._fault(f"{found} inside {opening}…{closing}; wanted a comma or {closing}")

    def _key(self) -> str:
        if self.peek() != '"':
            raise self._fault(f"found {self.peek() or 'the end'!r}; wanted a key in quotes")
        key = self.value()
        if self.peek() != ":":
            raise self._fault(f"found {self.peek() or 'the end'!r} after a key; wanted a colon")
        self._at += 1
        return str(key)

    def _is_real(self, error: json.JSONDecodeError) -> bool:
        """Whether the fault is in what was read, and not that it goes on behind it."""
        # A literal or an escape may be cut in its middle, a few characters before the end.
        return not error.msg.startswith(_CUT) and error.pos < len(self._text) - 16
