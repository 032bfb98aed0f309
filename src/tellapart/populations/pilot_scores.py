"""What the scores of a pilot must be, and what tells one pilot from another. It knows no effect and draws nothing."""

from dataclasses import replace

import numpy as np

from tellapart.arrays import floats
from tellapart.errors import DataError, TooFew
from tellapart.fingerprint import digest
from tellapart.metrics.metric import Metric
from tellapart.scores import Pair
from tellapart.wording import amount


def checked(pair: Pair, metric: Metric) -> Pair:
    a, b = floats(pair.a), floats(pair.b)
    if a.ndim != 3 or len(a) != len(b) or a.shape[-1] != b.shape[-1]:
        raise DataError("a pilot needs the scores of two systems on the same items")
    if not metric.takes(a.shape[-1]):
        raise DataError(
            f"a pilot for {metric} needs {', '.join(metric.parts())} of every item, and these scores are of "
            f"{a.shape[-1]} parts; name the metric they are made for"
        )
    if len(a) < 2:
        raise TooFew(f"a pilot of {amount(len(a), 'item')} has no spread to plan with; at least 2 are needed")
    if any(np.isnan(x).all(axis=1).any() or np.isinf(x).any() for x in (a, b)):
        raise DataError("a pilot's scores must be finite, with at least one run of each system on every item")
    codes = (
        None if pair.clusters is None else np.unique(pair.clusters, return_inverse=True)[1].astype(np.int64)
    )
    return replace(pair, a=a, b=b, clusters=codes)


def digest_of(pair: Pair, metric: Metric) -> str:
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    scores = b"|".join(str(x.shape).encode() + x.tobytes() for x in arrays)
    return digest([scores] if metric.linear else [scores, f"|{metric}".encode()])
