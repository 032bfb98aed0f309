from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from tellapart.data.pair import Pair
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.quantities import plain
from tellapart.foundation.spelling import Option, options, spell, wanted
from tellapart.foundation.surfaces import option
from tellapart.populations.evidence import EXPECTED, HIGH, LOW, Band, Evidence, Overlap
from tellapart.populations.noise import Noise
from tellapart.populations.paired_binary import OVERLAPS, PairedBinary
from tellapart.populations.population import Population
from tellapart.populations.runs import RepeatedRuns


@dataclass(frozen=True, kw_only=True)
class FromEvidence(PairedBinary):
    """A `paired_binary` whose discordance follows the effect as it did for past pairs of systems.

    It is spelled `paired_binary(accuracy=…, evidence=…)`: evidence is one more way to say the overlap. Assumes systems
    like those that the evidence was seen on. The wrong choice where the overlap is known from one's own systems.
    """

    evidence: Overlap = field(metadata={"help": "what past pairs say of the discordance"})
    place: float = field(
        default=EXPECTED, metadata={"help": "where in its band: -1 the low end, 0 expected, 1 the high end"}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [name for name in OVERLAPS if getattr(self, name) is not None]
        if given or self.accuracy is None:
            raise UsageError(
                f"paired_binary: evidence={self.evidence} speaks for the overlap where only accuracy=… is known; "
                f"given: {' and '.join(given) or 'no accuracy'}"
            )
        if self.place not in {LOW, EXPECTED, HIGH}:
            raise UsageError(f"paired_binary: place={self.place:g} should be -1, 0 or 1")

    @property
    def complete(self) -> bool:
        return True

    @property
    def rests_on_evidence(self) -> bool:
        return True

    @property
    def effect_range(self) -> tuple[float, float]:
        return -self._known_accuracy, 1.0 - self._known_accuracy

    @property
    def settled(self) -> PairedBinary:
        """The population with the discordance as a number."""
        return PairedBinary(effect=self.effect, accuracy=self.accuracy, discordance=self._share())

    def at_place(self, place: float) -> "FromEvidence":
        moved = copy(self)  # whatever place, the same options are possible
        object.__setattr__(moved, "place", place)
        return moved

    def band(self) -> Band:
        return self.evidence.discordance(*self.accuracies)

    def _share(self) -> float:
        return self.band().at(self.place)


@dataclass(frozen=True, kw_only=True)
class RunsFromEvidence(RepeatedRuns):
    """Repeated runs of right-or-wrong systems whose discordance, of one run each, follows the effect as it did for past pairs."""

    evidence: Overlap = field(metadata={"help": "what past pairs say of the discordance"})
    place: float = field(
        default=EXPECTED, metadata={"help": "where in its band: -1 the low end, 0 expected, 1 the high end"}
    )

    @property
    def complete(self) -> bool:
        return True

    @property
    def rests_on_evidence(self) -> bool:
        return True

    @property
    def accuracies(self) -> tuple[float, float]:
        assert self.accuracy is not None
        return self.accuracy, self._accuracy_of_b()

    @property
    def cross_disagreement(self) -> float:
        return self.band().at(self.place)

    @property
    def settled(self) -> RepeatedRuns:
        """The same with the discordance as a number."""
        given = {one.name: getattr(self, one.name) for one in options(RepeatedRuns)}
        return RepeatedRuns(**{**given, "discordance": self.cross_disagreement})

    def at_place(self, place: float) -> "RunsFromEvidence":
        moved = copy(self)  # whatever place, the same options are possible
        object.__setattr__(moved, "place", place)
        return moved

    def band(self) -> Band:
        return self.evidence.discordance(*self.accuracies)


# Populations whose numbers past evidence says: what was given, what is missing, and the evidence for it.


@dataclass(frozen=True, kw_only=True)
class Incomplete(Population):
    """A population by options that are not all of its numbers, or by numbers and the evidence that says them.

    It is spelled like the population itself: `gaussian(effect=0.01)`, or `gaussian(sd=…, correlation=…, sd_from=trec_runs)`. A plan
    names evidence for what is missing; `at_place` then makes the population at a place in the band of that evidence.
    """

    kind: type[Population]
    given: Mapping[str, Any]
    """Numbers by their names, those of the evidence included; None is the same as left out."""
    sources: Mapping[str, Evidence]
    """Evidence by the option that names it, such as `sd_from`."""

    def __post_init__(self) -> None:
        for name in ("name", "label", "paired", "by_raters"):
            object.__setattr__(self, name, getattr(self.kind, name))
        object.__setattr__(self, "sources", self._known_options(self.sources, source_options(self.kind)))
        object.__setattr__(self, "given", self._known_options(self.given, options(self.kind)))
        for name, number in self._sourced:
            self._check_source(name, number)
        if set(self.evidence) & set(self.lacking):
            expected = self.kind.numbers_from(self.given, self.evidence, EXPECTED)
            object.__setattr__(self, "given", {**expected, **self.given})
        object.__setattr__(self, "effect", self.given.get("effect"))

    def _known_options(self, values: Mapping[str, Any], known: list[Option]) -> dict[str, Any]:
        given = {name: value for name, value in values.items() if value is not None}
        return {one.name: plain(self.name, one, given[one.name]) for one in known if one.name in given}

    def _check_source(self, name: str, number: str) -> None:
        source = self.sources[name]
        if source.kind != self.kind.evidence_kind:
            asked = next(one for one in source_options(self.kind) if one.name == name)
            raise SpellingError(f"{self.name}: {name}={source} should be {wanted(asked)}")
        if number in self.kind.evidence_signs and getattr(source, number) is None:
            raise UsageError(f"{self.name}: {name}={source} says nothing of the {number}")

    @property
    def _sourced(self) -> list[tuple[str, str]]:
        """Each number that evidence says, behind the option that names the evidence."""
        return [(name, number) for name in self.sources for number in self.kind.evidence_options()[name]]

    @property
    def evidence(self) -> dict[str, Evidence]:
        """The evidence of each number that is not given."""
        return {number: self.sources[name] for name, number in self._sourced}

    @cached_property
    def _example_population(self) -> Population:
        """Any population of the same kind, which has in common with it what depends on no number."""
        return Population.parse(self.kind.examples[0])

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        numbers = (
            f"{one.name}={spell(self.given[one.name])}"
            for one in options(self.kind)
            if one.name in self.given and (one.always or self.given[one.name] != one.default)
        )
        sources = (f"{name}={source}" for name, source in self.sources.items())
        return f"{self.name}({', '.join((*numbers, *sources))})"

    @property
    def test(self) -> str:
        return self._example_population.test

    @property
    def latent(self) -> int:
        return self._example_population.latent

    @property
    def lacking(self) -> tuple[str, ...]:
        """Numbers that are neither given nor in the evidence."""
        return tuple(one.name for one in options(self.kind) if one.required and one.name not in self.given)

    @property
    def complete(self) -> bool:
        return not self.lacking

    @property
    def rests_on_evidence(self) -> bool:
        return bool(self.sources)

    def replace(self, **changes: Any) -> Any:
        return self.kind.build({**self.given, **self.sources, **changes})

    def with_sources(self, evidence: Mapping[str, Evidence]) -> Population:
        """With evidence by the numbers that it says."""
        named = {
            name: evidence[number]
            for name, numbers in self.kind.evidence_options().items()
            for number in numbers
            if number in evidence
        }
        return self.replace(**named)  # type: ignore[no-any-return]  # of the same kind

    @property
    def with_numbers(self) -> Population:
        if not self.lacking:
            return self.kind(**self.given)
        from_budget = ", and raters from a budget" if self.by_raters else ""
        raise UsageError(
            f"{self.name} needs {' and '.join(map(option, self.lacking))} here; only a plan takes them from evidence{from_budget}"
        )

    def at_place(self, place: float) -> Population:
        if place == EXPECTED:
            return self.with_numbers
        known = {name: value for name, value in self.given.items() if name not in self.evidence}
        return self.kind(**{**self.given, **self.kind.numbers_from(known, self.evidence, place)})

    def scores(self, noise: Noise) -> Pair:
        return self.with_numbers.scores(noise)


@lru_cache(maxsize=64)
def band_ends(prior: Population, effect: float | None) -> tuple[Population, ...]:
    """A population that rests on evidence at both ends of its band, where it can have this effect there."""
    ends = []
    for place in (LOW, HIGH):
        with suppress(UsageError):
            ends.append(prior.with_effect(effect).at_place(place))
    return tuple(ends)


def source_options(kind: type[Population]) -> list[Option]:
    """The options that name evidence for the numbers of a population, such as `sd_from`."""
    return [
        Option(name, Evidence, None, always=False, told=f"the evidence that the {' and '.join(numbers)} comes from")
        for name, numbers in kind.evidence_options().items()
    ]
