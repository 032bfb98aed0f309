"""Populations that break one law each: negative controls of the laws."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.noise import Noise
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import Design


@dataclass(frozen=True, kw_only=True)
class Wrong(Gaussian):
    """Normal scores, spoiled in one way by whoever inherits them."""

    name = "gaussian"
    sd: float = 0.12
    correlation: float = 0.5
    effect: float | None = 0.05


class Shifted(Wrong):
    """Does not have the effect it claims: off by a sixth of a standard deviation."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        return Pair(pair.a, pair.b + 0.02)


class SevenPercentShort(Wrong):
    """Draws 93 % of its effect."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        return Pair(pair.a, pair.b - 0.07 * self.known_effect)


class Wider(Wrong):
    """Says that its differences spread by a tenth more than they do."""

    @property
    def sd_difference(self) -> float:
        return 1.1 * super().sd_difference


class LessCorrelated(Wrong):
    def _correlated(self, noise: Noise) -> FloatArray:
        return np.asarray(0.4 * noise.layers[0] + 0.84**0.5 * noise.layers[1])


class Elsewhere(Wrong):
    """Both systems score more than it says."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        return Pair(pair.a + 0.01, pair.b + 0.01)


class Louder(Wrong):
    """Scores spread by a tenth more than it says, and differences as they should."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        more = 0.1 * (pair.a - self.mean)
        return Pair(pair.a + more, pair.b + more)


class InFours(Wrong):
    """Says that its items come four at a time."""

    unit = 4


class Apart(Wrong):
    """Says that its systems have items of their own."""

    paired = False


class Forgetful(Wrong):
    """Keeps A's scores under a name that does not say their spread."""

    def _scores_a(self, noise: Noise) -> FloatArray:
        return noise.once("scores of A", lambda: self._clipped(noise.layers[0], self.sd, self.mean))


class InPlace(Wrong):
    """Writes into the random numbers that others use too."""

    def _differences(self, noise: Noise) -> Differences:
        found = super()._differences(noise)
        noise.layers[0][...] *= 0.5
        return found


class OwnChance(Wrong):
    """Draws on randomness that no seed rules."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        return Pair(pair.a, pair.b + 1e-9 * np.random.default_rng().normal())


class Jumping(Wrong):
    """Takes other random numbers where the effect is larger."""

    def scores(self, noise: Noise) -> Pair:
        layers = noise.layers if self.known_effect < 0.02 else noise.layers[::-1]
        return super().scores(Noise(layers))


class Doubled(Wrong):
    """Its differences are not those of its scores."""

    def _differences(self, noise: Noise) -> Differences:
        return Differences(2.0 * super()._differences(noise).values)


class Flat(Wrong):
    """Scores without the axes of runs and parts."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        return Pair(pair.a[..., 0, 0], pair.b[..., 0, 0])


class Narrower(Wrong):
    """Says that it cannot have effects which it does have."""

    @property
    def effect_range(self) -> tuple[float, float]:
        return -0.1, 0.1

    def __post_init__(self) -> None:
        super(Gaussian, self).__post_init__()


class Defaulting(Wrong):
    """Supposes an effect where none was given."""

    @property
    def known_effect(self) -> float:
        return 0.0 if self.effect is None else self.effect


class Travelling(Wrong):
    """Forgets its effect on the way."""

    def __reduce__(self) -> Any:
        return Travelling, ()


@dataclass(frozen=True, kw_only=True)
class WrongCounts(PairedBinary):
    """Right-or-wrong scores, spoiled in one way by whoever inherits them."""

    name = "paired_binary"
    accuracy: float | None = 0.7
    discordance: float | None = 0.3
    effect: float | None = 0.1


class MoreAlike(WrongCounts):
    """Its scores differ on fewer items than it says."""

    def scores(self, noise: Noise) -> Pair:
        return PairedBinary(accuracy=0.7, discordance=0.25, effect=self.effect).scores(noise)


class FastAndWrong(WrongCounts):
    """Counts drawn directly are not those of its scores."""

    def draw_summary(self, needs: type, design: Design, size: int, rng: Generator) -> Discordance | None:
        other = PairedBinary(accuracy=0.8, discordance=0.3, effect=self.effect)
        return other.draw_summary(needs, design, size, rng)
