from dataclasses import dataclass

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.effects.effect import EFFECTS, Effect, ratio


@EFFECTS.add("cohen_g")
@dataclass(frozen=True)
class CohenG(Effect):
    """How far B's share of the items that only one system got right is from one half.

    w/(w + l) − 1/2, from −0.5 to 0.5; .05, .15 and .25 were called small, medium and large. The wrong choice for how much
    accuracy changes: it says nothing of how many items differ, and is undefined when none does. Cohen (1988).
    """

    needs = Discordance
    label = "Cohen's g"

    def value(self, sample: Discordance) -> FloatArray:
        return ratio(sample.wins, sample.wins + sample.losses) - 0.5
