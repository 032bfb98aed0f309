from dataclasses import dataclass

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.effects.effect import EFFECTS, Effect, ratio


@EFFECTS.add("odds_ratio")
@dataclass(frozen=True)
class OddsRatio(Effect):
    """Items only B got right for every item only A got right.

    w/l: the odds ratio given the item, above 1 where B is ahead. The wrong choice for how much accuracy changes, and for
    few losses, one of which moves it far; undefined when there is no item that only A got right. McNemar (1947).
    """

    needs = Discordance
    label = "matched odds ratio"
    neutral = 1.0
    inverts = True

    def value(self, sample: Discordance) -> FloatArray:
        return ratio(sample.wins, sample.losses)
