"""One line with everything needed to rerun a number."""

from typing import Any

import numpy as np

from tellapart import __version__
from tellapart.fingerprint import fingerprint
from tellapart.scores import Pair
from tellapart.spelling import spell


def sign(verb: str, data: str | Pair, /, **settings: Any) -> str:
    """Version, verb, settings in their spelling, and what the number was computed from."""
    data = pair_fingerprint(data) if isinstance(data, Pair) else data
    said = [f"{key}={spell(value)}" for key, value in settings.items() if value is not None]
    return " | ".join([f"tellapart {__version__} {verb}", *said, f"data={data}"])


def pair_fingerprint(pair: Pair) -> str:
    """A short hash of the paired scores: equal for equal scores in canonical order, whatever file they came from."""
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    pieces = [piece for x in arrays for piece in (repr(x.shape).encode(), np.ascontiguousarray(x).tobytes())]
    return fingerprint([*pieces, "\x00".join(pair.items).encode(errors="surrogatepass")])
