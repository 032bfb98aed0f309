"""Sentences on why a test and an interval were chosen."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import codes
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, signed_short, significant, thousands

REASONS: NoteTexts[Comparison] = NoteTexts()


REASONS.plain(
    right_or_wrong=(
        "scores are right or wrong: McNemar's mid-p test counts the items only one "
        "system got right, and Tango's score interval matches it"
    ),
    anytime="valid at any moment: bets on the items in order of arrival, and the confidence sequence of the differences they have not refuted",
    labels_and_judge=(
        "people's labels on some items and a judge's scores on all: the labels' mean is moved by what the judge sees in the other items, as far as its "
        "differences go with people's"
    ),
    labels_in_clusters="people's labels on some items and a judge's scores on all, which come in clusters: the influences of a cluster's items are summed",
    labels_by_strata="labels were drawn stratum by stratum: each stratum's labels count by its share of all judged items",
    first_look_chose="the test of the first look, which later looks keep",
    named_test="the test was named by the user",
    named_interval="the interval was named by the user",
    named_test_and_interval="the test and the interval were named by the user",
    votes_counted="no two votes share an item or a rater: McNemar's mid-p test counts the decided ones, and the interval is that of their difference",
    votes_in_both_orders=(
        "no two votes share an item or a rater, and both orders of showing occur: the effect is the mean of B's in each order, and the score test "
        "and its interval take the error of that mean"
    ),
)


@REASONS
def items_not_skewed(_: Comparison, items: int) -> str:
    return f"{thousands(items)} items whose differences are not visibly skewed: Student's t on the paired differences"


@REASONS
def few_items(_: Comparison, items: int) -> str:
    return (
        f"{amount(items, 'item')}: Student's t on the paired differences, which holds if these are close to normal; so few items cannot show whether "
        "they are"
    )


@REASONS
def no_spread(_: Comparison, unit: str) -> str:
    return f"every {unit} differs by the same number, so a t test has no spread to use: the signs of the differences are flipped instead"


@REASONS
def visibly_skewed(_: Comparison, unit: str, skewness: float, bound: float) -> str:
    what = "differences" if unit == "item" else "cluster sums of the differences"
    return (
        f"the {what} are visibly skewed (sample skewness {signed_short(skewness)}; the bound is {bound:g}), and Student's t alone would claim too much: "
        f"the studentised bootstrap of {unit}s must agree, so p is the larger of the two and the interval the wider"
    )


@REASONS
def too_few_to_resample(_: Comparison, units: int, unit: str, skewness: float, fewest: int) -> str:
    return (
        f"{amount(units, unit)} whose differences are visibly skewed (sample skewness {signed_short(skewness)}): Student's t cannot be trusted, and "
        f"they are too few to resample ({fewest} are needed), so nothing is claimed from them"
    )


@REASONS
def few_clusters(_: Comparison, clusters: int, below: int) -> str:
    return f"items come in only {amount(clusters, 'cluster')} (below {below}): cluster t and the flipped signs of whole clusters must agree"


@REASONS
def many_clusters(_: Comparison, clusters: int, df: float) -> str:
    degrees = thousands(int(df)) if df.is_integer() else significant(df, 3)
    return (
        f"items come in {thousands(clusters)} clusters: t on the differences with the variance between clusters (CR2) and {degrees} degrees of freedom "
        "(Satterthwaite)"
    )


@REASONS
def trained_several_times(_: Comparison, seeds: list[int]) -> str:
    a, b = seeds
    law = (
        "Satterthwaite's degrees of freedom"
        if a == b
        else "Cochran's weighted critical value, which keeps its level with unequal numbers of seeds"
    )
    return f"systems were trained with {a} and {b} seeds: the variance of seeds and that of items together, with {law}"


@REASONS
def metric_is_no_mean(_: Comparison, metric: str, *, recomputed: bool) -> str:
    how = (
        "is followed through each item's influence on it, and computed anew in every resample"
        if recomputed
        else "is followed through each item's influence on it"
    )
    return f"{metric} is not a mean of item scores, so it {how}"


@REASONS
def many_raters(answer: Comparison, raters: int, items: int, below: int) -> str:
    return (
        f"{_voters(answer, raters)} and {amount(items, 'item')} ({below} or more of each): a model of raters and "
        "items, so the answer covers other raters and items too, with Kenward and Roger's correction"
    )


def _voters(answer: Comparison, raters: int) -> str:
    """How many raters there are; where nobody says who voted, as many as votes are supposed."""
    supposed = "each_vote_own_rater" in codes(answer.notes)
    return f"{amount(raters, 'vote')} as of a rater each" if supposed else amount(raters, "rater")


@REASONS
def few_raters_or_items(answer: Comparison, raters: int, items: int, below: int) -> str:
    return (
        f"{_voters(answer, raters)} and {amount(items, 'item')} (fewer than {below} of one of them): a model of raters and "
        "items, so the answer covers other raters and items too, with Cochran's weighted t, which keeps its level with so few"
    )


@REASONS
def items_of_one_rater(answer: Comparison, items: int) -> str:
    return (
        f"one rater voted several times on some of {amount(items, 'item')}: a model of items, so the answer covers "
        f"other items in the eyes of this rater ({answer.test})"
    )


@REASONS
def one_rater_per_item(_: Comparison, raters: int, items: int) -> str:
    return (
        f"every item was rated by one of {amount(raters, 'rater')}: the t test over raters' averages, which are independent whatever the "
        f"{amount(items, 'item')} do"
    )


@REASONS
def items_in_both_orders(answer: Comparison, items: int) -> str:
    return (
        f"both orders of showing occur on {amount(items, 'item')}: a model of items with the order as a fixed "
        f"effect, so the answer covers other items in the eyes of these raters ({answer.test})"
    )
