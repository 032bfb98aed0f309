from dataclasses import dataclass

import numpy as np

from tellapart.distributions.leaning_items import LeaningItems
from tellapart.distributions.moments import t_ratio
from tellapart.distributions.tails import sided
from tellapart.seeds import Generator
from tellapart.significance.procedure import TESTS, Outcome, Procedure
from tellapart.summaries import Differences


@TESTS.add("leaning_t")
@dataclass(frozen=True)
class LeaningT(Procedure):
    """Is the mean difference zero where items are few, some of them ties, and may lean to one side?

    Student's t of the items that differ, and the same t moved by the skewness that they show, on the scale of the normal: z + kz²/3 + k²z³/27 + k/6
    for a skewness k of their mean. That is 12/√m times what their L-skewness exceeds 0.2 by (less below m = 10), 0.9 at most: few items show as much as
    0.2 by chance. The larger tail counts, that of Student's t of all items where it is
    larger still, and at zero none below 2⁻ᵐ, the chance that all m of them fall on one side: it claims nothing that `paired_t` does not. Ties say
    how often the systems differ, and nothing of which is better: a share of items, not a spread. For independent items, fewer than fifty
    of which differ; on normal scores it finds .04 (8 items), .02 (12) and less than .01 (15 and more) fewer effects than `paired_t`, and claims falsely .04 to .07 of the time on
    exponential ones where that does .07 to .11. The wrong choice for items in clusters (`leaning_cluster_t`), for ratings, which an effect makes
    look skewed (`cautious`), and where a few items in a hundred fail by far: those that were drawn may hold none. A tie that becomes
    a tiny difference counts as one that differs, and makes the others look less skewed. Hall (1992), Hosking (1990).
    """

    needs = Differences
    label = "t that follows skew"

    @property
    def interval(self) -> str:
        return "leaning_t"

    def apply(self, sample: Differences, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: Differences, null: float, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        """Ties stay ties whatever the null is."""
        found = LeaningItems.of(sample.values, sample.snapped == 0.0)
        lower, upper = found.tails(null)
        above = found.mean - null
        return Outcome(
            sided(lower, upper, self.alternative),
            t_ratio(above, found.error),
            np.sign(above),
            np.zeros_like(above),
            "Student's t distribution, moved by skewness",
        )
