"""Power by simulation: draw evaluations from the population, test each one, count rejections.

Work is cut into blocks whose size depends on the study alone. Each block draws from its own numbered stream and returns
counts, which are added in the order of the blocks, so the answer depends on seed and replicates and on nothing else.
"""

import heapq
from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from tellapart.compute import Call, Runner, Work
from tellapart.compute.work import Budget
from tellapart.foundation.arrays import keep_freed_memory
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import DataError, Unsuitable
from tellapart.foundation.seeds import Generator, stream
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import Place, StoredTallies, Tally
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import Design

BLOCK_NUMBERS = 1 << 17
"""Random numbers drawn at once: they and what is made of them stay near the processor, and calls are few."""
BLOCK_REPLICATES = 1 << 12
"""At most, however few numbers each takes: the unit that is stored, handed out and reported."""
MOST_NUMBERS = 1 << 24
"""In one simulated evaluation: beyond this it takes gigabytes, and ten thousand of them take hours."""

Noises = dict[tuple[Draw, ...], Noise]
"""The random numbers of a block, by what was drawn."""


def simulate_many(studies: Sequence[Study], budget: Budget, runner: Runner) -> list[PowerResult]:
    """How often each study's test rejects on simulated evaluations, with the interval that their number leaves.

    Studies that can share random numbers draw them once, and no answer differs by a bit from simulating it alone.
    Interrupted, even with the last block, it answers from the blocks it has where the runner allows that.
    """
    keep_freed_memory()
    studies = [study.simulated for study in studies]
    stored = StoredTallies.of(runner.store, studies, budget)
    course = _BlockQueue(_study_groups(studies, stored), budget, stored)
    done, total = 0, budget.replicates * len(studies)
    with (
        runner.cut_short(lambda: all(tally.replicates for tally in course.tallies)),
        closing(runner.in_order(course.work())) as results,
    ):
        for added in course.added(results):
            done += added
            runner.tell(done, total)
            runner.look_at_clock(lambda: all(tally.replicates for tally in course.tallies))
    course.mark_sufficient()
    return [tally.result(study, budget.until) for tally, study in zip(course.tallies, studies, strict=True)]


def tally_block(studies: Sequence[Study], seed: int, block: int, size: int) -> list[Tally]:
    """Each study's tally over the `size` replicates of one block; random numbers are drawn once for all that share them."""
    # The test's own randomness has its own stream, so that what it uses up never changes what is drawn.
    draws, chances = _Stream.numbered(seed, block), _Stream.numbered(seed, block, 1)
    noises: Noises = {}
    tallies = []
    key, sample = None, None
    for study in studies:
        if key != (key := (study.population, study.test.needs)):
            with _named(study):
                sample = _drawn_sample(study, size, draws, noises)
        tallies.append(_tally(study, sample, chances.restarted()))
    return tallies


@dataclass(frozen=True, eq=False)
class _Stream:
    """A random stream that each study reads from its beginning; going back there is cheaper than making a new one."""

    generator: Generator
    beginning: Any

    @classmethod
    def numbered(cls, seed: int, *index: int) -> Self:
        generator = stream(seed, *index)
        return cls(generator, generator.bit_generator.state)

    def restarted(self) -> Generator:
        self.generator.bit_generator.state = self.beginning
        return self.generator


def _drawn_sample(study: Study, size: int, draws: _Stream, noises: Noises) -> Any:
    population, needs = study.population, study.test.needs
    direct = population.draw_summary(needs, study.design, size, draws.restarted())
    if direct is not None:
        return direct
    wanted = population.draws(study.design)
    if wanted not in noises:
        noises[wanted] = Noise.drawn(wanted, size, draws.restarted())
    return population.summary(needs, noises[wanted])


@contextmanager
def _named(study: Study) -> Iterator[None]:
    """No data are wrong here: a study was asked for whose evaluations such a test cannot be given to."""
    try:
        yield
    except (DataError, Unsuitable) as error:
        raise Unsuitable(f"{study.test} on {study.items} items of {study.population}: {error.message}") from None


def _tally(study: Study, sample: Any, rng: Generator) -> Tally:
    with _named(study):
        outcome = study.test.apply(sample, rng)
    rejected = rejects(outcome.pvalue, study.alpha)
    wrong = rejected & (outcome.direction * study.population.known_effect < 0.0)
    estimates = np.abs(sample.effect[rejected]).sum()
    return Tally(len(rejected), int(rejected.sum()), int(wrong.sum()), float(estimates))


@dataclass(frozen=True)
class _Group:
    """Studies simulated together, those on the same scores side by side, and where each stood in the question."""

    studies: tuple[Study, ...]
    places: tuple[int, ...]
    size: int
    there: frozenset[Place]
    """Blocks that are known of all of them."""

    def tallies(self, stored: StoredTallies, block: Place) -> list[Tally] | None:
        return [stored.there[place][block] for place in self.places] if block in self.there else None


