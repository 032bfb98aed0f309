"""Training seeds in `compare`: standard error over seeds and items, notes, and detectable effect."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tellapart.answers.comparison import Detectable, Needed, SystemResult
from tellapart.answers.parts import IntervalResult, Note, SeedsResult
from tellapart.data.scores import Scores
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.methods.significance.seeds_t import LABEL, SeedsT, own_seed_squares, seed_squares
from tellapart.numerics.roots import increasing_root
from tellapart.numerics.seed_power import SeedPower, SeedSpreads
from tellapart.numerics.seed_variance import SeedMeanSquares
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.judging_options import JudgingOptions
from tellapart.verbs.seeds import seeds_of
from tellapart.verbs.source_notes import AnswerPart

FEW_SEEDS = 5
"""Below so many seeds their spread is hardly known, and much of the power is lost to that."""
DRAWS = 20_000
"""Drawn mean squares behind what is detectable: power is known to 0.003."""
MOST_ITEMS = 1_000_000
"""Items that stand for endless ones."""


def _squares(analysis: Analysis) -> SeedMeanSquares:
    return seed_squares(analysis.summary(Seeded))


def seeded_error(analysis: Analysis) -> float:
    """The standard error of the effect on other items with other seeds."""
    return float(np.sqrt(_squares(analysis).variance))


def seeded_systems(analysis: Analysis, names: tuple[str, str]) -> tuple[SystemResult, SystemResult]:
    """Each system's metric with the interval that other seeds and items would move it in."""
    sample: Seeded = analysis.summary(Seeded)
    level, found = 1.0 - analysis.alpha, []
    for name, mean, scores in zip(names, analysis.means, (sample.a, sample.b), strict=True):
        width = float(own_seed_squares(scores, sample.scale).half_width(level, "satterthwaite"))
        bounds = IntervalResult(mean - width, mean + width, level, "seeds_t(df=satterthwaite)", "mean", LABEL)
        found.append(SystemResult(name, mean, bounds))
    return found[0], found[1]


def seed_answer(scores: Scores, analysis: Analysis, names: tuple[str, str], question: JudgingOptions) -> AnswerPart:
    """What the answer says and notes of seeds, where a column says them."""
    found = {"seeds": _result(scores, analysis, names)}
    return AnswerPart(found, tuple(_notes(scores, analysis, names, question)))


def _result(scores: Scores, analysis: Analysis, names: tuple[str, str]) -> SeedsResult:
    a, b = (seeds_of(scores, name) for name in names)
    if not analysis.seeded:
        return SeedsResult(a, b, "fixed")
    found = _squares(analysis)
    (seed_a, seed_b), item, (rest_a, rest_b) = found.sds
    # Of clusters as of items that vary as much: so they are planned with.
    item, rest_a, rest_b = (one * math.sqrt(analysis.items / found.count) for one in (item, rest_a, rest_b))
    share, rule = float(found.seed_share), analysis.test.df if isinstance(analysis.test, SeedsT) else None
    sds = {"seed_a": seed_a, "seed_b": seed_b, "item": item, "seed_item_a": rest_a, "seed_item_b": rest_b}
    df = float(found.df)
    return SeedsResult(
        a,
        b,
        "random",
        sds={name: float(sd) for name, sd in sds.items()},
        shares={"seeds": share, "items": 1.0 - share},
        df=df if rule == "satterthwaite" and math.isfinite(df) else None,
        df_rule=rule,
    )


def _notes(scores: Scores, analysis: Analysis, names: tuple[str, str], question: JudgingOptions) -> Iterator[Note]:
    """Whether the answer is about other trainings, and what limits it."""
    counts = {name: seeds_of(scores, name) for name in names}
    once = [name for name, count in counts.items() if count < 2]
    if once:
        yield Note("trained_once", {"systems": once})
    elif not analysis.seeded:
        yield Note("seeds_averaged", {"asked": question.seeds_as == "fixed"})
    else:
        yield Note("seeds_random", {"seeds": list(counts.values())})
        if min(counts.values()) < FEW_SEEDS:
            yield Note("few_seeds", {"seeds": min(counts.values()), "below": FEW_SEEDS})
        share = float(_squares(analysis).seed_share)
        if share > 0.5:
            yield Note("mostly_seeds", {"share": share})


# What as many seeds and items detect, and how many items an effect takes with these seeds.


def _spreads(analysis: Analysis) -> SeedSpreads:
    found = _squares(analysis)
    (seed_a, seed_b), item, (rest_a, rest_b) = found.sds
    a, b = found.seeds
    return SeedSpreads((a, b), (float(seed_a), float(seed_b)), float(item), (float(rest_a), float(rest_b)))


def _power(analysis: Analysis, test: Procedure, items: int, spreads: SeedSpreads) -> SeedPower:
    assert isinstance(test, SeedsT)
    rng = stream(analysis.seed, 2)
    return SeedPower(spreads, items, analysis.alpha, test.df, test.alternative, DRAWS, rng)


def seeds_detectable(analysis: Analysis, test: Procedure, power: float) -> Detectable | None:
    """The smallest effect found with this power by as many seeds and items with the spreads seen here."""
    spreads = _spreads(analysis)
    if not spreads.standard_error(_squares(analysis).count) > 0.0:
        return None
    found = _power(analysis, test, _squares(analysis).count, spreads)
    sign = -1.0 if test.alternative == "less" else 1.0

    def gap(errors: FloatArray) -> FloatArray:
        return np.asarray(sum(found.at(sign * float(errors) * found.standard_error)) - power)

    errors = increasing_root(gap, np.asarray(0.0), np.asarray(4.0))
    return Detectable(float(errors) * found.standard_error, power, None, "formula")


def seeds_needed(analysis: Analysis, test: Procedure, effect: float, power: float) -> Needed | Note | None:
    """How many items find the effect with these seeds; a note where more items alone never do."""
    sign = -1.0 if test.alternative == "less" else 1.0
    sought = Needed("difference", effect, 0, power)
    return _needed(analysis, test, sought, lambda found: sum(found.at(sign * effect)))


def seeds_needed_within(analysis: Analysis, test: Equivalence | NonInferiority, power: float) -> Needed | Note | None:
    """How many items show that equal systems are within the margin, or not worse by it, with these seeds."""
    margin = test.known_margin
    sought = Needed(test.claim, margin, 0, power)
    if isinstance(test, Equivalence):
        return _needed(analysis, test.test, sought, lambda found: found.within(margin))
    one_sided = test.test.replace(alternative="greater")
    return _needed(analysis, one_sided, sought, lambda found: sum(found.at(margin)))


def _needed(
    analysis: Analysis, test: Procedure, sought: Needed, shown: Callable[[SeedPower], float]
) -> Needed | Note | None:
    """`sought` with the items that reach its power."""
    spreads, units = _spreads(analysis), _squares(analysis).count
    if not spreads.standard_error(units) > 0.0:
        return None
    endless = spreads.of_endless_items
    if endless.standard_error(MOST_ITEMS) > 0.0:
        ceiling = shown(_power(analysis, test, MOST_ITEMS, endless))
        if ceiling < sought.power:
            return Note("seeds_limit_power", {"size": sought.size, "power": sought.power, "ceiling": ceiling})

    def reaches(items: int) -> bool:
        return shown(_power(analysis, test, items, spreads)) >= sought.power

    low, high = 1, 2
    while not reaches(high) and high < MOST_ITEMS:
        low, high = high, 2 * high
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return replace(sought, items=math.ceil(high * analysis.items / units)) if high < MOST_ITEMS else None
