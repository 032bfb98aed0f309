"""Validation as a predictor of test results on the SQuAD 2.0 leaderboard: Card et al. (2020), appendix D.

The public data lack how often two submissions differ on the test set; the share on the validation set stands in for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.studies.reproduction.card_detectable import ALPHA, POWER, Gains
from tellapart.studies.reproduction.card_figures import EXACT_TEST, exact_power
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.regression import fit, printed_statistics
from tellapart.studies.reproduction.table import FILES, Ours, Setting, recomputes

VALIDATION, TEST = 11_873, 8_862
"""Items of the two sets."""


@dataclass(frozen=True, eq=False)
class Submissions:
    """Percentages right on both sets, in order of time, and how each later one differs from each earlier: (gap, differing)."""

    validation: FloatArray
    test: FloatArray
    pairs: dict[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Step:
    """A submission against the best before it."""

    best: int
    new: int
    powered: bool
    significant: bool


@lru_cache(maxsize=4)
def _read_submissions(data: Path) -> Submissions:
    setting = Setting(0, 0, data)
    models, pairs = (setting.table(name)[1:] for name in FILES["squad"])
    scores = np.array([[float(row[2]), float(row[3])] for row in models])
    counted = {(int(i), int(j)): (int(gap), int(differing)) for i, j, gap, differing in pairs}
    return Submissions(scores[:, 0], scores[:, 1], counted)


@lru_cache(maxsize=8)
def _history(data: Path, items: int) -> tuple[Step, ...]:
    """Each submission against the last that was both powered on validation and significant on test."""
    told = _read_submissions(data)
    best, steps = 0, []
    for new in range(1, len(told.test)):
        step = Step(best, new, _is_powered(told, best, new, items), _is_significant(told, best, new))
        steps.append(step)
        best = new if step.powered and step.significant else best
    return tuple(steps)


def _is_powered(told: Submissions, best: int, new: int, items: int) -> bool:
    """Whether these items detect an improvement on validation with 80 % power."""
    gap, differing = told.pairs[best, new]
    if not told.validation[new] > told.validation[best]:
        return False
    return exact_power(items, gap / VALIDATION, differing / VALIDATION).power >= POWER


def _is_significant(told: Submissions, best: int, new: int) -> bool:
    """A significant improvement on test, at the share of differing items seen on validation."""
    right = [round(TEST * told.test[i] / 100.0) for i in (best, new)]
    gap, differing = right[1] - right[0], round(told.pairs[best, new][1] * TEST / VALIDATION)
    if gap <= 0:
        return False
    # Halves are cut as the authors do, so that counts stay integers.
    wins, losses = differing // 2 + gap // 2, max(differing // 2 - gap // 2, 0)
    zero = np.asarray(0)
    table = Discordance(zero, np.asarray(wins), np.asarray(losses), zero)
    return bool(rejects(EXACT_TEST.apply(table, stream(0)).pvalue, ALPHA))


def _accepted_steps(setting: Setting) -> list[Step]:
    return [s for s in _history(setting.data, VALIDATION) if s.powered and s.significant]


def improvements(setting: Setting) -> Gains:
    """Gains on test of the submissions that became the best, in points."""
    test = _read_submissions(setting.data).test
    return Gains.of([test[step.new] - test[step.best] for step in _accepted_steps(setting)])


@recomputes("card2020-table-8")
def effect_regression(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    test, steps = _read_submissions(setting.data).test / 100.0, _accepted_steps(setting)
    baselines = np.array([test[s.best] for s in steps])
    x = np.stack([np.ones_like(baselines), baselines], axis=1)
    found = fit(x, np.array([test[s.new] - test[s.best] for s in steps]))
    return printed_statistics(rows, found, ["Constant", "Baseline"])


@recomputes("card2020-squad")
def validation_predicts_test(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    return [_step_count(row, setting) for row in rows]


def _step_count(row: PublishedRow, setting: Setting) -> Ours | None:
    quantity, told = row.settings["quantity"], _read_submissions(setting.data)
    if quantity == "correlation of agreement, validation against test":
        return None
    if quantity == "correlation of gaps, validation against test":
        gaps = [[scores[j] - scores[i] for i, j in told.pairs] for scores in (told.validation, told.test)]
        return Ours(float(np.corrcoef(gaps)[0, 1]))
    steps = _history(setting.data, int(row.settings["items"] or VALIDATION))
    powered = [s for s in steps if s.powered]
    others = [s for s in steps if not s.powered]
    good, lucky = (sum(s.significant for s in part) for part in (powered, others))
    counts = {
        "submissions compared": len(steps),
        "powered on validation": len(powered),
        "of these significant on test": good,
        "% of them": 100.0 * good / len(powered),
        "others": len(others),
        "of these significant on test, others": lucky,
        "% of the others": 100.0 * lucky / len(others),
    }
    return Ours(float(counts[quantity]))
