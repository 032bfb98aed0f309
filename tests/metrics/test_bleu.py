"""BLEU against sacrebleu: `sacrebleu.BLEU().corpus_score` on texts made for this, and the numbers of its own edge cases."""

from typing import Any

import numpy as np
import pytest

from tellapart.foundation.errors import SpellingError
from tellapart.metrics import METRICS
from tellapart.metrics.bleu import Bleu

sacrebleu = pytest.importorskip("sacrebleu.metrics")

REFERENCES = ["the cat sat on the mat", "a dog ran home today again", "it is so nice , is it not ?", "yes"]
HYPOTHESES = {
    "near": ["the cat sat on a mat", "a dog ran home today", "it was so nice , is it not ?", "yes"],
    "brief": ["the cat", "a dog ran", "so nice", ""],
    "long": [f"{text} and more and more" for text in REFERENCES],
    "no long match": ["the mat cat", "dog a", "nice it", "yes"],
    "no match": ["xx yy zz ww", "vv uu", "tt", "ss"],
    "empty": ["", "", "", ""],
    "perfect": REFERENCES,
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"smooth": "floor"},
    {"smooth": "add-k"},
    {"smooth": "none"},
    {"tokenize": "none", "lowercase": True},
    {"tokenize": "char"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("wrote", HYPOTHESES)
@pytest.mark.parametrize(
    "others", [(), ("the cat", "dog", "is it so nice", "yes yes yes")], ids=["one", "two references"]
)
def test_the_score_is_that_of_sacrebleu(wrote: str, options: dict[str, Any], others: tuple[str, ...]) -> None:
    """From counts per segment, by our formula, also with two references and where nothing, or not every order, matches."""
    references = [REFERENCES, *([list(others)] if others else [])]
    named = {
        "smooth_method": options.get("smooth", "exp"),
        **{k: v for k, v in options.items() if k != "smooth"},
    }
    expected = sacrebleu.BLEU(**named).corpus_score(HYPOTHESES[wrote], references)
    metric = Bleu(**options)
    parts = metric.count(list(zip(HYPOTHESES[wrote], zip(*references, strict=True), strict=True)))
    found = metric.value(parts.mean(axis=0), len(parts))
    assert float(found) == pytest.approx(expected.score, abs=1e-9)
    details = metric.details(parts.mean(axis=0), len(parts), ())
    assert details["brevity_penalty"] == pytest.approx(expected.bp, abs=1e-12)
    assert details["length_ratio"] == pytest.approx(expected.ratio, abs=1e-12)
    assert details["precisions"] == pytest.approx(expected.precisions, abs=1e-9)


def test_orders_without_a_match_are_remarked() -> None:
    """Which orders, and what smoothing made of them; nothing at all is another remark."""
    parts = Bleu().count(list(zip(HYPOTHESES["no long match"], zip(REFERENCES), strict=True)))
    (remark,) = Bleu().remarks(parts.mean(axis=0), 4)
    assert (remark.code, remark.values) == ("unmatched_orders", {"orders": [3, 4], "smooth": "exp"})
    (nothing,) = Bleu().remarks(np.zeros(10), 4)
    assert nothing.code == "nothing_matched"
    assert Bleu().remarks(np.ones(10), 4) == ()


def test_an_unknown_tokenizer_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpellingError, match=r"tokenize=13b is not a tokenizer; did you mean '13a'"):
        METRICS.parse("bleu(tokenize=13b)")
