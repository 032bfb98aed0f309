"""Brackets in JSON that is at hand as text: how many there are, and how deep they go."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

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
