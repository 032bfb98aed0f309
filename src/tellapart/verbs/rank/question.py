"""Options of `rank`, shared by command line, Python and web."""

import csv
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast, get_args

from tellapart.answers.plan.file import PlanFile
from tellapart.boards import CORRECTIONS, Correction
from tellapart.boards.corrections.correction import VoteCorrection
from tellapart.boards.gaps import MOST_LACKING, Missing
from tellapart.foundation.arrays import FINEST, LARGEST
from tellapart.foundation.errors import UnknownSystem, UsageError
from tellapart.foundation.formatting import percent
from tellapart.foundation.spelling import Range, setting
from tellapart.foundation.surfaces import option
from tellapart.verbs.judging_options import ALPHA, JudgingOptions, SliceOptions
from tellapart.verbs.planned_question import Following
from tellapart.verbs.work_options import WorkOptions

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 10_000_000
"""As few and as many as may be asked for: more would take hours, and say no more."""


@dataclass(frozen=True)
class RankQuestion(SliceOptions, WorkOptions, JudgingOptions, Following):
    """Many systems, how their pairs are judged together, and what is asked beyond "which are told apart"."""

    family = True

    systems: str | tuple[str, ...] | None = setting(
        None,
        "Only these systems, with commas between (default: all), a name that holds a comma in double quotes; rows of others are not looked at.",
        metavar="S,S[,S…]",
    )
    baseline: str | None = setting(None, "Compare all systems with this one only.", metavar="S")
    correction: Correction | str | None = setting(
        None,
        lambda: (
            f"For many comparisons: {', '.join(CORRECTIONS)} (default: max_t, by sign flips and, where differences are visibly skewed, by items "
            "drawn again too)."
        ),
        metavar="C",
    )
    alpha: float = setting(0.05, "Level of all statements together.", range=ALPHA)
    resamples: int | None = setting(
        None,
        "Joint sign flips (default: 10000, or as many more as a correction of single p-values needs).",
        metavar="N",
        range=Range(least=FEWEST_RESAMPLES, most=MOST_RESAMPLES, usual="usually 10000"),
    )
    datasets: bool = setting(default=False, help="Also each dataset alone, and the systems across datasets.")
    letters: bool = setting(
        default=False, help="Also show letters: systems that share one are not told apart. The JSON has them anyway."
    )
    missing: Missing = setting(
        "error",
        f"Missing scores: report them, drop systems lacking more than {percent(MOST_LACKING)} and then items, or compare each pair on shared items.",
    )
    margin: float | None = setting(
        None,
        f"With {option('baseline')}: a loss or gain smaller than this does not matter.",
        range=Range(above=0, least=FINEST, most=LARGEST, usual="in the units of the scores"),
    )
    gap: float | None = setting(
        None,
        "The true difference to assume for 'what more items would buy'.",
        range=Range(above=0, usual="in the units of the scores"),
    )

    ties: Literal["half", "davidson", "drop"] = setting(
        "half",
        "For votes: a tie is half a win for each, has a probability of its own (Davidson's model), or is left out.",
    )
    order: Literal["auto", "ignore"] = setting(
        "auto",
        "For votes: adjust for which system was shown first, where every vote says so and both orders occur; or ignore it.",
    )
    rating_scale: Literal["elo", "logit"] = setting(
        "elo", "For votes: ratings in points of Elo's scale (400 are odds of ten to one), or in logits."
    )
    anchor: str | None = setting(
        None,
        "For votes: the rating of one system, from which all others are counted (default: the mean is 1000).",
        metavar="S=NUMBER",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", _systems_given(self.systems))
        super().__post_init__()
        if self.correction is not None:
            object.__setattr__(self, "correction", self.resolved_correction)
        self._check_systems()
        if self.margin is not None and self.baseline is None:
            raise UsageError(
                f"a margin compares each system with a baseline: name one with {option('baseline')}, or leave {option('margin')} out"
            )

    @property
    def given_systems(self) -> tuple[str, ...]:
        """The systems that are asked about, if not all, as they were given."""
        if self.systems is None:
            return ()
        return tuple(dict.fromkeys(_separated(self.systems) if isinstance(self.systems, str) else self.systems))

    @property
    def named_systems(self) -> tuple[str, ...]:
        """The question with system names stripped of blanks, as files are read."""
        return tuple(dict.fromkeys(name.strip() for name in self.given_systems))

    @contextmanager
    def naming_systems(self) -> Iterator[None]:
        """Where names in one text are not met, and a system's own name holds a comma, the refusal says how to write it."""
        try:
            yield
        except UnknownSystem as error:
            # What is known of them stands behind the name that is not, each in quotes.
            known = re.findall(r"'([^']*)'", error.message.partition(";")[2])
            with_comma = [name for name in known if "," in name]
            if not isinstance(self.systems, str) or not with_comma:
                raise
            more = " A" if error.message.endswith("?") else "; a"
            raise UnknownSystem(
                f"{error.message}{more} name that holds a comma goes in double quotes within {option('systems')}: "
                f"'\"{with_comma[0]}\",…'"
            ) from error

    def _check_systems(self) -> None:
        names = self.given_systems
        if self.systems is not None and len(names) < 2:
            found = " and ".join(map(repr, names)) or "none"
            raise UsageError(
                f"{option('systems')} names {found}; wanted two or more with commas between, or leave it out to rank all"
            )
        if names and self.baseline not in {None, *names, *self.named_systems}:
            raise UsageError(
                f"the baseline {self.baseline!r} is not among {option('systems')} ({', '.join(map(repr, names))}); name it there too"
            )

    def planned_options(self, plan: PlanFile) -> dict[str, Any]:
        """A margin is about each system beside a baseline: without one there is nothing that it could be asked of."""
        fixed = super().planned_options(plan)
        return fixed if self.baseline is not None else {**fixed, "margin": None}

    @property
    def anchored(self) -> tuple[str, float]:
        """The system whose rating is fixed, and at which number."""
        name, equals, number = str(self.anchor).rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not equals or not name.strip() or not math.isfinite(value):
            raise UsageError(
                f"{option('anchor', self.anchor)}: wanted a system and its rating, such as "
                f"{option('anchor', f'{name.strip() or number.strip()}=1000')}"
            )
        return name.strip(), value

    @property
    def vote_correction(self) -> VoteCorrection:
        """How many pairs of votes are corrected for."""
        name = self.resolved_correction.name
        known = get_args(VoteCorrection)
        if name not in known:
            raise UsageError(f"{option('correction', name)} is for scores; votes take {', '.join(known)}")
        return cast(VoteCorrection, name)

    @cached_property
    def resolved_correction(self) -> Correction:
        """The correction that was named, or max-T."""
        return Correction.parse("max_t" if self.correction is None else self.correction)


def _systems_given(given: Any) -> str | tuple[str, ...] | None:
    """Names in one text or in whatever holds several: a list, a generator, columns of a frame."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise UsageError(
            f"{option('systems')} is {given!r}; wanted two or more names: one text with commas between, or a list of names"
        )
    return tuple(str(name) for name in given)


def _separated(text: str) -> list[str]:
    """The names between commas, as in a line of CSV: one in double quotes may hold commas; a comma at the end names nothing."""
    (names,) = csv.reader([text.replace("\n", " ")], skipinitialspace=True)
    return [name.strip() for name in names if name.strip()]
