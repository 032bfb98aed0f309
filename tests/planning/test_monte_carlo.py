import tracemalloc
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.compute import Runner, Work
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.foundation.seeds import Generator, stream
from tellapart.methods.significance import TESTS, Outcome, Procedure
from tellapart.methods.significance.cluster_t import ClusterT
from tellapart.methods.significance.margins import Equivalence
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning import monte_carlo
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.power import power
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import Population
from tellapart.populations.beta import Beta
from tellapart.populations.clustered import Clustered
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot
from tellapart.populations.proportions import Proportions
from tellapart.populations.runs import RepeatedRuns

CLUSTER_T, MCNEMAR = ClusterT(), McNemar(variant="exact")


def simulate(study: Study, replicates: int, **how: Any) -> PowerResult:
    return power(study, engine="monte_carlo", replicates=replicates, **how)


def _noncentral_power(effect: float, sd: float, items: int, alpha: float = 0.05) -> float:
    df, shift = items - 1, effect / sd * items**0.5
    critical = stats.t.isf(alpha / 2.0, df)
    return float(stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift))


def _near(found: PowerResult, expected: float, errors: float = 4.0) -> bool:
    """Whether a simulated power is within this many of its own standard errors."""
    assert found.replicates is not None
    error = max(expected * (1.0 - expected), 1.0 / found.replicates) / found.replicates
    return bool(abs(found.power - expected) <= errors * error**0.5)


@pytest.mark.parametrize("items", [5, 30, 150])
@pytest.mark.parametrize("effect", [0.0, 0.015, -0.03])
def test_paired_t_has_its_noncentral_power(items: int, effect: float) -> None:
    """Simulated power of the paired t on normal scores is the noncentral t's, within four standard errors."""
    population = Gaussian(sd=0.12, correlation=0.75, effect=effect)
    found = simulate(Study(population, PairedT(), items), replicates=20_000, executor=1)
    expected = _noncentral_power(effect, population.sd_difference, items)
    assert _near(found, expected)
    assert found.low <= found.power <= found.high


def test_interval_is_about_the_power() -> None:
    """The Monte Carlo interval holds the true power nineteen times in twenty, and narrows with replicates."""
    study = Study(Gaussian(sd=0.12, correlation=0.75, effect=0.03), PairedT(), 40)
    expected = _noncentral_power(0.03, 0.12 * 0.5**0.5, 40)
    found = [simulate(study, replicates=500, seed=seed, executor=1) for seed in range(200)]
    assert 0.90 <= np.mean([r.low <= expected <= r.high for r in found]) <= 0.99
    more = simulate(study, replicates=50_000, executor=1)
    assert (more.high - more.low) * 8.0 < found[0].high - found[0].low


def test_type_s_and_type_m() -> None:
    """At one standard error of effect: power 0.170, 0.9 % wrong signs, 2.49 times too large (Lu et al. 2019)."""
    items = 400
    population = Gaussian(sd=1.0, correlation=0.5, effect=1.0 / items**0.5)
    found = simulate(Study(population, PairedT(), items), replicates=30_000)
    rejections = found.power * 30_000
    assert found.type_s is not None
    assert found.type_m is not None
    assert found.power == pytest.approx(0.1701, abs=4.0 * (0.17 * 0.83 / 30_000) ** 0.5 + 0.001)
    assert found.type_s == pytest.approx(0.0090, abs=4.0 * (0.009 / rejections) ** 0.5)
    assert found.type_m == pytest.approx(2.4909, abs=0.03)
    mirrored = simulate(Study(population.with_effect(-1.0 / items**0.5), PairedT(), items), replicates=30_000)
    assert mirrored.type_s == pytest.approx(found.type_s, abs=4.0 * (0.018 / rejections) ** 0.5)


def test_no_type_s_without_effect_or_rejections() -> None:
    """At zero effect, for a claim of equivalence, and when nothing is rejected there is no wrong sign to count."""
    null = simulate(Study(Gaussian(sd=1, correlation=0, effect=0), PairedT(), 20), replicates=500)
    never = simulate(Study(Gaussian(sd=1, correlation=0, effect=0.1), PairedT(), 20, alpha=1e-12), replicates=500)
    margin = Equivalence(PairedT(), margin=3.0)
    same = simulate(Study(Gaussian(sd=1, correlation=0, effect=0.1), margin, 20), replicates=500)
    assert [(r.type_s, r.type_m) for r in (null, never, same)] == [(None, None)] * 3
    assert (never.power, never.low) == (0.0, 0.0)
    assert never.high > 0.0
    assert same.power > 0.5


