from dataclasses import dataclass

from tellapart.arrays import FloatArray
from tellapart.effects.effect import EFFECTS, Effect, ratio
from tellapart.summaries import Discordance


@EFFECTS.add("odds_ratio")
@dataclass(frozen=True)
class OddsRatio(Effect):
    """Items only B got right for every item only A got right.

    The odds ratio given the item; undefined when there is no item that only A got right. McNemar (1947).
    """

    needs = Discordance
    label = "matched odds ratio"
    neutral = 1.0
    inverts = True

    def value(self, sample: Discordance) -> FloatArray:
        return ratio(sample.wins, sample.losses)
