"""Looks of a planned study: the record of those made, which items they saw, and the levels that follow from both."""

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from tellapart.answers.comparison import SequentialPoint
from tellapart.answers.plan.file import Deviation, PlanFile
from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import ReadError, Unsuitable, UsageError
from tellapart.foundation.files import refuse_unwritable, text_of, write_whole
from tellapart.foundation.formatting import amount, thousands
from tellapart.foundation.seeds import content_fingerprint, fingerprint
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option
from tellapart.numerics.looks import Boundaries, Sides, lan_demets, repeated_pvalue, spent_by
from tellapart.verbs.planned_question import Followed

FEWEST_ITEMS, FEWEST_CLUSTERS = 10, 5
"""New items, or clusters, that a look needs."""
ITEM, SCORES = 12, 8
"""Digits by which a record knows an item, and both systems' scores on it."""


@dataclass(frozen=True)
class LookOptions(Question):
    """Where the looks of a plan are remembered."""

    record: str | None = setting(
        None,
        "With a plan that has looks: remember each look in this file, and check that earlier ones have not changed.",
        metavar="FILE",
    )


@dataclass(frozen=True)
class RecordedLook:
    """A look that was made: a line of the record."""

    schema: ClassVar[str] = "tellapart/look/1"

    plan: str
    a: str
    b: str
    look: int
    items: int
    made: str
    nominal: float
    spent: float
    pvalue: float
    repeated_pvalue: float
    verdict: str
    test: str
    fingerprint: str
    seen: str
    """Of each new item the first digits of its hash, and of that of both systems' scores."""
    signature: str = ""
    """The fingerprint of all that this look says, and of the signature before."""

    def after(self, earlier: Sequence["RecordedLook"]) -> Self:
        before = earlier[-1].signature if earlier else ""
        said = {**dataclasses.asdict(self), "signature": before}
        return dataclasses.replace(self, signature=content_fingerprint(said))

    def to_json(self) -> str:
        return json.dumps({"schema": self.schema, **dataclasses.asdict(self)}, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, line: str, where: str) -> Self:
        try:
            found = json.loads(line)
            if found.pop("schema") == cls.schema:
                return cls(**found)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            pass
        raise ReadError(
            f"{where}: this is no look that this version reads (a line that {option('record')} wrote). Restore the file, or begin a new study with a "
            "new plan"
        )

    @property
    def prints(self) -> dict[str, str]:
        """The scores of its new items by these items."""
        width = ITEM + SCORES
        pieces = (self.seen[i : i + width] for i in range(0, len(self.seen), width))
        return {piece[:ITEM]: piece[ITEM:] for piece in pieces}


def read_record(path: str, plan: PlanFile, names: tuple[str, str]) -> tuple[RecordedLook, ...]:
    """The looks that were made, in their order; none where there is no file yet."""
    if not Path(path).exists():
        return ()
    text = text_of(path, "record")
    if text and not text.endswith("\n"):
        raise ReadError(f"{path}:{text.count(chr(10)) + 1}: the last line is cut short. Restore the file")
    looks = tuple(RecordedLook.from_json(line, f"{path}:{number}") for number, line in enumerate(text.splitlines(), 1))
    for number, look in enumerate(looks):
        where = f"{path}:{number + 1}"
        if look.plan != plan.signature:
            raise ReadError(f"{where}: this look is of another plan. Pass that plan, or name another record")
        if (look.a, look.b) != names:
            raise ReadError(
                f"{where}: this look compared {look.b!r} with {look.a!r}, not {names[1]!r} with {names[0]!r}. Name the systems as before, or another record"
            )
        if look != look.after(looks[:number]):
            raise ReadError(
                f"{where}: this look was changed after it was written, or one before it is gone. Restore the file"
            )
    return looks


