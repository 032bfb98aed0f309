"""Groups whose difference is known: draws have the spread and the change they should, and what is measured is what is told."""

import numpy as np
import pytest

from tellapart.answers.calibration import Calibrated
from tellapart.foundation.seeds import stream
from tellapart.studies.calibration.changes import Groups, as_changes, counted_changes, unchanged_groups
from tellapart.studies.calibration.difference_laws import normal
from tellapart.studies.calibration.measure import StreamBlock


def measured_changes(groups: Groups, replicates: int, seed: int) -> Calibrated:
    """How often a change is told where there is none, all intervals hold it, and a change of the last group is told."""
    return as_changes(groups, counted_changes(groups, StreamBlock(0, replicates, seed)), replicates)


KINDS = pytest.mark.parametrize("groups", [*unchanged_groups()], ids=lambda groups: groups.name)


@KINDS
def test_draws_have_the_change(groups: Groups) -> None:
    """No group but the last differs from the first, and that by the change."""
    rng, change = stream(3), 2.0
    found = np.mean([groups.drawn(change, rng).contrasts.estimate for _ in range(600)], axis=0)
    spreads = np.abs(groups.spreads)
    error = np.hypot(spreads[1:] / np.sqrt(groups.sizes[1:]), spreads[0] / np.sqrt(groups.sizes[0]))
    expected = np.append(np.zeros(len(found) - 1), change)
    assert (np.abs(found - expected) <= 5.0 * error / np.sqrt(600)).all()


@KINDS
def test_repeated_items_are_the_same_units(groups: Groups) -> None:
    """Groups of the same items share all of them, others none."""
    shared = len(groups.drawn(0.0, stream(1)).cells.shared[0])
    assert shared == (sum(groups.sizes[1:]) if groups.repeated else 0)


def test_a_liberal_law_would_be_seen() -> None:
    """Negative control: three groups whose items are all met ten times as if they were new ones."""

    def copied(shape: tuple[int, int], effect: float, rng: np.random.Generator) -> np.ndarray:
        return np.repeat(normal((shape[0], shape[1] // 10), effect, rng), 10, axis=1)

    wrong = Groups("copied", (60, 60, 60), (copied,) * 3, (1.0,) * 3)
    found = measured_changes(wrong, 60, 0)
    assert found.verdict == "fails"
    assert found.size is not None
    assert found.size.share > 0.2
