"""A JSON text of which the piece at hand is in memory: the place in it, its line, reading on, and what is refused."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Characters

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
                f"{self._name}, line {self.line}",
                f"a record of more than {self._limits.record:,} characters",
                "record",
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
        """Brackets that go too deep; most records do not even hold so many."""
        most = self._limits.nesting
        text = self._text
        if openings(text, (self._at, end))[0] <= most:
            return
        deepest = depth(text[self._at : end])
        if deepest > most:
            place = f"{self._name}, line {self.line}"
            raise self._limits.refusal(place, f"brackets nested {deepest:,} deep", "nesting", deepest)

    def _fault(self, found: str) -> ReadError:
        return ReadError(f"{self._name}, line {self.line}: {found}. Is the file whole?")
