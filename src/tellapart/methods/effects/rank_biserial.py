from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.effects.effect import EFFECTS, Effect, ratio


@EFFECTS.add("rank_biserial")
@dataclass(frozen=True)
class RankBiserial(Effect):
    """The share of rank sums in favour of B minus the share in favour of A, zero differences left out.

    Sizes of the differences are ranked, ties sharing their ranks; (ranks of gains − ranks of losses) / all ranks, from −1
    (A ahead on every item that differs) to 1: the effect size of the Wilcoxon test. The wrong choice for means, of which it
    tells nothing; undefined when nothing differs. Kerby (2014).
    """

    needs = Differences
    label = "matched rank-biserial correlation"

    def value(self, sample: Differences) -> FloatArray:
        rows = sample.snapped.reshape(-1, sample.items)
        signed, every = np.array([_rank_sums(row) for row in rows], dtype=np.float64).reshape(-1, 2).T
        shape = sample.snapped.shape[:-1]
        return ratio(signed.reshape(shape), every.reshape(shape))


def _rank_sums(differences: FloatArray) -> tuple[int, int]:
    """Twice the ranks of gains less those of losses, and twice all ranks.

    A gain's rank is its place among gains and how many losses are smaller, a tie counted half: no item has to be given its rank, which for millions of
    items would take several times their memory. Mann & Whitney (1947).
    """
    gains = np.sort(differences[differences > 0.0])
    losses = np.sort(-differences[differences < 0.0])
    smaller = sum(int(np.searchsorted(losses, gains, side).sum()) for side in ("left", "right"))
    differing = len(gains) + len(losses)
    every = differing * (differing + 1)
    return 2 * (len(gains) * (len(gains) + 1) + smaller) - every, every
