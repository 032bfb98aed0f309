"""What a block comes to, as a row of the file holds it: JSON, and behind it raw little-endian arrays. Nothing of it is ever run."""

import json
from typing import Any

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]

ARRAY = "array"
"""The key under which the text of a value names an array: how its numbers are kept, how they were, and its shape."""
_LENGTH = 8
"""Bytes that say how long the text before the arrays is."""


def packed(value: Any) -> str | bytes:
    """A number, a text, an array, or sequences of these; numbers come back to the bit, and every sequence as a tuple."""
    raw: list[bytes] = []
    text = json.dumps(_plain(value, raw))
    if not raw:
        return text
    head = text.encode()
    return b"".join([len(head).to_bytes(_LENGTH, "little"), head, *raw])


def unpacked(content: str | bytes) -> Any:
    """The value, as it was but for the kind of its sequences.

    >>> unpacked(packed((1, 0.1, None, "text")))
    (1, 0.1, None, 'text')
    """
    if isinstance(content, str):
        return _value(json.loads(content), memoryview(b""))
    start = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    return _value(json.loads(content[_LENGTH:start]), memoryview(content)[start:])


def _plain(value: Any, raw: list[bytes]) -> Any:
    if isinstance(value, np.ndarray):
        kept = _smaller(value)
        raw.append(kept.tobytes())
        first = sum(map(len, raw[:-1]))
        return {ARRAY: [kept.dtype.str, value.dtype.str, list(value.shape), first]}
    return [_plain(one, raw) for one in value] if isinstance(value, list | tuple) else value


def _smaller(value: AnyArray) -> AnyArray:
    """Counts in as few bytes as hold the largest of them: those of a large board would be eight times as many."""
    kept = value.dtype
    if kept.kind in "iu" and value.size and value.min() >= 0:
        kept = np.min_scalar_type(int(value.max()))
    return value.astype(kept.newbyteorder("<"))


def _value(told: Any, raw: memoryview) -> Any:
    if isinstance(told, list):
        return tuple(_value(one, raw) for one in told)
    if not isinstance(told, dict):
        return told
    kept, dtype, shape, first = told[ARRAY]
    found = np.frombuffer(raw, kept, int(np.prod(shape, dtype=np.int64)), first)
    # A copy: aligned, and its own.
    return found.astype(dtype).reshape(shape)
