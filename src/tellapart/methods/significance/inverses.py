"""Which test inverts which interval; a file of its own, for most comparisons need none of the tests that are combined."""

from tellapart.foundation.errors import SpellingError
from tellapart.foundation.spelling import split
from tellapart.methods.significance.procedure import TESTS, Procedure

INVERSES = {
    "bootstrap": "bootstrap",
    "cluster_sign_flip": "cluster_sign_flip",
    "cluster_t": "cluster_t",
    "hodges_lehmann": "wilcoxon",
    "mixed_model": "mixed_model",
    "order_score": "order_score",
    "rater_t": "rater_t",
    "student_t": "paired_t",
    "welch_t": "welch_t",
}
"""Of each interval that is where a test does not reject, that test; options are the same."""

AT_MARGINS = {"tango": "mcnemar"}
"""Tango's interval is McNemar's test moved to a margin; at zero mid-p decides, and the two may differ."""

BOTH = "both"


def inverse(interval: str) -> Procedure | None:
    """The test that rejects, moved to a margin, exactly what this interval leaves out; None where no test does."""
    name, bracket, options = interval.partition("(")
    if name == BOTH:
        given = dict(part.split("=", 1) for part in split(options.removesuffix(")")))
        first, second = (inverse(given[place]) for place in ("first", "second"))
        return (
            None
            if first is None or second is None
            else TESTS.parse(f"{BOTH}(first={first}, second={second})")
        )
    test = (INVERSES | AT_MARGINS).get(name)
    return None if test is None else TESTS.parse(test + bracket + options)


def inverted_by(test: Procedure) -> str:
    """The spelling of the interval that holds what this test does not reject."""
    name = next((interval for interval, one in INVERSES.items() if one == test.name), None)
    if name is None:
        raise SpellingError(
            f"both: {test} inverts no interval; take {', '.join(sorted(set(INVERSES.values())))}"
        )
    return name + str(test.replace(alternative="two-sided")).removeprefix(test.name)