def _study_groups(studies: Sequence[Study], stored: StoredTallies) -> list[_Group]:
    """Studies of the same design and the same block size, of which the same is known, share blocks."""
    places: dict[tuple[Design, int, frozenset[Place]], list[int]] = {}
    scores: dict[Hashable, int] = {}
    for place, study in enumerate(studies):
        key = study.design, block_size(study), frozenset(stored.there[place])
        places.setdefault(key, []).append(place)
        scores.setdefault((study.population, study.test.needs), len(scores))
    groups = []
    for (_, size, there), members in places.items():
        # Studies on the same scores side by side: the sample that was made last is used again.
        members.sort(key=lambda place: scores[studies[place].population, studies[place].test.needs])
        groups.append(_Group(tuple(studies[place] for place in members), tuple(members), size, there))
    return groups


def block_size(study: Study) -> int:
    numbers = study.population.width(study.test.needs, study.design)
    if numbers > MOST_NUMBERS:
        raise Unsuitable(
            f"{study.items:,} items of {study.population} are too many to simulate; choose a larger effect, fewer "
            "items, or a population and test with a formula, such as gaussian with paired_t"
        )
    # Of the study alone, not of workers or memory: whoever simulates a block draws the same numbers.
    return max(1, min(BLOCK_NUMBERS // numbers, BLOCK_REPLICATES))


def _blocks(groups: Sequence[_Group], replicates: int) -> Iterator[tuple[int, int, int, int]]:
    """(first replicate, group, block, replicates) of all blocks, all groups advancing together."""

    def of(number: int, size: int) -> Iterator[tuple[int, int, int, int]]:
        for block, first in enumerate(range(0, replicates, size)):
            yield first, number, block, min(size, replicates - first)

    # By the first replicate: groups with small blocks do not run ahead of those with large ones, and all stop at about one number.
    return heapq.merge(*(of(number, group.size) for number, group in enumerate(groups)))


class _BlockQueue:
    """Blocks of all groups, tallied in order, however the workers return them.

    A study that is known as well as was asked for takes no more of them, and a group of such studies is handed out no more.
    """

    def __init__(self, groups: Sequence[_Group], budget: Budget, stored: StoredTallies) -> None:
        self.groups, self.budget, self.stored = groups, budget, stored
        self.tallies = [Tally()] * sum(len(group.places) for group in groups)
        self.known: set[int] = set()
        """Groups that are handed out no more."""
        self.handed: set[tuple[int, int]] = set()

    def _blocks(self) -> Iterator[tuple[int, int, int, int]]:
        return _blocks(self.groups, self.budget.replicates)

    def work(self) -> Work[list[Tally]]:
        """The blocks that are not there yet, each group being what its blocks are about."""
        count = sum((block, size) not in self.groups[n].there for _, n, block, size in self._blocks())
        subjects = [group.studies for group in self.groups]
        heard = None if self.stored.store is None else self._keep
        some = count if self.budget.until is None else None
        return Work(tally_block, self._missing(), subjects, some, self._named, heard)

    def _missing(self) -> Iterator[Call]:
        for _, number, block, size in self._blocks():
            if number not in self.known and (block, size) not in self.groups[number].there:
                self.handed.add((number, block))
                yield number, self.budget.seed, block, size

    def _keep(self, call: Call, found: list[Tally]) -> None:
        number, _, block, size = call
        for place, tally in zip(self.groups[number].places, found, strict=True):
            self.stored.keep(place, (block, size), tally)

    def _named(self, call: Call) -> str:
        number, _, block, size = call
        study = self.groups[number].studies[0]
        return f"block {block + 1} ({size:,} replicates) of {study.test} on {study.items:,} items of {study.population}"

    def added(self, results: Iterator[list[Tally]]) -> Iterator[int]:
        """Takes in block after block, and says of each how many replicates it had."""
        for _, number, block, size in self._blocks():
            if len(self.known) == len(self.groups):
                return
            if number in self.known and (number, block) not in self.handed:
                continue
            group = self.groups[number]
            # What is handed out comes back in this order, also that of a group which was not known well enough then.
            found = group.tallies(self.stored, (block, size))
            if found is None:
                found = next(results)
            self.handed.discard((number, block))
            self._take(number, found)
            yield size * len(found)

    def mark_sufficient(self) -> None:
        """In the store, of studies that are known as well as was asked for: they need no more replicates."""
        for place, tally in enumerate(self.tallies):
            if self.budget.until is not None and tally.precise(self.budget.until):
                self.stored.enough(place, tally.replicates)

    def _take(self, number: int, found: list[Tally]) -> None:
        until, places = self.budget.until, self.groups[number].places
        for place, tally in zip(places, found, strict=True):
            # Once precise, always the same: more replicates would make the answer depend on what it was asked together with.
            if not self.tallies[place].precise(until):
                self.tallies[place] += tally
        if until is not None and all(self.tallies[place].precise(until) for place in places):
            self.known.add(number)
