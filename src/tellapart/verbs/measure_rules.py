"""Options of a decision about several measures: better on some, not worse by a margin on others, as compare and gate take them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from tellapart.answers.comparison.parts import MeasureRule
from tellapart.data.provenance import Better
from tellapart.foundation.errors import UsageError, nearest
from tellapart.foundation.spelling import Question, setting, split
from tellapart.foundation.surfaces import option

MarginKind = Literal["units", "hundredths", "ratio"]
_MARGIN = re.compile(r"(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)\s*(r?%)?", re.IGNORECASE)


class MeasureMargin(NamedTuple):
    """The largest loss that does not matter: in units, in hundredths of scores that are shares, or as a share of A's mean."""

    text: str
    size: float
    kind: MarginKind

    @property
    def share(self) -> float | None:
        return self.size if self.kind == "ratio" else None

    @classmethod
    def parse(cls, text: str, rule: str) -> "MeasureMargin":
        """Such as 0.01, 2% or 5r%."""
        found = _MARGIN.fullmatch(text.strip())
        size = float(found[1]) if found else 0.0
        if found is None or not 0.0 < size < 1e300:
            raise UsageError(
                f"{option('not_worse', rule)} needs a margin above 0 behind the measure: M:0.01 in units of the scores, M:2% in hundredths, "
                "M:5r% of the baseline's mean"
            )
        if found[2] is None:
            return cls(text.strip(), size, "units")
        return cls(text.strip(), size / 100.0, "ratio" if len(found[2]) > 1 else "hundredths")


@dataclass(frozen=True)
class SeveralMeasures(Question):
    """Which measures are judged together, by which rules."""

    better: tuple[str, ...] = setting(
        (), "With several measures: B must be shown better on this one; may be repeated.", metavar="M"
    )
    not_worse: tuple[str, ...] = setting(
        (),
        "B must be shown not worse on this measure by more than a margin: 0.01 in units, 2% in hundredths of shares, 5r% of A's mean.",
        metavar="M:MARGIN",
    )
    any_better: bool = setting(default=False, help="Better on at least one measure of --better is enough (Holm).")
    measures: str | tuple[str, ...] | None = setting(
        None,
        "Several measures with commas between: without rules all are compared as one family (Holm).",
        metavar="M,M…",
    )
    direction: tuple[str, ...] = setting(
        (), "Which scores of a measure are better: M=lower or M=higher; may be repeated.", metavar="M=D"
    )

    @property
    def rules(self) -> tuple[MeasureRule, ...]:
        """Each rule once, in the order given."""
        worse = [(*_measure_and_margin(text),) for text in _several(self.not_worse)]
        better = [MeasureRule("better", name) for name in _several(self.better)]
        return tuple(
            dict.fromkeys(
                [*better, *(MeasureRule("not-worse", name, margin.text, margin.share) for name, margin in worse)]
            )
        )

    @property
    def margins(self) -> dict[str, MeasureMargin]:
        """By measure; one that is given two margins is refused."""
        found: dict[str, MeasureMargin] = {}
        for name, margin in map(_measure_and_margin, _several(self.not_worse)):
            if found.setdefault(name, margin) != margin:
                raise UsageError(f"{name!r} has margins {found[name].text} and {margin.text}; name one")
        return found

    @property
    def measure_names(self) -> tuple[str, ...]:
        """The measures that the rules imply, and the others that were named; none of a question about one measure."""
        listed = split(self.measures) if isinstance(self.measures, str) else self.measures or ()
        return tuple(dict.fromkeys([*(rule.measure for rule in self.rules), *(name.strip() for name in listed)]))

    @property
    def rule_texts(self) -> tuple[str, ...]:
        """The rules and directions as a signature and a plan file have them."""
        texts = [f"{one.rule}={one.measure}{f':{one.margin}' if one.margin else ''}" for one in self.rules]
        toward = [f"direction={name}={way}" for name, way in self.directions.items()]
        return (*texts, *(["any_better"] if self.any_better else []), *toward)

    @property
    def directions(self) -> dict[str, Better]:
        found: dict[str, Better] = {}
        for text in _several(self.direction):
            name, equals, way = (part.strip() for part in text.rpartition("="))
            if not (equals and name and way in get_args(Better)):
                raise UsageError(
                    f"{option('direction', text)} should be a measure with lower or higher, such as latency_ms=lower; of one measure {option('lower_is_better')} says it"
                )
            if found.setdefault(name, "lower" if way == "lower" else "higher") != way:
                raise UsageError(f"{option('direction')} says that of {name!r} lower is better, and higher; name one")
        return found

    def toward(self, measure: str, known: Sequence[str]) -> dict[str, bool]:
        """The direction that was given for a measure, as options of a question about it alone."""
        for name in self.directions:
            if name not in known:
                raise UsageError(
                    f"{option('direction')} names {name!r}, which is not compared; {nearest(name, list(known))}"
                )
        way = self.directions.get(measure)
        return {} if way is None else {"lower_is_better": way == "lower", "higher_is_better": way == "higher"}


ALONE = {"better": (), "not_worse": (), "any_better": False, "measures": None, "direction": ()}
"""The options of a question about one measure."""


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in ((given,) if isinstance(given, str) else given))


def _measure_and_margin(text: str) -> tuple[str, MeasureMargin]:
    name, _, margin = text.rpartition(":")
    return name.strip(), MeasureMargin.parse(margin if name.strip() else "", text)
