import numpy as np
import pytest
from scipy import stats

from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.populations import POPULATIONS
from tellapart.populations.beta import ERROR, Beta, beta_quantiles

MARGINS = [
    (0.65, 0.12),
    (0.5, 0.3),
    (0.5, 0.4),
    (0.9, 0.25),
    (0.02, 0.01),
    (0.01, 0.09),
    (0.999, 0.001),
    (0.5, 0.49),
]


@pytest.mark.parametrize(("mean", "sd"), MARGINS)
def test_table_error(mean: float, sd: float) -> None:
    """Quantiles are within the stated error of scipy's everywhere, tails included."""
    size = mean * (1.0 - mean) / sd**2 - 1.0
    law = stats.beta(mean * size, (1.0 - mean) * size)
    normals = np.concatenate((stream(1).standard_normal(3000), np.linspace(-8.4, 8.4, 2001)))
    exact = np.where(normals < 0.0, law.ppf(stats.norm.cdf(normals)), law.isf(stats.norm.sf(normals)))
    assert np.abs(beta_quantiles(mean, sd)(normals) - exact).max() <= ERROR


@pytest.mark.parametrize(("mean", "sd"), MARGINS)
def test_table_is_monotone_and_bounded(mean: float, sd: float) -> None:
    """Scores never fall as their normal rises, and stay between 0 and 1 beyond the table's ends."""
    scores = beta_quantiles(mean, sd)(np.linspace(-12.0, 12.0, 200_001))
    assert (np.diff(scores) >= -1e-16).all()
    assert scores.min() >= 0.0
    assert scores.max() <= 1.0


def test_margins() -> None:
    """Both margins are the Beta distributions asked for."""
    pair = Beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.1).draw(100, 400, stream(2))
    for scores, mean in ((pair.a, 0.65), (pair.b, 0.75)):
        size = mean * (1.0 - mean) / 0.12**2 - 1.0
        law = stats.beta(mean * size, (1.0 - mean) * size)
        assert stats.kstest(scores.ravel()[::7], law.cdf).pvalue > 1e-3
    assert np.corrcoef(pair.a.ravel(), pair.b.ravel())[0, 1] == pytest.approx(0.79, abs=0.01)


def test_all_or_nothing_scores_are_refused() -> None:
    """Where almost every score is 0 or 1 the table says so instead of being wrong."""
    with pytest.raises(UsageError, match="paired_binary"):
        Beta(mean=0.5, sd=0.499999, correlation=0.0, effect=0.0).draw(5, 2, stream(0))


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("beta(mean=65, sd=0.1, correlation=0)", "65 % is 0.65"),
        ("beta(mean=0.5, sd=0.5, correlation=0)", "sd below 0.5"),
        ("beta(mean=1, sd=0.1, correlation=0)", "sd=0.1 cannot be"),
        ("beta(mean=0.5, sd=0.3, correlation=0, effect=0.45)", "between -0.4 and 0.4"),
        ("beta(sd=0.3, correlation=0)", "needs mean"),
    ],
)
def test_refusals(spelling: str, message: str) -> None:
    """What cannot be is refused with what can."""
    with pytest.raises(UsageError, match=message):
        POPULATIONS.parse(spelling)


@pytest.mark.parametrize(("mean", "sd"), [(0.5076923076923077, 0.2880663960282596), (0.5, 1 / 12**0.5), (0.49, 0.289)])
def test_nearly_flat_laws(mean: float, sd: float) -> None:
    """Where scipy has no number for the far tails, the table is as good as elsewhere."""
    size = mean * (1.0 - mean) / sd**2 - 1.0
    normals = np.linspace(-8.0, 8.0, 1001)
    exact = stats.beta.ppf(stats.norm.cdf(normals[abs(normals) < 5.0]), mean * size, (1.0 - mean) * size)
    found = beta_quantiles(mean, sd)(normals)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[abs(normals) < 5.0], exact, atol=2e-9)
