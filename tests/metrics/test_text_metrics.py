"""chrF and TER against sacrebleu, WER and CER against jiwer, on texts made for this; what each metric is counted alike with."""

from typing import Any

import numpy as np
import pytest

from tellapart.foundation.errors import SpellingError
from tellapart.metrics import METRICS
from tellapart.metrics.counting.texts import edit_distance
from tellapart.metrics.from_texts import TextMetric

sacrebleu = pytest.importorskip("sacrebleu.metrics")
jiwer = pytest.importorskip("jiwer")

REFERENCES = [
    "the cat sat on the mat",
    "A dog, ran (home) today again.",
    "it is so  nice",
    "yes",
    "ünïcode 東京 です",
]
OTHERS = ["the cat", "dog ran home", "is it\tso nice", "yes yes yes", "東京"]
HYPOTHESES = {
    "near": ["the cat sat on a mat", "a dog ran home, today.", "it was so nice", "yes", "ünicode 東京です"],
    "brief": ["the cat", "a dog ran", "so nice", "", ""],
    "moved": [
        "on the mat sat the cat",
        "today again a dog ran home",
        "so nice it is",
        "yes",
        "です 東京 ünïcode",
    ],
    "no match": ["xx", "yy", "qq", "w", "v"],
    "empty": [""] * 5,
    "perfect": REFERENCES,
}
CHRF: list[dict[str, Any]] = [
    {},
    {"words": 2},
    {"order": 3, "words": 1, "beta": 3},
    {"lowercase": True, "whitespace": True},
]
TER: list[dict[str, Any]] = [
    {},
    {"normalized": True, "no_punct": True},
    {"asian_support": True, "normalized": True},
    {"case_sensitive": True},
]


def score(spelled: str, wrote: list[str], *references: list[str]) -> float:
    metric = METRICS.parse(spelled)
    assert isinstance(metric, TextMetric)
    parts = metric.count(list(zip(wrote, zip(*references, strict=True), strict=True)))
    return float(metric.value(parts.mean(axis=0), len(parts)))


def spelled(name: str, options: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={str(value).lower()}' for key, value in options.items())})" if options else name


@pytest.mark.parametrize("references", [(REFERENCES,), (REFERENCES, OTHERS)], ids=["one", "two references"])
@pytest.mark.parametrize("wrote", HYPOTHESES)
@pytest.mark.parametrize("options", CHRF, ids=str)
def test_chrf_is_that_of_sacrebleu(options: dict[str, Any], wrote: str, references: tuple[list[str], ...]) -> None:
    named = {{"order": "char_order", "words": "word_order"}.get(key, key): value for key, value in options.items()}
    expected = sacrebleu.CHRF(**named).corpus_score(HYPOTHESES[wrote], list(references)).score
    assert score(spelled("chrf", options), HYPOTHESES[wrote], *references) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("references", [(REFERENCES,), (REFERENCES, OTHERS)], ids=["one", "two references"])
@pytest.mark.parametrize("wrote", HYPOTHESES)
@pytest.mark.parametrize("options", TER, ids=str)
def test_ter_is_that_of_sacrebleu(options: dict[str, Any], wrote: str, references: tuple[list[str], ...]) -> None:
    expected = sacrebleu.TER(**options).corpus_score(HYPOTHESES[wrote], list(references)).score
    assert score(spelled("ter", options), HYPOTHESES[wrote], *references) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("wrote", HYPOTHESES)
def test_wer_and_cer_are_those_of_jiwer(wrote: str) -> None:
    """Blanks, tabs and letters of all scripts as it has them."""
    for references in (REFERENCES, OTHERS):
        hypotheses = HYPOTHESES[wrote]
        assert score("wer", hypotheses, references) == pytest.approx(jiwer.wer(references, hypotheses), abs=1e-12)
        assert score("cer", hypotheses, references) == pytest.approx(jiwer.cer(references, hypotheses), abs=1e-12)


def test_rates_without_any_reference() -> None:
    """All references empty: TER is all or nothing, WER the number of words, as sacrebleu and jiwer say."""
    empty, wrote = ["", ""], ["a b", "c"]
    assert score("ter", wrote, empty) == sacrebleu.TER().corpus_score(wrote, [empty]).score == 100.0
    assert score("wer", wrote, empty) == jiwer.wer(empty, wrote) == 3.0
    assert score("ter", empty, empty) == score("wer", empty, empty) == 0.0


def test_of_several_references_the_one_with_the_fewest_edits() -> None:
    """And of equally few the longer one."""
    metric = METRICS.parse("wer")
    assert isinstance(metric, TextMetric)
    parts = metric.count([("a b c", ("a b", "a b c d", "x")), ("a", ("a", "b"))])
    assert parts.tolist() == [[1.0, 4.0], [0.0, 1.0]]


def test_edit_distance_against_the_table_of_levenshtein() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        one, other = (rng.integers(0, 3, size=rng.integers(0, 70)).tolist() for _ in range(2))
        row = list(range(len(other) + 1))
        for place, symbol in enumerate(one, 1):
            before, row[0] = row[:], place
            for column, against in enumerate(other, 1):
                row[column] = min(before[column] + 1, row[column - 1] + 1, before[column - 1] + (symbol != against))
        assert edit_distance(one, other) == row[-1]


def test_direction_is_known() -> None:
    """Of error rates less is better, of all others more."""
    assert {name for name in METRICS if METRICS[name].lower_is_better} == {"ter", "wer", "cer"}


def test_what_counts_alike() -> None:
    """Smoothing and beta matter after counting, tokenizers and orders while counting."""
    alike = [
        ("bleu", "bleu(smooth=floor)"),
        ("chrf", "chrf(beta=1)"),
        ("f1(average=macro)", "recall(average=weighted)"),
    ]
    for one, other in alike:
        assert METRICS.parse(one).counting == METRICS.parse(other).counting
    unlike = [
        ("bleu", "bleu(tokenize=char)"),
        ("chrf", "chrf(words=2)"),
        ("ter", "wer"),
        ("f1", "f1(positive=no)"),
        ("f1", "mcc"),
    ]
    for one, other in unlike:
        assert METRICS.parse(one).counting != METRICS.parse(other).counting


@pytest.mark.parametrize("text", ["chrf(order=0)", "chrf(order=-1)", "chrf(beta=0)", "chrf(words=99)"])
def test_orders_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(SpellingError, match="chrf"):
        METRICS.parse(text)
