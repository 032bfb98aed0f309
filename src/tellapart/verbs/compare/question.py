"""Options of `compare`, shared by command line, Python and web."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from tellapart.foundation.arrays import FINEST, LARGEST
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Range, setting
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.verbs.anytime import AnytimeOptions
from tellapart.verbs.compare.systems import SystemPairOptions
from tellapart.verbs.given_scores import Grouping
from tellapart.verbs.judged_scores import JudgedOptions
from tellapart.verbs.judging_options import JudgingOptions, SliceOptions
from tellapart.verbs.looks import LookOptions
from tellapart.verbs.measure_rules import ALONE, SeveralMeasures
from tellapart.verbs.planned_question import Following
from tellapart.verbs.work_options import WorkOptions

ALL = "all"
"""In place of a test: every test that suits the scores, beside the chosen one."""

_SIZE = Range(above=0, least=FINEST, most=LARGEST, usual="in the units of the scores")


def _of_differences() -> list[str]:
    return [name for name in INTERVALS if INTERVALS.parse(name).needs.systems == 2]


@dataclass(frozen=True)
class CompareQuestion(
    SeveralMeasures,
    SliceOptions,
    WorkOptions,
    JudgingOptions,
    Following,
    LookOptions,
    AnytimeOptions,
    JudgedOptions,
    SystemPairOptions,
):
    """Two systems, the methods they are judged by, and what is asked beyond "is there a difference"."""

    test: Procedure | str | None = setting(None, lambda: f"A test, or all. Tests: {', '.join(TESTS)}.", metavar="T")
    interval: Interval | str | None = setting(
        None, lambda: f"An interval: {', '.join(_of_differences())}.", metavar="I"
    )
    margin: float | None = setting(
        None,
        "Differences smaller than this do not matter: ask for equivalence.",
        range=_SIZE,
    )
    effect: float | None = setting(
        None, "Ask how many items would detect this effect.", range=replace(_SIZE, either_sign=True)
    )

    ties: Literal["half", "drop"] = setting("half", "For votes: a tie counts half for each system, or is left out.")

    order: Literal["auto", "ignore"] = setting(
        "auto",
        "For votes: weigh both orders of showing alike, where every vote says which system was shown first and both "
        "orders occur; or ignore the order.",
    )

    by: str | None = setting(
        None,
        "Did B − A change over groups, such as weeks? Each is compared with the first: the smallest "
        "number or the earliest date, else the first in the file.",
        metavar="COL",
    )
    labels: str | tuple[str, ...] | None = setting(
        None,
        "The same with a group in each file, which holds both systems: a label per file, with commas between.",
        metavar="L",
    )

    def about(self, measure: str) -> "CompareQuestion":
        """The question about one of the measures; a margin that is a share of A's mean is judged apart."""
        margin = self.margins.get(measure)
        own = self.margin if margin is None or margin.kind == "ratio" else margin.size
        changed: dict[str, Any] = {**ALONE, **self.toward(measure, self.measure_names or (measure,))}
        return replace(self, margin=own, **changed)

    @property
    def file_labels(self) -> tuple[str, ...]:
        if self.labels is None:
            return ()
        given = self.labels.split(",") if isinstance(self.labels, str) else self.labels
        return tuple(str(label).strip() for label in given)

    @property
    def grouping(self) -> Grouping:
        if self.slices and self.grouped:
            raise UsageError(
                f"{option('slice')} asks where systems differ, and {option('by')} or {option('labels')} whether the difference changed; use one of them"
            )
        return Grouping(self.by, self.file_labels, self.slice_columns)

    @property
    def grouped(self) -> bool:
        """Whether groups of items are held against each other."""
        return self.by is not None or bool(self.file_labels)

    @property
    def named_test(self) -> Procedure | None:
        """The test that was named, with the side on which B is worse: above A, if lower scores are better."""
        if self.test is None or self.test == ALL:
            return None
        test = Procedure.parse(self.test)
        if isinstance(test, Equivalence | NonInferiority) and test.margin is None and self.margin is not None:
            test = test.replace(margin=self.margin)
        if not (isinstance(test, NonInferiority) and self.lower_is_better):
            return test
        if test.alternative == "greater":
            raise UsageError(
                f"{test} assumes that higher scores are better, and lower ones are here; drop one of the two"
            )
        return test.replace(alternative="less")

    @property
    def named_interval(self) -> Interval | None:
        return None if self.interval is None else Interval.parse(self.interval)

    @property
    def resample_count(self) -> int:
        """How many resamples the methods that were named draw."""
        return max(
            (one.resample_count for one in (self.named_test, self.named_interval) if one is not None),
            default=0,
        )

    def margin_of(self, test: Procedure) -> float | None:
        """The margin that was asked about: the test's own, if it has one."""
        if not isinstance(test, Equivalence | NonInferiority):
            return self.margin
        if self.margin not in {None, test.known_margin}:
            raise UsageError(f"{test} has a margin of its own, and {self.margin:g} was given too; leave one out")
        return test.known_margin
