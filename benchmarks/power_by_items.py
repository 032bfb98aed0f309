"""Does power fall as items are added? The largest fall at a fixed effect, beside the 0.03 that is allowed: no times, but shares of evaluations.

Samples of n items are the first n of the same long ones (common random numbers), each judged by what `choose` takes for it.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.foundation.seeds import stream
from tellapart.metrics.mean import Mean

ITEMS = (6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400)
EVALUATIONS, EFFECT, ALLOWED = 2_000, 0.3, 0.03

Law = Callable[[np.random.Generator, tuple[int, int]], npt.NDArray[np.float64]]


def _near_binary(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    wrong = rng.uniform(0.12, 0.34, (2, *shape))
    a, b = (np.where(rng.random(shape) < share, 1.0, low) for share, low in zip((0.5, 0.7), wrong, strict=True))
    return np.asarray(b - a)


LAWS: dict[str, Law] = {
    "normal": lambda rng, shape: rng.normal(EFFECT, 1.0, shape),
    "uniform": lambda rng, shape: rng.uniform(-1.0, 1.0, shape) * 3.0**0.5 + EFFECT,
    "Laplace": lambda rng, shape: rng.laplace(EFFECT, 0.5**0.5, shape),
    "t, 3 df": lambda rng, shape: rng.standard_t(3.0, shape) / 3.0**0.5 + EFFECT,
    "exponential, gain with the tail": lambda rng, shape: rng.exponential(1.0, shape) - 1.0 + EFFECT,
    "exponential, gain against the tail": lambda rng, shape: 1.0 - rng.exponential(1.0, shape) + EFFECT,
    "right or a graded wrong": _near_binary,
    "ratings": lambda rng, shape: np.clip(np.rint(rng.normal(EFFECT, 1.0, shape)), -2.0, 2.0),
}


def rows() -> list[tuple[str, float, float, str]]:
    return [
        (f"largest fall of power from 6 to 400 items, {name}", max(_largest_fall(law), 1e-9), ALLOWED, "≥ 1")
        for name, law in LAWS.items()
    ]


def _largest_fall(law: Law) -> float:
    whole = law(stream(0), (EVALUATIONS, ITEMS[-1]))
    powers = np.array([_power(whole[:, :items]) for items in ITEMS])
    return float((np.maximum.accumulate(powers) - powers).max())


def _power(differences: npt.NDArray[np.float64]) -> float:
    b = differences[..., np.newaxis, np.newaxis]
    # A's scores are no right or wrong ones, whatever the differences are.
    sample = PairedSample(Pair(np.full_like(b, 0.123), b + 0.123), Mean())
    tests = [choose(profile).test for profile in ScoreProfile.each(sample)]
    rejected = 0
    for test in set(tests):
        which = [place for place, one in enumerate(tests) if one == test]
        found = test.apply(sample.entries(which).sample(test), stream(1)).pvalue
        rejected += int(np.count_nonzero(found <= 0.05))
    return rejected / len(tests)
