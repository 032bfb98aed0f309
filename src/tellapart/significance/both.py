"""Two tests that must agree before anything is claimed, and which test inverts which interval."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tellapart.errors import SpellingError
from tellapart.seeds import Generator
from tellapart.significance.bootstrap import Bootstrap
from tellapart.significance.paired_t import PairedT
from tellapart.significance.procedure import TESTS, Outcome, Procedure
from tellapart.spelling import ALWAYS, split
from tellapart.summaries import Aggregation, Summary, needed_by_both, seen_as

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
        return None if first is None or second is None else Both(first, second)
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


@TESTS.add(BOTH)
@dataclass(frozen=True)
class Both(Procedure):
    """Do two tests both reject?

    The p-value is the larger of the two, so it is valid wherever one of them is: an intersection–union test of Berger (1982); 1 where they
    point to different sides. Its interval is the hull of theirs, and leaves zero out exactly where it rejects. Student's t rejects too often where differences are skewed, the
    studentised bootstrap where tails are heavy and items are few. The wrong choice where one of the two is known to hold: the other can
    then only take claims away.
    """

    first: Procedure = field(default=PairedT(), metadata=ALWAYS)
    second: Procedure = field(default=Bootstrap(), metadata=ALWAYS)

    def __post_init__(self) -> None:
        super().__post_init__()
        for test in self.two:
            if isinstance(test, Both) or test.claim != "difference" or test.alternative != "two-sided":
                raise SpellingError(
                    f"both: {test} should be a plain two-sided test of a difference; a side is said by both itself"
                )
        self.interval  # noqa: B018  (a test that inverts no interval is refused)
        if needed_by_both(self.first.needs, self.second.needs) is None:
            raise SpellingError(
                f"both: {self.first} and {self.second} look at scores of different kinds, and cannot judge the same ones"
            )
        if self.first.estimand != self.second.estimand:
            raise SpellingError(
                f"both: {self.first} and {self.second} should be about the same number; they are about the {self.first.estimand} "
                f"and the {self.second.estimand}"
            )

    @property
    def two(self) -> tuple[Procedure, Procedure]:
        return self.first, self.second

    @property
    def needs(self) -> type[Summary]:
        found = needed_by_both(self.first.needs, self.second.needs)
        assert found is not None, "refused where it was made"
        return found

    @property
    def label(self) -> str:
        return f"{self.first.label} and {self.second.label}, larger p"

    @property
    def interval(self) -> str:
        return f"{BOTH}(first={inverted_by(self.first)}, second={inverted_by(self.second)})"

    @property
    def advice(self) -> str:
        return self.first.advice

    @property
    def estimand(self) -> str:  # type: ignore[override]  # that of the tests it holds
        return self.first.estimand

    @property
    def counts_signs(self) -> bool:  # type: ignore[override]  # the limit of one is a limit of both
        return any(test.counts_signs for test in self.two)

    @property
    def needs_clusters(self) -> bool:  # type: ignore[override]
        return any(test.needs_clusters for test in self.two)

    @property
    def resampling(self) -> bool:
        return any(test.resampling for test in self.two)

    @property
    def drawn_again(self) -> int:
        return max(test.drawn_again for test in self.two)

    def sees_clusters(self, metric: Aggregation) -> bool:
        # The larger p-value is at least that of the one that sees them.
        return any(test.sees_clusters(metric) for test in self.two)

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: Any, null: float, rng: Generator) -> Outcome:
        first, second = (
            _judged(replace(test, alternative=self.alternative), seen_as(test.needs, sample), null, rng)
            for test in self.two
        )
        pvalue = np.maximum(first.pvalue, second.pvalue)
        if self.alternative == "two-sided":
            # Two that point to different sides agree on neither: on each one of them has a tail of a half or more.
            pvalue = np.where(first.direction * second.direction < 0.0, 1.0, pvalue)
        return Outcome(
            pvalue,
            first.statistic,
            first.direction,
            np.where(second.pvalue > first.pvalue, second.error, first.error),
            f"the larger of {first.method} and {second.method}",
        )


def _judged(test: Procedure, sample: Any, null: float, rng: Generator) -> Outcome:
    """At zero nothing is moved, which some samples cannot be."""
    return test.apply(sample, rng) if null == 0.0 else test.against(sample, null, rng)
