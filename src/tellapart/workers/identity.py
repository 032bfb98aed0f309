"""Whether two workers compute the same bits: their versions, and the hash of what a small computation comes to.

NumPy's exp and pow differ between processors, and BLAS between kernels, at equal versions: only computing tells.
"""

import functools
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import tellapart
from tellapart.fingerprint import digest
from tellapart.seeds import stream


@dataclass(frozen=True)
class Identity:
    tellapart: str
    numpy: str
    scipy: str
    python: str
    arithmetic: str
    """The first digits of the hash of the self-test."""

    def unlike(self, other: "Identity") -> str:
        """What differs from another, in words; empty where nothing does."""
        mine, theirs = asdict(self), asdict(other)
        told = (f"{name} {theirs[name]} (here {mine[name]})" for name in mine if mine[name] != theirs[name])
        return ", ".join(told)


def own() -> Identity:
    """That of this process."""
    import numpy as np  # noqa: PLC0415  (a worker is asked once)
    import scipy  # noqa: PLC0415

    return Identity(
        tellapart.__version__, np.__version__, scipy.__version__, platform.python_version(), arithmetic()
    )


@functools.cache
def arithmetic() -> str:
    return digest(_computed())[:16]


def _computed() -> Iterator[bytes]:
    """What differs first between processors: elementary functions, sums, small products of matrices, special functions, draws."""
    import numpy as np  # noqa: PLC0415  (a worker is asked once)
    from scipy import special  # noqa: PLC0415

    rng = stream(18)
    # A prime number of them: loops of vector instructions then leave a rest, which other instructions compute.
    x = rng.normal(size=1031)
    positive = rng.gamma(0.7, size=1031) + 1e-3
    yield from (np.ascontiguousarray(one).tobytes() for one in (x, positive, rng.beta(0.4, 2.0, 257)))
    yield from (f(x).tobytes() for f in (np.exp, np.sin, np.tanh, special.ndtr, special.expit))
    yield from (f(positive).tobytes() for f in (np.log, np.sqrt, np.log1p, np.cbrt, special.gammaln))
    yield (positive**1.37).tobytes()
    yield np.array([x.sum(), x.mean(), x.var(), x @ positive, np.cumsum(x)[-1]]).tobytes()
    square = x[:961].reshape(31, 31)
    yield (square @ square.T).tobytes()
    yield special.stdtr(7.5, x).tobytes()
    yield special.betainc(positive, positive[::-1], special.expit(x)).tobytes()
