"""Evidence on contributions to BLEU: what was published, and what the outputs of WMT17 have."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tellapart import read
from tellapart.foundation.errors import SpellingError
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.evidence import EVIDENCE, Card2020Bleu, FittedContributions, Wmt17Ende
from tellapart.verbs.evidence.fit import fit_scores


def test_the_numbers_of_the_paper() -> None:
    """The mean of four pairs of table 3, and the least and the most of them."""
    shares, scales = np.array([0.19, 0.09, 0.12, 0.10]), np.array([23.7, 29.4, 22.5, 27.6])
    card = Card2020Bleu()
    assert card.coefficients == {"zero_share": 0.13, "scale": 25.8}
    assert (card.zero_share.expected, card.scale.expected) == pytest.approx((shares.mean(), scales.mean()), abs=0.0051)
    assert (card.zero_share.low, card.zero_share.high) == (shares.min(), shares.max())
    assert (card.scale.low, card.scale.high) == (scales.min(), scales.max())


def test_the_numbers_of_wmt17(shared: Path) -> None:
    """Bands hold 80 % of the 45 pairs of the ten systems near 26; what is expected has the spread of the median pair."""
    scores = read(shared / "wmt17_ende_bleu_stats.csv.gz", metric="bleu")
    found = fit_scores(scores, "wmt17")
    better = {pair.a for pair in found.swaps if pair.value_a > 25.9} | {
        pair.b for pair in found.swaps if pair.value_b > 25.9
    }
    assert len(better) == 10
    pairs = [pair for pair in found.swaps if {pair.a, pair.b} <= better]
    assert len(pairs) == len(list(combinations(range(10), 2)))
    known = Wmt17Ende()
    for name, band, digits in (("zero_share", known.zero_share, 0.0051), ("scale", known.scale, 0.051)):
        low, middle, high = np.quantile([getattr(pair, name) for pair in pairs], [0.1, 0.5, 0.9])
        assert (band.low, band.high) == pytest.approx((low, high), abs=digits)
        assert band.low < middle < band.high
    spreads = [
        DeltaLaplace(effect=0.0, zero_share=pair.zero_share, scale=pair.scale or 0.0).sd_difference for pair in pairs
    ]
    ours = DeltaLaplace(effect=0.0, **known.coefficients).sd_difference
    assert ours == pytest.approx(np.median(spreads), rel=0.05, abs=0.0)
    ratios = [(pair.scale or 0.0) / (0.5 * (pair.value_a + pair.value_b)) for pair in pairs]
    assert 0.5 < min(ratios) < max(ratios) < 0.9
    assert np.median(ratios) == pytest.approx(0.7, abs=0.02)
    everybody = [(pair.scale or 0.0) / (0.5 * (pair.value_a + pair.value_b)) for pair in found.swaps]
    assert max(everybody) == pytest.approx(1.27, abs=0.01)


@pytest.mark.parametrize(
    "options",
    [
        "zero_shares=0.2:0.1:0.3, scales=1:2:3",
        "zero_shares=0.1:0.2:1, scales=1:2:3",
        "zero_shares=0.1:0.2:0.3, scales=0:2:3",
        "zero_shares=-0.1:0.2:0.3, scales=1:2:3",
    ],
)
def test_what_cannot_be(options: str) -> None:
    """Bands in order, some items that contribute, and some spread."""
    with pytest.raises(SpellingError, match="low:expected:high"):
        EVIDENCE.parse(f"fitted_contributions({options})")
    assert FittedContributions(zero_shares=(0.0, 0.1, 0.2), scales=(1.0, 2.0, 3.0)).scale.high == 3.0
