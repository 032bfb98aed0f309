import math
from dataclasses import dataclass, field, replace

import numpy as np

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.quantities import fraction, several
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design
from tellapart.populations.wrapper import Wrapper


@POPULATIONS.add("clustered")
@dataclass(frozen=True, kw_only=True)
class Clustered(Wrapper):
    """Items come in clusters of one size (questions on a passage, turns of a dialogue) that rise and fall together.

    `icc` is the correlation, between two items of a cluster, of the normals that scores are made of; margins, effect
    and the correlation of the systems stay as they are. For `gaussian` without clip it is exactly the intraclass
    correlation of the differences, the one that matters for comparing systems; for other scores theirs is somewhat
    lower. Right-or-wrong answers are drawn from one normal per item, from "only A is right" over neither and both up to "only B": a
    cluster shares that one, and has no difficulty of its own beside it. The wrong choice for clusters of very uneven size, which
    cost more: use a `pilot` with its clusters.
    """

    size: int = field(metadata={"help": "items in a cluster"})
    icc: float = field(metadata={"help": "intraclass correlation of the differences"})
    clusters: int | None = field(default=None, metadata={"help": "how many clusters, in place of items"})

    label = "clustered scores"
    test = "cluster_t(variance=cr2)"
    examples = (
        "clustered(effect=0.02, population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3)",
        "clustered(effect=0.05, population=paired_binary(accuracy=0.7, discordance=0.2), size=4, icc=0.5)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        several(self.name, "size", self.size)
        fraction(self.name, "icc", self.icc)
        if self.clusters is not None:
            several(self.name, "clusters", self.clusters)
        clustered = any(isinstance(p, Clustered) for p in self.inside)
        if clustered or self.latent == 0 or not self.inside[-1].paired:
            raise Unsuitable(
                f"clustered cannot wrap {self.population}: it takes paired scores that have no clusters yet. A pilot "
                "keeps the clusters of its file"
            )

    @property
    def unit(self) -> int:
        return self.size

    @property
    def fixed_items(self) -> int | None:
        return None if self.clusters is None else self.clusters * self.size

    @property
    def design_effect(self) -> float:
        """How many times more items a mean needs than with independent ones, when `icc` is that of the differences."""
        return 1.0 + (self.size - 1) * self.icc

    def draws(self, design: Design) -> tuple[Draw, ...]:
        # Rounded up: the last cluster may have fewer items.
        shared = Draw("normal", self.latent, (-(-design.items // self.size),))
        return *self.population.draws(design), shared

    def scores(self, noise: Noise) -> Pair:
        mixed = noise.once(("clustered", self.size, self.icc), lambda: self._with_shared_normals(noise))
        return replace(self.inner.scores(mixed), clusters=self._cluster_codes(noise.layers[0].shape[-1]))

    def _with_shared_normals(self, noise: Noise) -> Noise:
        """Each item's normals partly its cluster's: standard normal still, with correlation `icc` within clusters."""
        own, shared = noise.layers[: -self.latent], noise.layers[-self.latent :]
        codes = self._cluster_codes(own[0].shape[-1])
        mixed = (self._mix(z, s[:, codes]) for z, s in zip(own, shared, strict=False))
        return Noise((*mixed, *own[self.latent :]))

    def _mix(self, own: FloatArray, shared: FloatArray) -> FloatArray:
        # Squares of the weights add up to 1, which keeps the mixture standard normal.
        shared *= math.sqrt(self.icc)
        shared += own * math.sqrt(1.0 - self.icc)
        return shared

    def _cluster_codes(self, items: int) -> IntArray:
        return np.arange(items, dtype=np.int64) // self.size