@dataclass(frozen=True, eq=False)
class CurrentLook:
    """The look that scores are at: `items` are those of all looks made, this one included; `earlier` are from the record."""

    followed: Followed
    alpha: float
    number: int
    items: tuple[int, ...]
    earlier: tuple[RecordedLook, ...]
    again: bool
    """Whether these scores were looked at before, so that nothing is new."""
    new_prints: str
    fingerprint: str
    changed: int
    """Items of earlier looks that are missing now or have other scores."""

    @property
    def plan(self) -> PlanFile:
        return self.followed.plan

    @property
    def planned(self) -> tuple[int, ...]:
        assert self.plan.items_at_looks is not None
        return self.plan.items_at_looks

    @cached_property
    def information(self) -> FloatArray:
        return np.minimum(np.array(self.items) / self.planned[-1], 1.0)

    def boundaries(self, sides: Sides) -> Boundaries:
        return lan_demets(self.information, self._spending, self.alpha, sides)

    def nominal(self, sides: Sides) -> float:
        """The level that a p-value of this look must meet."""
        return float(self.boundaries(sides).nominal[-1])

    def spent(self, sides: Sides) -> float:
        return float(sides * spent_by(self._spending, self.information[-1:], self.alpha / sides)[0])

    def repeated(self, pvalue: float | None, sides: Sides) -> float | None:
        """The p-value over all looks."""
        if pvalue is None:
            return None
        return repeated_pvalue(self.information, self._spending, pvalue, sides)

    def conditional_power(self, sides: Sides, z: float) -> float:
        """The chance of a claim at a later planned look if the effect is as planned; z counts towards that."""
        return self._to_the_end(sides).power_from(len(self.items) - 1, z, self._drift(sides))

    def path(self, pvalue: float, sides: Sides) -> tuple[SequentialPoint, ...]:
        """The looks made, this one with its p-value, and those that are still planned."""
        known = (*(look.pvalue for look in self.earlier), pvalue)
        made = (None,) * (len(self.items) - len(known)) + known
        items, later = self.items, self.planned[self.number :]
        levels = self._to_the_end(sides).nominal.tolist()
        moments = zip((*items, *later), levels, (*made, *(None for _ in later)), strict=True)
        return tuple(SequentialPoint(*moment) for moment in moments)

    def _to_the_end(self, sides: Sides) -> Boundaries:
        later = np.array(self.planned[self.number :]) / self.planned[-1]
        return lan_demets(np.append(self.information, later), self._spending, self.alpha, sides)

    def _drift(self, sides: Sides) -> float:
        as_planned = np.array(self.planned) / self.planned[-1]
        return lan_demets(as_planned, self._spending, self.plan.level, sides).drift_with_power(self.plan.power)

    @property
    def _spending(self) -> Any:
        return self.plan.spending or "obf"

    @property
    def last(self) -> bool:
        return self.number == len(self.planned)

    @property
    def next_items(self) -> int | None:
        return None if self.last else self.planned[self.number]

    @property
    def stopped(self) -> RecordedLook | None:
        """The first earlier look that claimed something."""
        return next((one for one in self.earlier if one.verdict != "undetermined"), None)

    @property
    def test(self) -> str | None:
        """The test of the first look, which the others keep."""
        return self.earlier[0].test if self.earlier else None

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """How the looks differ from those planned."""
        seen, planned = self.items[-1], self.planned[self.number - 1]
        found = []
        if seen != planned:
            found.append(Deviation(f"items at look {self.number}", planned, seen, matters=self.last and seen > planned))
        if self.changed:
            found.append(Deviation("changed items", 0, self.changed, matters=True))
        return tuple(found)

    def recorded(self, path: str, **found: Any) -> None:
        """Write this look behind the others, or leave the file as it is."""
        if self.again:
            return
        entry = RecordedLook(
            plan=self.plan.signature,
            look=self.number,
            items=self.items[-1],
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprint=self.fingerprint,
            seen=self.new_prints,
            **found,
        ).after(self.earlier)
        lines = [one.to_json() for one in (*self.earlier, entry)]
        write_whole(Path(path), "".join(f"{line}\n" for line in lines))


def has_looks(question: Any) -> bool:
    """Whether the question follows a plan with looks; a record without one is refused."""
    followed = question.followed
    looks = followed is not None and followed.plan.items_at_looks is not None
    if question.record is not None and not looks:
        raise UsageError(
            f"{option('record')} remembers planned looks: pass a plan that has some, {option('plan')}, or leave it out"
        )
    return looks


