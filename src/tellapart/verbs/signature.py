"""One line with everything needed to rerun a number."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart import __version__
from tellapart.fingerprint import fingerprint
from tellapart.scores import Pair
from tellapart.spelling import spell

BETWEEN = " | "
"""Between the parts of a signature; the data, which is a hash, is the last."""
HASHED = 1 << 16
"""Names that are one text at once."""


def sign(verb: str, data: str | Pair, /, **settings: Any) -> str:
    """Version, verb, settings in their spelling, and what the number was computed from."""
    data = pair_fingerprint(data) if isinstance(data, Pair) else data
    said = [f"{key}={spell(value)}" for key, value in settings.items() if value is not None]
    return BETWEEN.join([f"tellapart {__version__} {verb}", *said, f"data={data}"])


def amended(signature: str, **settings: Any) -> str:
    """The signature of a number that came about otherwise than was asked for: with these settings too, before the data."""
    head, _, data = signature.rpartition(BETWEEN)
    said = (f"{key}={spell(value)}" for key, value in settings.items() if value is not None)
    return BETWEEN.join([head, *said, data])


def pair_fingerprint(pair: Pair) -> str:
    """A short hash of the paired scores: equal for equal scores in canonical order, whatever file they came from."""
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    pieces = [piece for x in arrays for piece in (repr(x.shape).encode(), _bytes_of(x))]
    if len(pair.items) > HASHED:
        return fingerprint(chain(pieces, _joined(pair.items)))
    return fingerprint([*pieces, *_joined(pair.items)])


def _bytes_of(array: npt.NDArray[Any]) -> memoryview:
    """As they lie in memory: millions of scores are not copied to be hashed."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _joined(names: Sequence[str]) -> Iterator[bytes]:
    """All names with a NUL between them, some at a time."""
    for start in range(0, len(names), HASHED):
        between = "" if start == 0 else "\x00"
        yield (between + "\x00".join(names[start : start + HASHED])).encode(errors="surrogatepass")
