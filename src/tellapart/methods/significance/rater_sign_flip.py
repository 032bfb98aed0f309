from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries.rater_samples import ByRaters, rater_means
from tellapart.foundation.arrays import snap
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.null_laws.tails import sided, sides
from tellapart.numerics.sign_flip_law import sign_flip_tails


@TESTS.add("rater_sign_flip")
@dataclass(frozen=True)
class RaterSignFlip(Procedure):
    """On these items: could the difference be an accident of which way each rater leans?

    The raters' mean differences flip their signs, and the p-value is the share of all 2^raters flips whose mean is at least as large as
    the one seen, computed without chance. Exact for raters who lean either way alike on these very items. The wrong choice for other items
    (`mixed_model`): raters who share items agree on accidents of the items, and of equal systems up to 41 % are then called
    different; and for few raters, with whom no two-sided p-value is below 2^(1 − raters). Fisher (1935).
    """

    needs = ByRaters
    label = "rater sign-flip, on these items"
    interval = "rater_t"
    estimand = "mean difference on these items"
    counts_signs = True

    def apply(self, sample: ByRaters, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        means = rater_means(sample, self.name)
        scale = float(np.abs(means).max(initial=0.0))
        tails = sign_flip_tails(snap(means, scale), scale)
        return Outcome(
            sided(tails.lower, tails.upper, self.alternative),
            np.asarray(means.mean(axis=-1)),
            tails.sign,
            sides(self.alternative) * tails.error,
            f"{tails.method}; with {means.shape[-1]} raters no p-value is below {self.least_pvalue(means.shape[-1]):.3g}",
        )

    def least_pvalue(self, raters: int) -> float:
        """The p-value of raters who all lean the same way."""
        return float(sides(self.alternative) / 2.0**raters)
