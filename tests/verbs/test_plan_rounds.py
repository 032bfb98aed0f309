"""How much a plan will simulate is foreseen from its first simulation, to a factor of two."""

from collections.abc import Sequence
from typing import Any

import pytest

from tellapart import plan
from tellapart.planning.budget import Budget
from tellapart.planning.study import Study
from tellapart.verbs.plan import forecast as room
from tellapart.verbs.plan.forecast import Forecaster, ReplicatesAhead
from tellapart.verbs.plan.rounds import rounds

NORMAL = "gaussian(sd=0.3, correlation=0.5, effect={})"
FLOOR = "beta(mean=0.9, sd=0.1, correlation=0.5{})"
QUICK_BOOTSTRAP = "bootstrap(kind=studentised, resamples=99)"

PLANS: list[tuple[Any, dict[str, Any]]] = [
    (NORMAL.format(0.03), {"power": 0.8, "test": "wilcoxon"}),
    (NORMAL.format(0.1), {"power": 0.9, "test": "sign"}),
    (NORMAL.format(0.2), {"power": 0.8, "test": "wilcoxon"}),
    (NORMAL.format(0.1), {"power": 0.8, "test": QUICK_BOOTSTRAP}),
    (NORMAL.format(0.1), {"power": 0.95, "test": QUICK_BOOTSTRAP}),
    (NORMAL.format(0.3), {"power": 0.8, "test": QUICK_BOOTSTRAP}),
    ([NORMAL.format(effect) for effect in (0.05, 0.1, 0.2)], {"power": 0.8, "test": "wilcoxon"}),
    ([NORMAL.format(effect) for effect in (0.2, 0.1, 0.05)], {"power": 0.8, "test": QUICK_BOOTSTRAP}),
    (FLOOR.format(", effect=0.02"), {"power": 0.8}),
    (FLOOR.format(""), {"items": 100, "power": 0.8, "test": QUICK_BOOTSTRAP}),
    (FLOOR.format(""), {"items": 100, "power": 0.8, "test": "wilcoxon"}),
    (FLOOR.format(""), {"items": [100, 200], "power": 0.8, "test": "wilcoxon"}),
    ("gaussian(effect=0.1)", {"power": 0.8, "test": "wilcoxon"}),
    (NORMAL.format(0.1), {"items": [50, 100], "test": "wilcoxon"}),
]


@pytest.mark.parametrize(("population", "options"), PLANS)
def test_what_is_simulated_is_foreseen(
    population: Any, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By items times replicates, which is what time goes by; no clock is read."""
    simulated: list[float] = []
    foreseen: list[float] = []

    class Counting(Forecaster):
        def begin(self, studies: Sequence[Study], budget: Budget, course: ReplicatesAhead) -> None:
            super().begin(studies, budget, course)
            if not foreseen:
                foreseen.append(rounds(self.asks, room.slowest(studies), self.question))
            simulated.append(course.missing * max(study.items for study in studies))

    monkeypatch.setattr(room, "Forecaster", Counting)
    plan(population, replicates=300, executor=1, forecast=lambda _: None, **options)
    assert 0.5 < foreseen[0] / (sum(simulated) / simulated[0]) < 2.0
