"""Why a test and an interval were chosen, in words."""

from tellapart.results.comparison import Comparison
from tellapart.results.note import codes
from tellapart.wording import amount, percent, significant, thousands
from tellapart.words.sayings import Sayings

REASONS: Sayings[Comparison] = Sayings()

VERY_FEW = 10
"""Items of one weight: as few as these hold what Student's t of so few degrees of freedom cannot allow for."""


@REASONS
def right_or_wrong(_: Comparison) -> str:
    return (
        "scores are right or wrong: McNemar's mid-p test counts the items only one "
        "system got right, and Tango's score interval matches it"
    )


@REASONS
def differences_on_a_step(_: Comparison, sizes: int) -> str:
    return (
        f"differences take only {amount(sizes, 'size')} on a common step: the permutation test of the mean needs no approximation "
        "where they are symmetric, the studentised bootstrap follows skew, and both must agree"
    )


@REASONS
def hardly_any_items(_: Comparison, items: int, below: int) -> str:
    return (
        f"{amount(items, 'item')} cannot be drawn again (below {below}): the permutation test is exact for symmetric "
        "differences, Student's interval for normal ones, and both must agree"
    )


@REASONS
def few_items_differ(_: Comparison, items: int, differing: int, below: int, *, drawn_again: bool) -> str:
    if not differing:
        return "the systems differ on no item, and there is nothing to test: every method says so"
    few = (
        f"{items} items are" if items < below else f"{differing} of {thousands(items)} items differ, which is"
    )
    follows = (
        "the studentised bootstrap follows skew"
        if drawn_again
        else "Student's t, moved by the skewness of the items that differ, follows skew"
    )
    return (
        f"{few} too few to lean on normality (below {below}): "
        f"the permutation test of the mean is exact for symmetric differences, {follows}, and both must agree"
    )


@REASONS
def continuous_differences(_: Comparison, items: int) -> str:
    return f"{thousands(items)} items with continuous differences: the paired t test of the mean and its interval"


@REASONS
def differences_lean(_: Comparison, items: int, expected_size: float) -> str:
    return (
        f"{thousands(items)} items with continuous differences that lean to one side: the paired t test alone would claim a difference "
        f"between equal systems {percent(expected_size, 2)} of the time instead of 5 %, so the studentised bootstrap, which follows "
        "skew, must agree with it, and the interval is the wider of both"
    )


@REASONS
def failures_to_come(_: Comparison, seen: int, farther: float, expected: float, certainty: float) -> str:
    lies, like = ("lies", "it") if seen == 1 else ("lie", "them")
    return (
        f"{amount(seen, 'item')} {lies} more than {farther:g} times as far out on one side as any does on the other: up to {significant(expected, 2)} like {like} "
        f"may be expected of so many items ({percent(certainty)} bound), and others may have been spared by luck. Student's t is taken with these as "
        "well, a method that follows skew must agree, and the interval is the wider of both"
    )


@REASONS
def not_many_clusters(_: Comparison, below: int) -> str:
    return (
        f"fewer than {below} clusters may lean to one side and hardly show it: their t is moved by the skewness that they do show, the larger "
        "p-value of both counts, and the interval is the wider of both. Where effects of clusters are lognormal, equal systems are told apart up to "
        "13 % of the time all the same, instead of 5 %"
    )


@REASONS
def clusters_lean(_: Comparison, expected_size: float) -> str:
    return (
        f"clusters lean to one side: their t test alone would claim a difference between equal systems {percent(expected_size, 2)} of "
        "the time instead of 5 %, so the studentised bootstrap of whole clusters must agree, and the interval is the wider of both"
    )


@REASONS
def few_clusters(_: Comparison, clusters: int, below: int) -> str:
    return (
        f"items come in only {amount(clusters, 'cluster')} (below {below}): signs of "
        "whole clusters are flipped, which is exact for symmetric cluster effects, and the interval must agree"
    )


@REASONS
def many_clusters(_: Comparison, clusters: int, df: float) -> str:
    degrees = thousands(int(df)) if df.is_integer() else significant(df, 3)
    return (
        f"items come in {thousands(clusters)} clusters: the variance is taken between clusters, "
        f"with {degrees} degrees of freedom"
    )


@REASONS
def uneven_clusters(_: Comparison, of: str) -> str:
    what = "the interval's variance" if of == "interval" else "the variance"
    return f"clusters are of uneven size: {what} is CR2, which allows for large clusters pulling the mean towards themselves"