def test_mcnemar_from_counts_and_from_items() -> None:
    """Exact McNemar power by summing every table, and the same from counts drawn directly."""
    items, population = 60, PairedBinary(accuracy=0.7, discordance=0.3, effect=0.15)
    win, loss = population.discordant_probabilities()
    wins, losses = np.meshgrid(np.arange(items + 1), np.arange(items + 1))
    rest = np.maximum(items - wins - losses, 0)
    chance = stats.multinomial.pmf(np.stack([wins, losses, rest], axis=-1), items, [win, loss, 1.0 - win - loss])
    chance = np.where(wins + losses <= items, chance, 0.0)
    p = 2.0 * stats.binom.cdf(np.minimum(wins, losses), wins + losses, 0.5)
    expected = float(chance[p <= 0.05].sum())
    assert _near(simulate(Study(population, MCNEMAR, items), replicates=40_000), expected)


def test_gaussian_pilot_has_noncentral_power() -> None:
    """A large pilot of normal differences plans like the normal population with its spread (METHODS 2.5)."""
    b = stream(3).normal(0.05, 0.1, (3000, 1, 1))
    pilot = Pilot.from_pair(Pair(np.zeros_like(b), b), 0.03)
    found = simulate(Study(pilot, PairedT(), 60), replicates=10_000)
    assert found.power == pytest.approx(_noncentral_power(0.03, pilot.sd_difference, 60), abs=0.02)


def test_clusters() -> None:
    """Ten items a cluster with ICC 0.3: cluster t keeps its level, the plain t does not (METHODS 4.4)."""
    population = Clustered(population=Gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3, effect=0.0)
    studies = [Study(population, test, 200) for test in (CLUSTER_T, PairedT())]
    robust, plain = simulate_many(studies, Budget(), Runner())
    assert _near(robust, 0.05)
    assert _near(plain, 0.311, errors=6.0)


def test_repeated_runs() -> None:
    """Power with K runs is that of the averaged differences (Miller 2024)."""
    population = RepeatedRuns(item_sd=0.3, run_sd=0.4, runs=4, effect=0.08)
    found = simulate(Study(population, PairedT(), 100), replicates=4000)
    assert _near(found, _noncentral_power(0.08, population.sd_difference, 100))


def test_unpaired_proportions() -> None:
    """The two-proportion z on independent groups has its textbook power."""
    found = simulate(
        Study(Proportions(accuracy=0.6, effect=0.1), TESTS.parse("two_proportion_z"), 400), replicates=20_000
    )
    pooled, own = (2 * 0.65 * 0.35 / 400) ** 0.5, ((0.6 * 0.4 + 0.7 * 0.3) / 400) ** 0.5
    assert found.power == pytest.approx(float(stats.norm.sf((1.959964 * pooled - 0.1) / own)), abs=0.02)


GRID = [
    Study(population.with_effect(effect), test, items, alpha)
    for population in (
        Gaussian(sd=0.12, correlation=0.8),
        Gaussian(sd=0.12, correlation=0.5, mean=0.65, clip=(0, 1)),
        Beta(mean=0.65, sd=0.12, correlation=0.8),
        Clustered(population=Beta(mean=0.65, sd=0.12, correlation=0.8), size=4, icc=0.3),
        PairedBinary(accuracy=0.7, discordance=0.2),
    )
    for effect in (0.0, 0.02, 0.05)
    for items, alpha in ((20, 0.05), (70, 0.05), (70, 0.01))
    for test in (
        PairedT(),
        TESTS.parse("sign"),
        *((MCNEMAR,) if isinstance(population, PairedBinary) else ()),
    )
]


def test_many_studies_are_as_many_single_ones() -> None:
    """Sharing random numbers between studies changes no bit of any answer, nor does their order."""
    budget = Budget(replicates=1100, seed=3)
    together = simulate_many(GRID, budget, Runner(1))
    assert together == [simulate(study, replicates=1100, seed=3, executor=1) for study in GRID]
    assert together[::-1] == simulate_many(GRID[::-1], budget, Runner(2))


@pytest.mark.parametrize(
    "population", [Gaussian(sd=0.12, correlation=0.8), Beta(mean=0.6, sd=0.2, correlation=0.5)], ids=str
)
def test_power_curve_is_smooth(population: Population) -> None:
    """With common random numbers the simulated power never falls as the effect grows."""
    effects = np.linspace(0.005, 0.06, 12)
    studies = [Study(population.with_effect(float(e)), PairedT(), 50) for e in effects]
    powers = [r.power for r in simulate_many(studies, Budget(replicates=2000), Runner())]
    assert (np.diff(powers) >= 0.0).all()


def test_progress() -> None:
    """The callback hears of replicates done and wanted, and at the end they are the same."""
    heard: list[tuple[int, int]] = []
    study = Study(Gaussian(sd=0.12, correlation=0.8, effect=0.02), PairedT(), 500)
    runner = Runner(progress=lambda done, total: heard.append((done, total)))
    simulate_many([study, study], Budget(replicates=1000), runner)
    assert not runner.interrupted
    assert heard[-1] == (2000, 2000)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert len(heard) > 2


