"""One line with everything needed to rerun a number."""

from typing import Any

import numpy as np

from tellapart import __version__
from tellapart.scores import Pair
from tellapart.spelling import spell


def sign(verb: str, data: str, /, **settings: Any) -> str:
    """Version, verb, settings in their spelling, and what the number was computed from."""
    said = [f"{key}={spell(value)}" for key, value in settings.items() if value is not None]
    return " | ".join([f"tellapart {__version__} {verb}", *said, f"data={data}"])


def fingerprint(pair: Pair) -> str:
    """A short hash of the paired scores: equal for equal scores in canonical order, whatever file they came from."""
    import hashlib  # noqa: PLC0415  (only real scores have a fingerprint)

    digest = hashlib.sha256()
    for array in (pair.a, pair.b, pair.clusters):
        if array is not None:
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update("\x00".join(pair.items).encode(errors="surrogatepass"))
    return f"sha256:{digest.hexdigest()[:16]}"
