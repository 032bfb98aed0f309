"""Streaming JSON parser that keeps only the current record in memory."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import Any

import numpy as np

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Characters, Origin

# Brackets in JSON that is at hand as text: how many there are, and how deep they go.

_NOT_BRACKETS = bytes(set(range(256)) - set(b'[]{}"'))
_TEXTS = re.compile(rb'"[^"]*+"')
_STEP = np.zeros(256, dtype=np.int8)
_STEP[list(b"[{")] = 1
_STEP[list(b"]}")] = -1
_CASE = np.uint8(ord("{") - ord("["))
_LONG = 1 << 10
"""Characters of a record from which on brackets are counted in all records at once."""


def openings(text: str, edges: Sequence[int]) -> Sequence[int]:
    """How many brackets open between each two places, those inside texts too."""
    if edges[-1] - edges[0] < _LONG * len(edges) or not text.isascii():
        return [text.count("{", *ends) + text.count("[", *ends) for ends in pairwise(edges)]
    # Long records all at once, which is twice as fast. [ and { differ in one bit.
    codes = np.frombuffer(text[edges[0] : edges[-1]].encode("ascii"), dtype=np.uint8)
    places = np.flatnonzero((codes | _CASE) == ord("{")) + edges[0]
    return list(map(int, np.diff(np.searchsorted(places, edges))))


def depth(text: str) -> int:
    """How deep the brackets of a JSON text go, those inside texts not counted."""
    content = text.encode(errors="replace")
    # To look first is a hundred times as fast as to replace nothing.
    if b"\\" in content:
        content = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Of most texts nothing is left but their quotes.
    bare = content.translate(None, _NOT_BRACKETS).replace(b'""', b"")
    if b'"' in bare:
        bare = _TEXTS.sub(b"", bare)
    steps = _STEP[np.frombuffer(bare, dtype=np.uint8)]
    return int(np.cumsum(steps, dtype=np.int64).max(initial=0))


CHUNK = 1 << 19
"""Characters that are read at once; more where a record is longer."""
TAIL = CHUNK // 16
"""Characters before the end of what was read among which a record may be cut."""

_BLANK = re.compile(r"[ \t\r\n]*")
_BLANKS = frozenset(("", " ", "\t", "\r", "\n"))


class JsonText:
    """A place in a text that is read as it moves on; what lies behind it is dropped."""

    def __init__(self, name: str, stream: Characters, limits: Limits) -> None:
        self._name, self._stream, self._limits = name, stream, limits
        self._text, self._at, self._ended = "", 0, False
        # Lines are counted from the last place where they were: from the start it would take as long as decoding.
        self._counted, self._line = 0, 1

    @property
    def line(self) -> int:
        """The line on which the walk is."""
        # Most programs write one line: to look for an end is ten times as fast as to count them.
        if self._text.find("\n", self._counted, self._at) >= 0:
            self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def peek(self) -> str:
        """The next character that is no blank, or nothing at the end."""
        while True:
            text, at = self._text, self._at
            # One line end between two records is the rule.
            if text[at : at + 1] == "\n":
                at += 1
            if text[at : at + 1] not in _BLANKS:
                self._at = at
                return text[at]
            blank = _BLANK.match(text, at)
            self._at = blank.end() if blank else at
            if self._at < len(text):
                return text[self._at]
            if not self._more():
                return ""

    def _drop_behind(self) -> None:
        """Forget what was taken: where a record is cut, the decoder counts all the lines before it, which takes as long as to decode them."""
        if self._at > TAIL:
            _ = self.line
            self._text = self._text[self._at :]
            self._at = self._counted = 0

    def _more(self) -> bool:
        """Read on, dropping what lies behind; False at the end."""
        if self._ended:
            return False
        rest = len(self._text) - self._at
        if rest > self._limits.record:
            raise self._limits.refusal(
                f"{self._name}, line {self.line}", f"a record of more than {self._limits.record:,} characters", "record"
            )
        # At least as much again as is there, so that a long record is not tried too often.
        piece = self._stream.read(max(CHUNK, rest))
        self._ended = not piece
        if piece:
            _ = self.line
            self._text = self._text[self._at :] + piece if rest else piece
            self._at = self._counted = 0
        return bool(piece)

    def _refuse_nested_among(self, starts: Sequence[int], end: int) -> None:
        """Brackets that go too deep, in any of the records that start here."""
        edges = (*starts, end)
        for record in np.flatnonzero(np.array(openings(self._text, edges)) > self._limits.nesting).tolist():
            self._at = edges[record]
            self._refuse_nested(edges[record + 1])

    def _refuse_nested(self, end: int) -> None:
        """Refuse brackets nested too deep; most records hold fewer brackets than the limit."""
        most = self._limits.nesting
        text = self._text
        if openings(text, (self._at, end))[0] <= most:
            return
        deepest = depth(text[self._at : end])
        if deepest > most:
            place = f"{self._name}, line {self.line}"
            raise self._limits.refusal(place, f"brackets nested {deepest:,} deep", "nesting", deepest)

    def _fault_at(self, found: str) -> ReadError:
        return ReadError(f"{self._name}, line {self.line}: {found}. Is the file whole?")


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
def walk_json(origin: Origin) -> Iterator["Walk"]:
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
            raise self._fault_at("the file ends where a value should be. Is it whole?")
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._is_real(error) or not self._more():
                    raise self._fault_at(f"not whole JSON ({error.msg[:1].lower()}{error.msg[1:]})") from None
                continue
            except (ValueError, RecursionError) as error:
                raise self._fault_at(f"JSON that cannot be read ({error})") from None
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
            raise self._fault_at(f"found {self._text[self._at : self._at + 20]!r} after the end of the JSON")

    def _inside(self, opening: str, closing: str) -> Iterator[str]:
        if self.peek() != opening:
            raise self._fault_at(f"found {self.peek()!r}; wanted {opening}")
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
                raise self._fault_at(f"{found} inside {opening}…{closing}; wanted a comma or {closing}")

    def _key(self) -> str:
        if self.peek() != '"':
            raise self._fault_at(f"found {self.peek() or 'the end'!r}; wanted a key in quotes")
        key = self.value()
        if self.peek() != ":":
            raise self._fault_at(f"found {self.peek() or 'the end'!r} after a key; wanted a colon")
        self._at += 1
        return str(key)

    def _is_real(self, error: json.JSONDecodeError) -> bool:
        """Whether the fault is in what was read, and not that it goes on behind it."""
        # A literal or an escape may be cut in its middle, a few characters before the end.
        return not error.msg.startswith(_CUT) and error.pos < len(self._text) - 16
