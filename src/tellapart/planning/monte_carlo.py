"""Power by simulation: draw evaluations from the population, run the very test on each, count.

Work is cut into blocks whose size depends on the study alone. Each block draws from its own numbered stream and returns
counts, which are added in the order of the blocks, so the answer depends on seed and replicates and on nothing else.
"""

import heapq
from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from tellapart.decision import rejects
from tellapart.distributions.normal import two_sided_quantile
from tellapart.distributions.proportion import wilson_bounds
from tellapart.errors import DataError, Unsuitable
from tellapart.planning.budget import Budget
from tellapart.planning.study import LEVEL, PowerResult, Study
from tellapart.populations.design import Design
from tellapart.populations.noise import Draw, Noise
from tellapart.seeds import Generator, stream
from tellapart.workers import Runner, Work

BLOCK_NUMBERS = 1 << 17
"""Random numbers drawn at once: they and what is made of them stay near the processor, and calls are few."""
BLOCK_REPLICATES = 1 << 12
MOST_NUMBERS = 1 << 24
"""In one simulated evaluation: beyond this it takes gigabytes, and ten thousand of them take hours."""

Noises = dict[tuple[Draw, ...], Noise]
"""The random numbers of a block, by what was drawn."""


@dataclass(frozen=True)
class Tally:
    """What a number of simulated evaluations came to; `estimates` is the sum of |estimate| over the rejections."""

    replicates: int = 0
    rejections: int = 0
    wrong_sign: int = 0
    estimates: float = 0.0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.replicates + other.replicates,
            self.rejections + other.rejections,
            self.wrong_sign + other.wrong_sign,
            self.estimates + other.estimates,
        )

    def result(self, study: Study) -> PowerResult:
        power, low, high = wilson_bounds(self.rejections, self.replicates, two_sided_quantile(LEVEL))
        effect = study.population.known_effect
        # A wrong sign and an exaggeration are those of a claim that there is a difference, beside a true one.
        meant = study.test.claim == "difference" and effect != 0.0 and self.rejections > 0
        return PowerResult(
            power=float(power),
            low=float(low),
            high=float(high),
            engine="monte_carlo",
            replicates=self.replicates,
            type_s=self.wrong_sign / self.rejections if meant else None,
            type_m=self.estimates / (self.rejections * abs(effect)) if meant else None,
        )


def simulate_many(studies: Sequence[Study], budget: Budget, runner: Runner) -> list[PowerResult]:
    """How often each study's test rejects on simulated evaluations, with the interval that their number leaves.

    Studies that can share random numbers draw them once, and no answer differs by a bit from simulating it alone.
    Interrupted, even with the last block, it answers from the blocks it has where the runner allows that.
    """
    _keep_freed_memory()
    groups = _groups(studies)
    runner.begin(studies, budget)
    tallies = [Tally()] * len(studies)
    blocks = _blocks(groups, budget.replicates)
    calls = ((number, budget.seed, block, size) for _, number, block, size in blocks)
    done, total = 0, budget.replicates * len(studies)
    with (
        runner.cut_short(lambda: all(tally.replicates for tally in tallies)),
        closing(runner.in_order(_work(groups, calls, budget.replicates))) as results,
    ):
        for (_, number, _, size), found in zip(_blocks(groups, budget.replicates), results, strict=True):
            for place, tally in zip(groups[number].places, found, strict=True):
                tallies[place] += tally
            done += size * len(found)
            runner.tell(done, total)
    return [tally.result(study) for tally, study in zip(tallies, studies, strict=True)]


def _keep_freed_memory() -> None:
    """Have what a block frees kept for the next.

    Some allocators keep what is no larger than the largest they saw freed, and would otherwise ask the system for the same megabytes, page by
    page, at every step.
    """
    np.empty(1 << 24, dtype=np.uint8)


def _work(
    groups: "Sequence[_Group]", calls: Iterator[tuple[int, int, int, int]], replicates: int
) -> Work[list[Tally]]:
    """The blocks of all groups, each group being what its blocks are about."""

    def named(call: tuple[Any, ...]) -> str:
        number, _, block, size = call
        study = groups[number].studies[0]
        return f"block {block + 1} ({size:,} replicates) of {study.test} on {study.items:,} items of {study.population}"

    count = sum(-(-replicates // group.size) for group in groups)
    return Work(tally_block, calls, [group.studies for group in groups], count, named)


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
                sample = _sample(study, size, draws, noises)
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


def _sample(study: Study, size: int, draws: _Stream, noises: Noises) -> Any:
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
        raise Unsuitable(f"{study.test} on {study.items} items of {study.population}: {error}") from None


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


def _groups(studies: Sequence[Study]) -> list[_Group]:
    """Studies of the same design and the same block size share blocks."""
    places: dict[tuple[Design, int], list[int]] = {}
    scores: dict[Hashable, int] = {}
    for place, study in enumerate(studies):
        places.setdefault((study.design, block_size(study)), []).append(place)
        scores.setdefault((study.population, study.test.needs), len(scores))
    groups = []
    for (_, size), members in places.items():
        # Studies on the same scores side by side: the sample that was made last is used again.
        members.sort(key=lambda place: scores[studies[place].population, studies[place].test.needs])
        groups.append(_Group(tuple(studies[place] for place in members), tuple(members), size))
    return groups


def block_size(study: Study) -> int:
    numbers = study.population.width(study.test.needs, study.design)
    if numbers > MOST_NUMBERS:
        raise Unsuitable(
            f"{study.items:,} items of {study.population} are too many to simulate one by one; ask about a larger effect or "
            "fewer items, or about a population and test that have a formula, such as gaussian with paired_t"
        )
    return max(1, min(BLOCK_NUMBERS // numbers, BLOCK_REPLICATES))


def _blocks(groups: Sequence[_Group], replicates: int) -> Iterator[tuple[int, int, int, int]]:
    """(first replicate, group, block, replicates) of all blocks, all groups advancing together."""

    def of(number: int, size: int) -> Iterator[tuple[int, int, int, int]]:
        for block, first in enumerate(range(0, replicates, size)):
            yield first, number, block, min(size, replicates - first)

    return heapq.merge(*(of(number, group.size) for number, group in enumerate(groups)))
