from dataclasses import dataclass

from tellapart.distributions.leaning_items import LeaningItems
from tellapart.distributions.normal import two_sided_quantile
from tellapart.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.seeds import Generator
from tellapart.summaries import Differences


@INTERVALS.add("leaning_t")
@dataclass(frozen=True)
class LeaningT(Interval):
    """Student's interval for few items, longer on the side to which those that differ lean: what the test `leaning_t` does not reject.

    The mean of the items that differ has bounds by t-quantiles moved by their skewness, their share one by its own error; the bounds of
    the product are as far as the root of both squares, on the same side of zero as those of the mean alone, nowhere
    closer than Student's of all items, and about zero where so few differ that all on one side would be no surprise; a bound that passes zero does so at a jump. For independent items, fewer than fifty of which
    differ. The wrong choice for items in clusters (`leaning_cluster_t`), and where a few items in a hundred fail by far. Hall (1992);
    Zou & Donner (2008).
    """

    needs = Differences
    label = "t that follows skew"

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        return LeaningItems.of(sample.values, sample.snapped == 0.0).bounds(two_sided_quantile(level))
