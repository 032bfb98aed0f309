"""McNemar's test in all variants: statsmodels, the definition of mid-p, and every table of a few items."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar

from tellapart.data.summaries import Discordance
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS, Outcome
from tellapart.methods.significance.mcnemar import McNemar

COUNTS = [(5, 2), (2, 5), (12, 30), (7, 7), (0, 6), (1, 0)]
VARIANTS = ["mid_p", "exact", "asymptotic", "corrected", "unconditional"]


def found(variant: str, wins: int, losses: int, alternative: str = "two-sided", items: int = 60) -> Outcome:
    counts = (20, wins, losses, items - 20 - wins - losses)
    test = TESTS.parse(f"mcnemar(variant={variant}, alternative={alternative})")
    return test.apply(Discordance(*map(np.asarray, counts)), stream(0))


@pytest.mark.parametrize(("wins", "losses"), COUNTS)
def test_as_in_statsmodels(wins: int, losses: int) -> None:
    """Exact, asymptotic and corrected p-values, and the roots of their chi-squares."""
    table = [[20, losses], [wins, 5]]
    exact = mcnemar(table, exact=True)
    assert float(found("exact", wins, losses).pvalue) == pytest.approx(exact.pvalue, rel=1e-10, abs=0.0)
    for variant, correction in (("asymptotic", False), ("corrected", True)):
        expected = mcnemar(table, exact=False, correction=correction)
        ours = found(variant, wins, losses)
        if wins != losses:  # statsmodels corrects a difference of nothing away from nothing
            assert float(ours.pvalue) == pytest.approx(expected.pvalue, rel=1e-10, abs=0.0)
            assert float(ours.statistic) == pytest.approx(
                np.sign(wins - losses) * np.sqrt(expected.statistic), rel=1e-10, abs=0.0
            )


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("wins", "losses"), COUNTS)
def test_mid_p_by_its_definition(wins: int, losses: int, alternative: str) -> None:
    """Half the probability of what was seen, and all of what is more extreme; the smaller side doubled."""
    law = stats.binom(wins + losses, 0.5)
    less, greater = law.cdf(wins) - 0.5 * law.pmf(wins), law.sf(wins) + 0.5 * law.pmf(wins)
    expected = {"less": less, "greater": greater, "two-sided": min(1.0, 2.0 * min(less, greater))}
    ours = found("mid_p", wins, losses, alternative)
    assert float(ours.pvalue) == pytest.approx(expected[alternative], rel=1e-10, abs=0.0)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("wins", "losses"), [(4, 1), (1, 4), (5, 0), (2, 2)])
def test_unconditional_by_every_table(wins: int, losses: int, alternative: str) -> None:
    """The worst case, over the share that differs, of the chance of a table at least as extreme by z."""
    items, z = 25, (wins - losses) / np.sqrt(wins + losses)
    tables = [(w, d - w) for d in range(items + 1) for w in range(d + 1)]
    sizes = np.array([(won - lost) / np.sqrt(max(won + lost, 1)) for won, lost in tables])
    extreme = {
        "two-sided": np.abs(sizes) >= abs(z) - 1e-9,
        "greater": sizes >= z - 1e-9,
        "less": sizes <= z + 1e-9,
    }[alternative]
    differ = np.array([won + lost for won, lost in tables])
    fair = stats.binom.pmf([w for w, _ in tables], differ, 0.5)

    def chance(share: float) -> float:
        return float((fair * stats.binom.pmf(differ, items, share))[extreme].sum())

    grid = np.linspace(0.0, 1.0, 2001)
    near = grid[int(np.argmax([chance(p) for p in grid]))]
    best = optimize.minimize_scalar(
        lambda p: -chance(p), bounds=(max(near - 1e-3, 0.0), min(near + 1e-3, 1.0)), method="bounded"
    )
    ours = found("unconditional", wins, losses, alternative, items=items)
    assert float(ours.pvalue) == pytest.approx(max(-best.fun, chance(1.0)), rel=1e-4, abs=0.0)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_differs(variant: Any, alternative: str) -> None:
    """Systems that agree on every item: no evidence, and no direction."""
    ours = found(variant, 0, 0, alternative)
    assert float(ours.direction) == 0.0
    assert float(ours.pvalue) == (0.5 if variant in {"asymptotic", "corrected"} and alternative != "two-sided" else 1.0)


@pytest.mark.parametrize(
    ("variant", "label", "method", "statistic"),
    [
        ("mid_p", "McNemar mid-p", "mid-p of the exact binomial", 12.0),
        ("exact", "McNemar exact", "exact binomial", 12.0),
        ("asymptotic", "McNemar asymptotic", "normal approximation", 2.0),
        ("corrected", "McNemar corrected", "normal approximation with continuity correction", 1.75),
        (
            "unconditional",
            "McNemar unconditional",
            "exact, worst case over the share of items that differ",
            2.0,
        ),
    ],
)
def test_says_what_it_did(variant: str, label: str, method: str, statistic: float) -> None:
    """Each variant has its name, its words and its statistic: wins, or the signed root of chi-square."""
    ours = found(variant, 12, 4)
    assert TESTS.parse(f"mcnemar(variant={variant})").label == label
    assert (ours.method, float(ours.statistic), float(ours.direction)) == (method, statistic, 1.0)
    assert float(ours.error) == 0.0


@pytest.mark.parametrize("null", [-0.1, 0.05, 0.2])
def test_another_null_is_tangos_score_test(null: float) -> None:
    """Z = (wins − losses − n·null) / √(n·(2·q + null·(1 − null))), q the likeliest share of losses given the null."""
    wins, losses, items = 12, 4, 60

    def surprise(q: float) -> float:
        cells = (wins, losses, items - wins - losses), (q + null, q, 1.0 - 2.0 * q - null)
        return -float(sum(count * np.log(share) for count, share in zip(*cells, strict=True)))

    low, high = max(0.0, -null) + 1e-12, (1.0 - null) / 2.0 - 1e-12
    q = optimize.minimize_scalar(surprise, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    z = (wins - losses - items * null) / np.sqrt(items * (2.0 * q + null * (1.0 - null)))
    sample = Discordance(*map(np.asarray, (20, wins, losses, 24)))
    for side, expected in (("greater", stats.norm.sf(z)), ("less", stats.norm.cdf(z))):
        test = TESTS.parse(f"mcnemar(variant=mid_p, alternative={side})")
        ours = test.against(sample, null, stream(0))
        assert float(ours.pvalue) == pytest.approx(expected, rel=1e-5, abs=0.0)
        assert (ours.method, float(ours.direction)) == ("Tango's score test", np.sign(z))
    assert float(TESTS.parse("mcnemar").against(sample, 0.0, stream(0)).statistic) == 12.0


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_where_the_unconditional_variant_rejects(alternative: str) -> None:
    """Its critical counts are those its p-values have, for every number of items that differ; other variants have none."""
    items, alpha = 20, 0.05
    discordant = np.arange(items + 1)
    test = TESTS.parse(f"mcnemar(variant=unconditional, alternative={alternative})")
    assert isinstance(test, McNemar)
    counts = test.critical_counts(discordant, items, alpha)
    assert counts is not None
    for differ in range(1, items + 1):
        wins = np.arange(differ + 1)
        rest = np.full_like(wins, items - differ)
        pvalue = test.apply(Discordance(rest, wins, differ - wins, 0 * wins), stream(0)).pvalue
        known = (wins <= counts[0][differ]) | (wins >= counts[1][differ])
        np.testing.assert_array_equal(pvalue <= alpha, known)
    assert McNemar(variant="mid_p").critical_counts(discordant, items, alpha) is None
