"""Which measure a spelling means, and what is refused before anything is computed."""

import builtins
from typing import Any

import pytest

from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.readers.retrieval.measure import measure_of


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("nDCG@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        (" AP ", "AP"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("P(rel = 2) @ 5", "P(rel=2)@5"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ("SetF(beta=2)", "SetF(beta=2.0)"),
        ("IPrec@0.5", "IPrec@0.5"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.20", "nDCG@20"),
        ("map", "AP"),
        ("map_cut_100", "AP@100"),
        ("recip_rank", "RR"),
        ("P_5", "P@5"),
        ("recall_100", "R@100"),
        ("success_1", "Success@1"),
        ("Rprec", "Rprec"),
        ("bpref", "Bpref"),
    ],
)
def test_spellings(spelled: str, meant: str) -> None:
    """Those of ir-measures, and those of trec_eval."""
    assert str(measure_of(spelled)) == meant


@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        ("nDGC@10", "no measure is called 'nDGC@10'; did you mean 'nDCG'"),
        ("f1", "no measure is called 'f1'"),
        ("P", "it needs cutoff, such as P@10"),
        ("INST", "it needs max_rel, such as INST(max_rel=1)"),
        ("P@0", "cutoff is 0; it should be a whole number of at least 1"),
        ("P@2.5", "cutoff is 2.5"),
        ("P@True", "cutoff is True"),
        ("AP(rel=0)", "rel is 0"),
        ("AP(foo=1)", "has no option 'foo'"),
        ("P@ten", "'ten' is not a value"),
        ("AP(rel=__import__('os'))", "is not a value"),
        ("P(5)", "wanted name=value"),
        ("P(**{})@5", "wanted name=value"),
        ("P(rel=1", "cannot be read"),
        ("@10", "cannot be read"),
        ("", "cannot be read"),
        ("nDCG(dcg='x')@5", "invalid param"),
        ("NumRet", "is a count, not a score"),
        ("NumQ", "is a count, not a score"),
    ],
)
def test_refusals(spelled: str, said: str) -> None:
    """Each says what was found, and the nearest that there is."""
    with pytest.raises(SpellingError) as caught:
        measure_of(spelled)
    assert said in str(caught.value)


def test_a_measure_must_be_said() -> None:
    """No default would be everybody's."""
    with pytest.raises(UsageError) as caught:
        measure_of(None)
    assert caught.value.message_for("command line").startswith("--qrels also needs the measure")


def test_without_the_library_the_pip_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no traceback."""
    found = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name == "ir_measures":
            raise ImportError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(UsageError, match=r"pip install 'tellapart\[ir\]'"):
        measure_of("AP")


@pytest.mark.parametrize(
    ("spelled", "meant"), [("ndcg@10", "nDCG@10"), ("NDCG@5", "nDCG@5"), ("ap", "AP"), ("rr@10", "RR@10")]
)
def test_capitals_are_no_other_measure(spelled: str, meant: str) -> None:
    assert str(measure_of(spelled)) == meant
