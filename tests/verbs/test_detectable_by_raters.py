"""What raters and items could have shown: the very rule where designs are balanced, else near it; by every test that is named."""

from typing import Any

import numpy as np
import pytest

from tellapart import Comparison, Ratings, compare, plan
from tellapart.answers.parts import codes

RULES = ("kenward_roger", "cochran", "satterthwaite", "normal")
SPREADS = ("rater_effect_sd", "item_effect_sd", "residual_sd")


def rated(raters: int, items: int, *, gaps: float = 0.0, seed: int = 0) -> Ratings:
    """Ratings whose spreads are none of the settings of evidence."""
    rng = np.random.default_rng(seed)
    own = 0.4 * rng.normal(size=(raters, 1)) + 0.5 * rng.normal(size=(1, items))
    a, b = (side * own + 0.6 * rng.normal(size=(raters, items)) for side in (-0.5, 0.5))
    unseen = rng.random((raters, items)) < gaps
    return Ratings.from_arrays({"a": np.where(unseen, np.nan, a), "b": np.where(unseen, np.nan, b)})


def planned(answer: Comparison, effect: float, raters: int, items: int) -> float:
    assert answer.ratings is not None
    spreads = ", ".join(f"{name}={answer.ratings.sds[name]!r}" for name in SPREADS)
    population = f"ratings(effect={effect!r}, raters={raters}, {spreads})"
    found = plan(population, items=items, test=answer.test, alpha=answer.alpha)
    assert found.rows[0].engine == "exact"
    power: float = found.rows[0].power
    return power


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("raters", "items"), [(3, 30), (7, 12), (9, 4)])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_a_plan_of_the_spreads_seen_finds_it(rule: str, raters: int, items: int, alternative: str) -> None:
    """At the effect that is called detectable the exact engine of `plan` has the power that is claimed."""
    answer = compare(rated(raters, items), test=f"mixed_model(df={rule}, alternative={alternative})", alpha=0.1)
    assert answer.detectable is not None
    assert answer.detectable.engine == "exact"
    side = -1.0 if alternative == "less" else 1.0
    assert planned(answer, side * answer.detectable.effect, raters, items) == pytest.approx(0.8, abs=2e-5)


@pytest.mark.parametrize("rule", RULES)
def test_gaps_are_near_the_full_table(rule: str) -> None:
    """By formula where raters skipped some items: 2 % of 8 × 40 change little, whichever law judges."""
    full, gapped = (compare(rated(8, 40, gaps=gaps), test=f"mixed_model(df={rule})") for gaps in (0.0, 0.02))
    assert full.detectable is not None
    assert gapped.detectable is not None
    assert gapped.detectable.engine == "formula"
    assert gapped.detectable.effect == pytest.approx(full.detectable.effect, rel=0.06, abs=0.0)


def test_maximum_likelihood_has_a_formula() -> None:
    for rule in ("cochran", "satterthwaite", "normal"):
        found = compare(rated(8, 40), test=f"mixed_model(df={rule}, fit=ml)").detectable
        assert found is not None
        assert found.engine == "formula"
        assert 0.1 < found.effect < 2.0


def test_flipped_signs_are_simulated() -> None:
    """Against raters' means drawn and flipped here, one by one, which knows nothing of the product's laws."""
    raters = 7
    answer = compare(rated(raters, 30), test="rater_sign_flip")
    found = answer.detectable
    assert found is not None
    assert found.engine == "monte_carlo"
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.effect < found.high
    rng = np.random.default_rng(5)
    spread = float(answer.standard_error or 0.0) * raters**0.5
    means = found.effect + spread * rng.normal(size=(4000, raters))
    signs = 1.0 - 2.0 * ((np.arange(2**raters)[:, None] >> np.arange(raters)) & 1)
    flipped = np.abs(means @ signs.T)
    pvalues = (flipped >= flipped[:, :1] - 1e-12).mean(axis=1)
    assert (pvalues <= 0.05).mean() == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(("raters", "can"), [(5, False), (6, True)])
def test_few_raters_cannot_flip_enough(raters: int, can: bool) -> None:
    """2/2^5 is above .05: no effect is detectable, and a note says why."""
    answer = compare(rated(raters, 30), test="rater_sign_flip")
    assert (answer.detectable is not None) == can
    assert ("too_few_raters_to_flip" in codes(answer.notes)) != can


@pytest.mark.parametrize(
    ("test", "raters", "allows"),
    [
        ("mixed_model(df=cochran)", 3, True),
        ("mixed_model(df=kenward_roger)", 3, False),
        ("mixed_model(df=kenward_roger)", 6, True),
        ("rater_t", 3, True),
    ],
)
def test_only_some_tests_allow_for_few_raters(test: str, raters: int, allows: bool) -> None:
    """Kenward and Roger's is too eager with three, and a note names what is not."""
    notes: dict[str, Any] = {note.code: note.text for note in compare(rated(raters, 30), test=test).notes}
    assert ("needs_more_raters" not in notes) == allows
    if not allows:
        assert "df=cochran" in notes["needs_more_raters"]
