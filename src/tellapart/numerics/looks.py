"""Group sequential boundaries: alpha spent over planned looks. Lan & DeMets (1983).

At information t the test statistic is B(t)/√t for a Brownian motion B with drift; at each look it may cross a boundary. Crossing
probabilities follow look by look from the density of B among paths that have not crossed. Armitage, McPherson & Rowe (1969).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import density
from tellapart.numerics.roots import increasing_root

Spending = Literal["obf", "pocock"]
Sides = Literal[1, 2]

FARTHEST = 9.0
"""Standard deviations beyond which paths are left out: 1e-19 of them."""

PANEL = 3.0
"""Width of a quadrature panel in standard deviations of the shorter step beside it."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)

NEGLIGIBLE = 1e-12
"""A share of alpha so small that the boundary is the normal quantile of it: earlier looks take nothing away from it."""


def spent_by(spending: Spending, information: FloatArray, alpha: float) -> FloatArray:
    """Alpha spent on one side up to each look, of `alpha` on that side: O'Brien–Fleming-type or Pocock-type."""
    if spending == "pocock":
        return np.asarray(alpha * np.log1p(np.expm1(1.0) * information))
    return 2.0 * special.ndtr(special.ndtri(alpha / 2.0) / np.sqrt(information))


@dataclass(frozen=True, eq=False)
class Boundaries:
    """Critical z of every look, and the null densities of the paths that have not crossed before it."""

    information: FloatArray
    z: FloatArray
    sides: Sides
    paths: tuple["_Paths", ...]

    @property
    def nominal(self) -> FloatArray:
        """The level at each look, of a test with as many sides as the boundaries."""
        return np.asarray(self.sides * special.ndtr(-self.z))

    def crossed(self, drift: float = 0.0) -> FloatArray:
        """The probability to stop at each look, at the upper boundary or either one, where z at full information has mean `drift`."""
        return self.crossed_above(drift) if self.sides == 1 else self.crossed_above(drift) + self.crossed_above(-drift)

    def crossed_above(self, drift: float) -> FloatArray:
        """The probability to stop at each look at the upper boundary."""
        edges = self.z * np.sqrt(self.information)
        return np.array([paths.beyond(edge, drift) for paths, edge in zip(self.paths, edges, strict=True)])

    def expected_information(self, drift: float) -> float:
        """The mean share of the planned items at which a study stops."""
        stops = self.crossed(drift)
        return float(self.information @ stops + self.information[-1] * (1.0 - stops.sum()))

    def drift_with_power(self, power: float) -> float:
        """The mean of z at full information at which the upper boundary is crossed with this probability."""
        start = np.array([0.0])
        return float(
            increasing_root(lambda x: np.array([self.crossed_above(float(x[0])).sum() - power]), start, start + 5.0)[0]
        )

    def power_from(self, look: int, z: float, drift: float) -> float:
        """The probability to cross the upper boundary at a later look, where z at this one (0 is the first) is known."""
        if look + 1 >= len(self.information):
            return 0.0
        steps = np.diff(self.information)[look:]
        seen, at = float(self.information[look]), z * float(np.sqrt(self.information[look]))
        # The weight undoes the tilt of the drift up to here, which has happened already.
        weight = np.exp(-drift * at + 0.5 * drift**2 * seen)
        paths, power = _Paths(np.array([at]), np.array([weight]), seen, float(steps[0])), 0.0
        for place, later in enumerate(range(look + 1, len(self.information))):
            edge = float(self.z[later] * np.sqrt(self.information[later]))
            power += paths.beyond(edge, drift)
            if later + 1 < len(self.information):
                paths = paths.after(edge, self.sides, float(steps[place + 1]))
        return min(power, 1.0)

    def inflation(self, alpha: float, power: float) -> float:
        """Planned items over those of a test of the same level and power with one look; claims on the wrong side are no power."""
        fixed = special.ndtri(power) - special.ndtri(alpha / self.sides)
        return float((self.drift_with_power(power) / fixed) ** 2)