@REASONS
def metric_is_no_mean(_: Comparison, metric: str, *, recomputed: bool) -> str:
    how = (
        "is computed anew after every swap and in every resample"
        if recomputed
        else "is followed through each item's influence on it"
    )
    return f"{metric} is no mean of item scores, so it {how}"


@REASONS
def metric_is_not_straight(answer: Comparison, correlation: float, below: float) -> str:
    units = "items" if answer.clusters is None else "clusters"
    return (
        f"swapping several {units} does not change {answer.metric} by the sum of what each swap changes (correlation {correlation:.4f}, below "
        f"{below:g}): influence would mislead, so {units} are swapped and drawn again, and test and interval must agree"
    )


@REASONS
def few_items_tell(answer: Comparison, items: int, telling: float, below: int) -> str:
    short = (
        f". Where fewer than {VERY_FEW} tell, the 95 % interval holds the truth 88 % of the time"
        if telling < VERY_FEW
        else ""
    )
    return (
        f"{thousands(items)} items tell as much of {answer.metric} as {significant(telling, 2)} of one weight would (below {below}), because a few, longer than "
        "the others or of a rare class, hold most of it: items are swapped and drawn again, with Student's t of so few degrees of freedom where that is wider, "
        f"and both must agree{short}"
    )


@REASONS
def resamples_of_few(_: Comparison, items: int, below: int) -> str:
    return (
        f"resamples alone of so few items ({thousands(items)}, below {below}) claim too much of a metric that is no mean (their 95 % interval of BLEU "
        "holds the truth 88 to 93 % of the time at 30 segments): Student's t on influence must agree too, and the interval is the wider of both"
    )


@REASONS
def tails_of_few(_: Comparison, differing: int, below: int) -> str:
    return (
        f"resamples of {amount(differing, 'item')} that differ (below {below}) do not show how far tails reach: Student's t must agree too, and "
        "the interval is nowhere shorter than Student's"
    )


@REASONS
def named_test(_: Comparison) -> str:
    return "the test was named by the user"


@REASONS
def named_interval(_: Comparison) -> str:
    return "the interval was named by the user"


@REASONS
def named_test_and_interval(_: Comparison) -> str:
    return "the test and the interval were named by the user"


@REASONS
def many_raters(answer: Comparison, raters: int, items: int, below: int) -> str:
    return (
        f"{_voters(answer, raters)} and {amount(items, 'item')} ({below} or more of each): a model of raters and items, so that the answer is "
        "about other raters and items too, with Kenward and Roger's correction"
    )


def _voters(answer: Comparison, raters: int) -> str:
    """How many raters there are; where nobody says who voted, as many as votes are supposed."""
    supposed = "each_vote_own_rater" in codes(answer.notes)
    return f"{amount(raters, 'vote')} as of a rater each" if supposed else amount(raters, "rater")


@REASONS
def few_raters_or_items(answer: Comparison, raters: int, items: int, below: int) -> str:
    return (
        f"{_voters(answer, raters)} and {amount(items, 'item')} (fewer than {below} of one of them): a model of raters and items, so that the "
        "answer is about other raters and items too, with Cochran's weighted t, which keeps its level with so few"
    )


@REASONS
def items_of_one_rater(answer: Comparison, items: int) -> str:
    return (
        f"one rater voted several times on some of {amount(items, 'item')}: a model of items, so that the answer is about other items in the "
        f"eyes of this rater ({answer.test})"
    )


@REASONS
def one_rater_per_item(_: Comparison, raters: int, items: int) -> str:
    return (
        f"every item was rated by one of {amount(raters, 'rater')}: the t test over raters' averages, which are independent whatever the "
        f"{amount(items, 'item')} do"
    )


@REASONS
def votes_counted(_: Comparison) -> str:
    return "no two votes share an item or a rater: McNemar's mid-p test counts the decided ones, and the interval is that of their difference"


@REASONS
def votes_in_both_orders(_: Comparison) -> str:
    return (
        "no two votes share an item or a rater, and both orders of showing occur: the effect is the mean of B's in each order, and the score test "
        "and its interval take the error of that mean"
    )


@REASONS
def items_in_both_orders(answer: Comparison, items: int) -> str:
    return (
        f"both orders of showing occur on {amount(items, 'item')}: a model of items with the order as a fixed effect, so that the answer is about "
        f"other items in the eyes of these raters ({answer.test})"
    )
