"""No unmeasured method ships: every registered test and interval, with every kind it comes in, has a row of the calibration."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.answers.calibration import Calibrated
from tellapart.data.summaries import Discordance, Proportion, SeparateCounts
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.studies.calibration.binary import coverage, one_system, same_items, separate_items
from tellapart.studies.calibration.by_name import PlugInChoice, simulated_by_name, unlisted, unmeasured
from tellapart.studies.calibration.measure import measured
from tellapart.studies.calibration.scenario import SeparateItems

RECORD = Path(__file__).parents[2] / "docs" / "calibration.json"
KINDS = pytest.mark.parametrize(
    ("registry", "column"), [(TESTS, "test"), (INTERVALS, "interval")], ids=["test", "interval"]
)


@KINDS
def test_every_method_is_measured(registry: Any, column: str) -> None:
    """In the published record; `make calibrate` adds what is missing."""
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    found = {row[column] for row in rows if row["group"] != "changes" and row[column] is not None}
    assert unmeasured(registry, found) == []


def test_one_kind_does_not_stand_for_another() -> None:
    """Negative control: a missing variant of McNemar's test would be seen."""
    missing = unmeasured(TESTS, {"mcnemar(variant=exact)"})
    assert PlugInChoice("mcnemar") not in missing
    assert PlugInChoice("mcnemar", "variant", "exact") not in missing
    assert PlugInChoice("mcnemar", "variant", "corrected") in missing


@cache
def without_lists() -> tuple[Calibrated, ...]:
    return tuple(unlisted([], lambda scenario: measured(scenario, 100, seed=1)))


@KINDS
def test_what_no_list_names_is_measured_by_what_it_needs(registry: Any, column: str) -> None:
    """Were the lists empty, every kind of method would get a row, and each where its assumptions hold."""
    spellings = {getattr(row, column) for row in without_lists()}
    assert unmeasured(registry, spellings - {None}) == []
    assert {row.group for row in without_lists()} == {"by name"}
    assert [row for row in without_lists() if row.verdict == "fails"] == []


def test_what_has_a_row_gets_no_other() -> None:
    """All but one are listed: that one is measured, with its own interval, and nothing else is."""
    listed = [row for row in without_lists() if row.test != "sign"]
    (row,) = unlisted(listed, lambda scenario: measured(scenario, 100, seed=1))
    assert (row.test, row.interval, row.items) == ("sign", "student_t", 60)
    assert list(unlisted([*listed, row], lambda _: pytest.fail("measured again"))) == []


def test_tables_of_one_system() -> None:
    """Every number of right answers, with its binomial probability."""
    tables = one_system(12, 0.3)
    assert isinstance(tables.sample, Proportion)
    assert tables.sample.successes.tolist() == list(range(13))
    assert set(tables.sample.trials.tolist()) == {12}
    assert tables.chances == pytest.approx(stats.binom.pmf(range(13), 12, 0.3))


def test_tables_of_separate_items() -> None:
    """Every pair of numbers of right answers, A's before B's."""
    tables = separate_items((3, 5), (0.4, 0.9))
    assert isinstance(tables.sample, SeparateCounts)
    expected = [
        stats.binom.pmf(a, 3, 0.4) * stats.binom.pmf(b, 5, 0.9)
        for a, b in zip(tables.sample.a.successes, tables.sample.b.successes, strict=True)
    ]
    assert len(expected) == 4 * 6
    assert tables.chances == pytest.approx(expected)
    assert tables.chances @ tables.sample.effect == pytest.approx(0.5)


def test_tables_of_the_same_items() -> None:
    """Every sorting into four kinds with its multinomial probability; the mean effect is the true one."""
    tables = same_items(9, 0.3, 0.1, 0.6)
    sample = tables.sample
    assert isinstance(sample, Discordance)
    counts = np.stack([sample.wins, sample.losses, sample.both, sample.neither], axis=-1)
    expected = stats.multinomial.pmf(counts, 9, [0.2, 0.1, 0.42, 0.28])
    assert len(counts) == len({tuple(row) for row in counts.tolist()}) == 12 * 11 * 10 // 6
    assert tables.chances == pytest.approx(expected)
    assert tables.chances.sum() == pytest.approx(1.0)
    assert tables.chances @ sample.effect == pytest.approx(0.1)


@pytest.mark.parametrize("interval", ["wald", "tango", "bonett_price"])
def test_what_both_got_right_does_not_matter(interval: str) -> None:
    """Intervals that look at discordant items alone are held as often as the enumeration of those alone says."""
    chosen = INTERVALS.parse(interval)
    found = same_items(40, 0.2, 0.1, 0.7).held(chosen, 0.1)
    assert found == pytest.approx(coverage(40, 0.2, 0.1, chosen), abs=1e-9)


@pytest.mark.parametrize("effect", [0.0, 0.5])
def test_separate_items_have_their_effect_and_spread(effect: float) -> None:
    """A's scores lie about zero with their own spread, B's about the effect; they are independent."""
    scenario = next(s for s in simulated_by_name() if isinstance(s, SeparateItems))
    pair = scenario.pairs(20_000, effect, stream(3))
    assert (pair.a.shape[1], pair.b.shape[1]) == (scenario.items_of_a, scenario.items) == (20, 40)
    assert pair.a.mean() == pytest.approx(0.0, abs=0.02)
    assert pair.b.mean() == pytest.approx(effect, abs=0.01)
    assert (pair.a.std(), pair.b.std()) == pytest.approx((2.0, 1.0), abs=0.02)
    gaps = pair.b.mean(axis=(1, 2, 3)) - pair.a.mean(axis=(1, 2, 3))
    assert gaps.std() == pytest.approx(scenario.standard_error, rel=0.03, abs=0.0)