@pytest.mark.parametrize("executor", [1, 2])
def test_interrupted_run_answers_with_what_it_has(executor: int) -> None:
    """Ctrl-C leaves the answer of the blocks done, which is that of a shorter run, with its wider interval."""
    study = Study(Gaussian(sd=0.12, correlation=0.8, effect=0.02), PairedT(), 500)
    calls: list[int] = []

    def interrupt(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    runner = Runner(executor, interrupt, partial=True)
    (partial,) = simulate_many([study], Budget(replicates=5000), runner)
    assert runner.interrupted
    assert partial.replicates == calls[-1] < 5000
    assert partial == simulate(study, replicates=calls[-1], executor=1)
    whole = simulate(study, replicates=5000, executor=executor)
    assert partial.high - partial.low > whole.high - whole.low


def test_who_marks_no_answer_as_partial_gets_none() -> None:
    """Where nobody said that a partial answer would be told as one, the interrupt goes through: it changes no number."""
    study = Study(Gaussian(sd=0.12, correlation=0.8, effect=0.02), PairedT(), 500)

    def interrupt(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    runner = Runner(1, interrupt)
    with pytest.raises(KeyboardInterrupt):
        simulate_many([study], Budget(replicates=5000), runner)
    with pytest.raises(KeyboardInterrupt):
        runner.in_order(Work(max, []))


def test_interrupted_before_any_answer() -> None:
    """Where a study has no replicate yet, there is nothing to answer and the interrupt goes through."""
    studies = [Study(Gaussian(sd=0.1, correlation=0.5, effect=0.1), PairedT(), items) for items in (20, 30)]

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_many(studies, Budget(replicates=50_000), Runner(1, interrupt, partial=True))


def test_memory_does_not_grow_with_replicates() -> None:
    """Forty times the replicates need no more memory."""
    study = Study(Gaussian(sd=0.12, correlation=0.8, effect=0.02), PairedT(), 1000)
    simulate(study, replicates=100, executor=1)
    peaks = []
    for replicates in (200, 8000):
        tracemalloc.start()
        simulate(study, replicates=replicates, executor=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.05 * peaks[0]


@dataclass(frozen=True)
class Undefined(Procedure):
    """A test whose p-value is undefined on every other evaluation and tiny on the rest."""

    needs = Differences
    label = "undefined"
    name = "undefined"

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        mean = sample.effect
        p = np.where(np.arange(len(mean)) % 2 == 0, np.nan, 1e-9)
        return Outcome(p, mean, np.sign(mean), np.zeros_like(mean), "")


def test_undefined_p_never_rejects() -> None:
    """An evaluation on which the test has no answer is not a rejection."""
    found = simulate(Study(Gaussian(sd=1, correlation=0, effect=1.0), Undefined(), 2), replicates=4096, executor=1)
    assert found.power == 0.5


def test_tests_with_chance_draw_from_their_own_stream() -> None:
    """What a test's randomness uses up does not change the scores of the next block or study."""
    population = Gaussian(sd=0.12, correlation=0.5, effect=0.03)
    resampling = Study(population, TESTS.parse("bootstrap(resamples=99)"), 60)
    plain = Study(population, PairedT(), 60)
    mixed = simulate_many([resampling, plain, resampling], Budget(replicates=700), Runner())
    assert mixed[0] == mixed[2] == simulate(resampling, replicates=700)
    assert mixed[1] == simulate(plain, replicates=700)


def test_blocks_depend_on_the_study_alone() -> None:
    """More items, fewer replicates a block; counts drawn directly come in the largest blocks."""
    sizes = [
        monte_carlo.block_size(Study(Gaussian(sd=1, correlation=0, effect=0), PairedT(), items))
        for items in (2, 100, 1000, 10**6)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    counted = Study(PairedBinary(discordance=0.1, effect=0.0), MCNEMAR, 10**6)
    assert monte_carlo.block_size(counted) == monte_carlo.BLOCK_REPLICATES


def test_the_largest_evaluations_that_are_simulated() -> None:
    """2²⁴ random numbers in one evaluation, and not one more."""
    normal = Gaussian(sd=1, correlation=0, effect=0)
    assert monte_carlo.block_size(Study(normal, PairedT(), 2**23)) == 1
    with pytest.raises(Unsuitable, match=r"8,388,609 items of .* are too many to simulate"):
        monte_carlo.block_size(Study(normal, PairedT(), 2**23 + 1))


@pytest.mark.parametrize(
    ("population", "test", "items", "rejections"),
    [
        ("gaussian(sd=0.12, correlation=0.5, effect=0.05)", "bootstrap(resamples=99)", 20, 1771),
        ("beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.015)", "paired_t", 100, 2483),
        ("paired_binary(accuracy=0.7, discordance=0.2, effect=0.05)", "mcnemar", 300, 2409),
    ],
)
def test_simulated_numbers_stay(population: str, test: str, items: int, rejections: int) -> None:
    """Streams, their numbers and the size of blocks are part of the answer: a change of any is a release note."""
    found = simulate(Study(population, test, items), 5_000, seed=3, executor=1)
    assert round(found.power * 5_000) == rejections


def test_refusals() -> None:
    """No replicates, a negative seed, an open effect, and a test that these scores cannot be given to."""
    study = Study(Gaussian(sd=0.1, correlation=0.5, effect=0.1), PairedT(), 20)
    with pytest.raises(UsageError, match="replicates is 0"):
        simulate(study, replicates=0)
    with pytest.raises(UsageError, match="seed is -1"):
        simulate(study, replicates=10, seed=-1)
    with pytest.raises(UsageError, match="has no effect"):
        simulate(Study(Gaussian(sd=0.1, correlation=0.5), PairedT(), 20), replicates=10)
    with pytest.raises(Unsuitable, match="right-or-wrong"):
        simulate(Study(study.population, MCNEMAR, 20), replicates=10, executor=2)


def test_what_to_do_instead_is_spelled_for_the_door() -> None:
    """A refusal of the test inside goes on with its options marked: the command line has flags, Python has arguments."""
    study = Study(Gaussian(sd=0.1, correlation=0.5, effect=0.1), TESTS.parse("cluster_sign_flip"), 20)
    with pytest.raises(Unsuitable) as refused:
        simulate(study, replicates=10)
    assert "--column cluster=…" in refused.value.message_for("command line")
    assert "columns={'cluster': …}" in refused.value.message_for("python")


def test_memory_that_is_kept_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an allocator is told to keep is about how soon the next block is done."""
    study = Study(Gaussian(sd=0.12, correlation=0.75, effect=0.03), PairedT(), 40)
    usual = simulate(study, replicates=500, executor=1)
    monkeypatch.setattr(monte_carlo, "keep_freed_memory", lambda: None)
    assert simulate(study, replicates=500, executor=1) == usual


class _Announced(Runner):
    """Notes the work that it is given."""

    given: list[Work[Any]]

    def in_order(self, work: Work[Any]) -> Any:
        self.given.append(work)
        return super().in_order(work)


@pytest.mark.parametrize("until", [None, 0.05])
def test_how_many_blocks_there_are_is_announced_unless_it_is_open(until: float | None) -> None:
    """The blocks of 10,000 replicates are counted; those that go on until power is known have no number."""
    study = Study(Gaussian(sd=0.12, correlation=0.75, effect=0.02), PairedT(), 30)
    with _Announced(1) as runner:
        runner.given = []
        simulate_many([study], Budget("monte_carlo", 10_000, until=until), runner)
    expected = -(-10_000 // monte_carlo.block_size(study))
    assert [work.count for work in runner.given] == [expected if until is None else None]
    assert expected > 1


@pytest.mark.parametrize("executor", [1, 2])
def test_studies_that_are_known_at_different_times(executor: int) -> None:
    """Each takes its own blocks until its power is known as well as was asked for, however many the others still take."""
    budget = Budget("monte_carlo", 20_000, until=0.03)
    population = Gaussian(sd=0.12, correlation=0.75, effect=0.06)
    studies = [Study(population, PairedT(), items) for items in (12, 200, 5, 150)]
    alone = [simulate_many([study], budget, Runner(1))[0] for study in studies]
    assert len({found.replicates for found in alone}) >= 3
    assert all(found.replicates is not None and found.replicates < 20_000 for found in alone)
    heard: list[tuple[int, int]] = []
    together = simulate_many(studies, budget, Runner(executor, lambda *done: heard.append(done)))
    assert together == alone
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_blocks_have_names() -> None:
    """Which of them, how large, and of the first of the studies that share it, for whoever is told that one was lost."""
    studies = [
        Study(Gaussian(sd=0.12, correlation=0.75, effect=e), PairedT(), n) for n in (30, 60) for e in (0.02, 0.04)
    ]
    with _Announced(1) as runner:
        runner.given = []
        simulate_many(studies, Budget("monte_carlo", 100), runner)
    (work,) = runner.given
    assert work.named is not None
    assert (
        work.named((1, 0, 2, 1_024)) == f"block 3 (1,024 replicates) of paired_t on 60 items of {studies[2].population}"
    )
    assert work.named((0, 0, 0, 7)) == f"block 1 (7 replicates) of paired_t on 30 items of {studies[0].population}"
