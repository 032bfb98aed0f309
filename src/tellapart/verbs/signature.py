"""The signature of an answer: one line with version, settings and data hash, enough to recompute it."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart import __version__
from tellapart.data.pair import Pair
from tellapart.foundation.seeds import fingerprint
from tellapart.foundation.spelling import spell

SEPARATOR = " | "
"""Separates the parts of a signature; the last one is the hash of the data."""
NAMES_PER_BLOCK = 1 << 16
"""Names that are joined into one string at a time."""


def sign(verb: str, data: str | Pair, /, **settings: Any) -> str:
    """Version, verb, settings as they are spelled, and a hash of the data."""
    data = pair_fingerprint(data) if isinstance(data, Pair) else data
    parts = [f"{key}={spell(value)}" for key, value in settings.items() if value is not None]
    return SEPARATOR.join([f"tellapart {__version__} {verb}", *parts, f"data={data}"])


def amended(signature: str, **settings: Any) -> str:
    """The signature with more settings, before the data: those of an answer that differs from what was asked for."""
    head, _, data = signature.rpartition(SEPARATOR)
    parts = (f"{key}={spell(value)}" for key, value in settings.items() if value is not None)
    return SEPARATOR.join([head, *parts, data])


def pair_fingerprint(pair: Pair) -> str:
    """A short hash of the paired scores in canonical order, independent of the file."""
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    pieces = [piece for x in arrays for piece in (repr(x.shape).encode(), _bytes_of(x))]
    if len(pair.items) > NAMES_PER_BLOCK:
        return fingerprint(chain(pieces, _joined(pair.items)))
    return fingerprint([*pieces, *_joined(pair.items)])


def _bytes_of(array: npt.NDArray[Any]) -> memoryview:
    """A view of the memory, so that millions of scores are not copied to be hashed."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _joined(names: Sequence[str]) -> Iterator[bytes]:
    """All names, separated by NUL, in blocks."""
    for start in range(0, len(names), NAMES_PER_BLOCK):
        between = "" if start == 0 else "\x00"
        yield (between + "\x00".join(names[start : start + NAMES_PER_BLOCK])).encode(errors="surrogatepass")