@dataclass(frozen=True, eq=False)
class _Paths:
    """Paths that have crossed no boundary: quadrature nodes of B at the last look, weighted densities, and the step to the next look."""

    nodes: FloatArray
    weighted: FloatArray
    seen: float
    step: float

    def beyond(self, edge: float, drift: float = 0.0) -> float:
        """The probability that B is above `edge` at the next look, and has crossed no boundary before."""
        tilted = self.weighted * np.exp(drift * self.nodes - 0.5 * drift**2 * self.seen)
        tail = special.ndtr((self.nodes + drift * self.step - edge) / np.sqrt(self.step))
        return float(tilted @ tail)

    def after(self, edge: float, sides: Sides, next_step: float) -> "_Paths":
        """The paths that are still within the boundary after one more look."""
        seen = self.seen + self.step
        reach = FARTHEST * np.sqrt(seen)
        high = min(edge, reach)
        low = -high if sides == 2 else -reach
        nodes, weights = _quadrature_panels(low, high, PANEL * np.sqrt(min(self.step, next_step)))
        gaps = (nodes[:, np.newaxis] - self.nodes) / np.sqrt(self.step)
        found = density(gaps) @ self.weighted / np.sqrt(self.step)
        return _Paths(nodes, weights * found, seen, next_step)


def spending_boundaries(information: FloatArray, spent: FloatArray, sides: Sides) -> Boundaries:
    """Boundaries that spend alpha as planned: `spent` is what has been spent on each side up to each look."""
    shares = np.diff(spent, prepend=0.0)

    def solve(look: int, paths: _Paths) -> float:
        share, root = float(shares[look]), np.sqrt(information[look])
        first = -float(special.ndtri(share))
        if look == 0 or share < NEGLIGIBLE:
            return first
        # Paths that crossed earlier are missing, so that the boundary lies below the quantile of the share.
        start = np.array([-first])
        rising = increasing_root(lambda x: np.array([paths.beyond(-x[0] * root) - share]), start, start + 0.5)
        return -float(rising[0])

    return _walk(information, solve, sides)


def lan_demets(information: FloatArray, spending: Spending, alpha: float, sides: Sides) -> Boundaries:
    """Boundaries of a published spending function at these looks."""
    return spending_boundaries(information, spent_by(spending, information, alpha / sides), sides)


LEAST, MOST = 1e-9, 0.9
"""Overall levels between which a repeated p-value is searched."""


@lru_cache(maxsize=64)
def planned_cost(looks: int, spending: Spending, alpha: float, sides: Sides, power: float) -> tuple[float, float]:
    """Most and expected items of equally spaced looks, each over the items of one look with the same power."""
    found = lan_demets(np.arange(1, looks + 1) / looks, spending, alpha, sides)
    grown = found.inflation(alpha, power)
    return grown, grown * found.expected_information(found.drift_with_power(power))


def repeated_pvalue(information: FloatArray, spending: Spending, pvalue: float, sides: Sides) -> float:
    """The smallest overall alpha at which a test with this p-value crosses the boundary of the last of these looks.

    1 where no alpha up to 0.9 is enough, and 1e-9 where a smaller one would be. Jennison & Turnbull (2000), section 9.
    """

    def surplus(log_alpha: float) -> float:
        nominal = lan_demets(information, spending, float(np.exp(log_alpha)), sides).nominal[-1]
        return float(special.ndtri(pvalue / sides) - special.ndtri(nominal / sides))

    low, high = float(np.log(LEAST)), float(np.log(MOST))
    if surplus(high) > 0.0:
        return 1.0
    if surplus(low) <= 0.0:
        return LEAST
    rising = increasing_root(lambda x: np.array([-surplus(min(float(x[0]), high))]), np.array([low]), np.array([high]))
    return float(np.exp(rising[0]))


def _walk(information: FloatArray, solve: Callable[[int, _Paths], float], sides: Sides) -> Boundaries:
    """Look by look: the boundary from the paths that reach it, then the paths that stay within it."""
    steps = np.diff(information, prepend=0.0)
    paths = [_Paths(np.zeros(1), np.ones(1), 0.0, float(steps[0]))]
    z: list[float] = []
    for look in range(len(information)):
        z.append(solve(look, paths[-1]))
        if look + 1 < len(information):
            edge = z[-1] * float(np.sqrt(information[look]))
            paths.append(paths[-1].after(edge, sides, float(steps[look + 1])))
    return Boundaries(information, np.array(z), sides, tuple(paths))


def _quadrature_panels(low: float, high: float, width: float) -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre nodes and weights on panels no wider than `width`."""
    edges = np.linspace(low, high, int(np.ceil((high - low) / width)) + 1)
    half = 0.5 * np.diff(edges)[:, np.newaxis]
    return (edges[:-1, np.newaxis] + half * (NODES + 1.0)).ravel(), (half * WEIGHTS).ravel()