def refuse_unlike_looks(question: Any, scores: Any) -> None:
    """Refuse questions that planned looks cannot answer, with the way out."""
    named = next((name for name in ("by", "labels", "slices", "each") if getattr(question, name, None)), None)
    if question.anytime:
        raise UsageError(f"the plan fixes the looks, and {option('anytime')} needs no plan; leave one of them out")
    if named is not None:
        shown = option("slice" if named == "slices" else named)
        raise Unsuitable(f"planned looks are about all items together; leave {shown} out until the study has ended")
    if scores.seed_runs is not None:
        raise Unsuitable(
            f"several seeds are several trainings, which planned looks do not count; pass {option('seeds_as', 'fixed')}, or plan without looks"
        )
    if question.record is not None:
        refuse_unwritable(Path(question.record))


def current_look(question: Any, pair: Pair, names: tuple[str, str]) -> CurrentLook:
    """Which look these scores are at; between two looks nothing is answered."""
    followed: Followed = question.followed
    planned = followed.plan.items_at_looks
    assert planned is not None
    earlier = () if question.record is None else read_record(question.record, followed.plan, names)
    prints = _prints(pair)
    seen = {item: scores for look in earlier for item, scores in look.prints.items()}
    print_of_all = fingerprint([item.encode() + scores.encode() for item, scores in prints.items()])
    items, again = len(pair.a), bool(earlier) and earlier[-1].fingerprint == print_of_all
    number = int(np.argmin(np.abs(np.array([0, *planned]) - items)))  # the nearest; 0 before the first
    if again:
        earlier, number = earlier[:-1], earlier[-1].look
    else:
        _refuse_between(planned, items, number, earlier, pair)
    if question.record is None and 1 < number < len(planned):
        raise UsageError(
            f"{thousands(items)} items are at look {number} of {len(planned)}, and what earlier ones found must be known: name their record with "
            f"{option('record', 'looks.jsonl')}"
        )
    before = tuple(look.items for look in earlier) if question.record is not None else planned[: number - 1]
    return CurrentLook(
        followed,
        question.alpha,
        number,
        (*before, items),
        earlier,
        again,
        "".join(item + scores for item, scores in prints.items() if item not in seen),
        print_of_all,
        sum(prints.get(item) != scores for item, scores in seen.items()),
    )


def _refuse_between(
    planned: Sequence[int], items: int, number: int, earlier: tuple[RecordedLook, ...], pair: Pair
) -> None:
    made = earlier[-1].look if earlier else 0
    if made == len(planned):
        raise UsageError(
            f"all {len(planned)} looks were made, the last at {thousands(earlier[-1].items)} items ({earlier[-1].verdict}); other scores need a new plan"
        )
    if earlier and items < earlier[-1].items:
        raise UsageError(
            f"look {made} was at {thousands(earlier[-1].items)} items, and {thousands(items)} are there; pass all that were scored"
        )
    if number <= made:
        raise UsageError(
            f"{thousands(items)} items are between two looks, where nothing is answered: look {made + 1} of {len(planned)} is planned at "
            f"{thousands(planned[made])}; come back then"
        )
    if not earlier:
        return
    new, of, fewest = items - earlier[-1].items, "item", FEWEST_ITEMS
    if pair.clusters is not None:
        known = {item for look in earlier for item in look.prints}
        fresh = np.array([item not in known for item in _prints(pair)])
        new, of, fewest = len(np.unique(pair.clusters[fresh])), "cluster", FEWEST_CLUSTERS
    if new < fewest:
        raise UsageError(
            f"a look needs {fewest} new {of}s, and {amount(new, of)} came since look {made}; look {made + 1} is planned at {thousands(planned[made])} items"
        )


def _prints(pair: Pair) -> dict[str, str]:
    """By the digits of each item those of both systems' scores on it, in the order of the items.

    Items of arrays are numbered with as many zeros in front as their count asks for, which grows from look to look.
    """
    rows = (pair.items, np.asarray(pair.a), np.asarray(pair.b))
    return {
        _digits(str(item).lstrip("0").encode(), ITEM): _digits(_runs_of(a) + b"|" + _runs_of(b), SCORES)
        for item, a, b in zip(*rows, strict=True)
    }


def _runs_of(scores: FloatArray) -> bytes:
    """The runs of an item without gaps, whose number depends on other items."""
    return scores[~np.isnan(scores).any(axis=-1)].tobytes()


def _digits(content: bytes, count: int) -> str:
    return hashlib.sha256(content).hexdigest()[:count]
