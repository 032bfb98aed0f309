"""Evidence on scores that are numbers: figures of the data, and plans that need no sd and no correlation."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from tellapart import plan
from tellapart.foundation.errors import UsageError
from tellapart.populations import Population
from tellapart.populations.evidence import BeirNdcg, Likeness, TrecRuns

MEASURES = {"ndcg": "nDCG@20", "ap": "AP", "precision": "P@10", "reciprocal_rank": "RR"}


@pytest.mark.parametrize("measure", MEASURES)
def test_trec_runs_hold_on_the_data(measure: str, shared: Path) -> None:
    """Quantiles of the runs' standard deviations and of the pairs' correlations, to three digits; so many runs and topics."""
    with gzip.open(shared / "trec_robust03_per_topic.csv.gz", "rt") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == MEASURES[measure]]
    systems, topics = (sorted({row[name] for row in rows}) for name in ("system", "topic"))
    value = {(row["system"], row["topic"]): float(row["value"]) for row in rows}
    scores = np.array([[value[s, t] for t in topics] for s in systems])
    assert scores.shape == (17, 100)
    known = TrecRuns(measure=measure)  # type: ignore[arg-type]  # one of its choices
    pairs = np.corrcoef(scores)[np.triu_indices(17, 1)]
    assert len(pairs) == 136
    for found, band in ((scores.std(axis=1, ddof=1), known.sd), (pairs, known.correlation)):
        assert np.quantile(found, [0.1, 0.5, 0.9]) == pytest.approx([band.low, band.expected, band.high], abs=6e-4)


def test_documents_are_cited_as_what_they_are() -> None:
    """What an author expects is not called measured, and its numbers are the document's."""
    assert not Likeness(systems="same_base").measured
    assert not BeirNdcg().measured
    other = Likeness(systems="other_architecture").correlation
    assert (other.low, other.high) == (0.60, 0.85)
    notion = Likeness(systems="other_notion").correlation
    assert (notion.low, notion.high) == (0.40, 0.60)
    assert (BeirNdcg().sd.low, BeirNdcg().sd.high) == (0.2, 0.4)
    for one in (Likeness(systems="same_base"), BeirNdcg()):
        assert "its author" in one.caution


def test_the_question_of_the_issue() -> None:
    """An effect and a power alone: items with a band, the numbers supposed, and where they come from."""
    answer = plan("gaussian(effect=0.01)", power=0.8)
    row = answer.rows[0]
    settled = plan("gaussian(effect=0.01, sd=0.258, correlation=0.661)", power=0.8).rows[0]
    assert (row.items, row.engine, row.population) == (settled.items, "formula", settled.population)
    ends = [
        plan(f"gaussian(effect=0.01, sd={sd}, correlation={r})", power=0.8).rows[0].items
        for sd, r in ((0.187, 0.849), (0.271, 0.492))
    ]
    assert [row.solved_low, row.solved_high] == ends
    assert row.options["evidence"] == "trec_runs(measure=ndcg)"
    supposed = answer.notes[0].values["supposed"]
    assert [(one["name"], one["expected"]) for one in supposed] == [("sd", 0.258), ("correlation", 0.661)]


def test_only_what_is_absent_is_supposed() -> None:
    """A given sd stays; named evidence speaks for what it is about, the default for the rest."""
    answer = plan("gaussian(effect=0.01, sd=0.12)", power=0.8, evidence="likeness(systems=same_base)")
    row = answer.rows[0]
    assert row.items == plan("gaussian(effect=0.01, sd=0.12, correlation=0.95)", power=0.8).rows[0].items
    assert [one["name"] for one in answer.notes[0].values["supposed"]] == ["correlation"]
    both = plan("gaussian(effect=0.01)", power=0.8, evidence="beir_ndcg").rows[0]
    assert (both.options["sd"], both.options["correlation"]) == (0.3, 0.661)
    assert both.options["evidence"] == "beir_ndcg and trec_runs(measure=ndcg)"


def test_it_is_spelled_and_read_again() -> None:
    """The spelling in the signature is a population, evidence included."""
    answer = plan("gaussian(effect=0.01)", power=0.8)
    spelling = answer.signature.partition("data=")[2]
    again = plan(spelling, power=0.8)
    assert again.rows == answer.rows
    assert str(Population.parse(spelling)) == spelling


def test_within_clusters() -> None:
    """What is wrapped may be open too."""
    row = plan("clustered(population=gaussian, size=5, icc=0.1, effect=0.01)", power=0.8).rows[0]
    assert row.solved_low is not None
    assert row.solved_low < row.items


@pytest.mark.parametrize(
    ("population", "evidence", "message"),
    [
        ("gaussian(effect=2)", None, "scores between 0 and 1"),
        ("gaussian(effect=0.01, clip=0:100)", None, "scores between 0 and 1"),
        ("gaussian(effect=0.01, sd=0.1)", "beir_ndcg", "is not needed"),
        ("gaussian(effect=0.01)", "squad2_pairs", "right and wrong"),
        ("gaussian(effect=0.01)", "beir_ndcg, fitted_spread(sd=0.1:0.2:0.3)", "evidence"),
        ("gaussian(effect=0.01, sd=0.1, correlation=0.5)", "trec_runs", "needs no evidence"),
        ("paired_binary(effect=0.01, accuracy=0.8)", "trec_runs", "evidence on overlap"),
    ],
)
def test_evidence_that_does_not_speak(population: str, evidence: str | None, message: str) -> None:
    """Scores on another scale, what is given already, or evidence on something else: refused."""
    with pytest.raises(UsageError, match=message):
        plan(population, power=0.8, evidence=evidence)


def test_an_open_population_draws_nothing() -> None:
    """Outside a plan the numbers that are missing are asked for."""
    with pytest.raises(UsageError, match="only a plan takes them from evidence"):
        Population.parse("gaussian(effect=0.01)").draw(10, 1, np.random.default_rng(0))
