"""Plans of BLEU and of retrieval that leave numbers open: evidence says them, with its name, its source and its band."""

import numpy as np
import pytest

from tellapart import plan
from tellapart.answers.parts import codes
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.populations import Population
from tellapart.populations.evidence import Card2020Bleu, TrecRuns, Wmt17Ende
from tellapart.populations.retrieval import Retrieval, correlation_of_normals


def test_bleu_without_its_numbers() -> None:
    """2,000 sentences and one point of BLEU: 75 %, as published, over the four pairs 61 to 88 %."""
    answer = plan("delta_laplace(effect=1)", items=2000)
    row, card = answer.rows[0], Card2020Bleu()
    settled = plan("delta_laplace(effect=1, zero_share=0.13, scale=25.8)", items=2000).rows[0]
    assert (row.power, row.population) == (settled.power, settled.population)
    assert row.options["evidence"] == "card2020_bleu"
    ends = [
        plan(f"delta_laplace(effect=1, zero_share={share}, scale={scale})", items=2000).rows[0]
        for share, scale in (
            (card.zero_share.low, card.scale.high),
            (card.zero_share.high, card.scale.low),
        )
    ]
    assert (row.power_low, row.power_high) == (ends[0].power_low, ends[1].power_high)
    assert codes(answer.notes)[:2] == ("spread_from_evidence", "evidence_source")
    said = answer.notes[0].values["supposed"]
    assert [(one["name"], one["expected"], one["low"]) for one in said] == [
        ("zero_share", 0.13, 0.09),
        ("scale", 25.8, 22.5),
    ]
    assert "0.7 (0.5 to 0.9) of the BLEU" in answer.notes[1].values["caution"]


def test_named_evidence_and_what_is_given() -> None:
    """Another piece speaks where it is named; a number that is given stays."""
    row = plan("delta_laplace(effect=1)", power=0.8, evidence="wmt17_ende").rows[0]
    assert (row.options["zero_share"], row.options["scale"]) == tuple(Wmt17Ende().coefficients.values())
    half = plan("delta_laplace(effect=1, scale=20)", power=0.8)
    assert half.rows[0].options["scale"] == 20
    assert [one["name"] for one in half.notes[0].values["supposed"]] == ["zero_share"]
    again = Population.parse("delta_laplace(effect=1, zero_share=0.13, scale=20, zero_share_from=card2020_bleu)")
    assert Population.parse(str(again)) == again


@pytest.mark.parametrize(
    ("population", "evidence"),
    [
        ("delta_laplace(effect=1)", "trec_runs(measure=ap)"),
        ("delta_laplace(effect=1, zero_share=0.1, scale=20)", "wmt17_ende"),
        ("delta_laplace(effect=1)", "wmt17_ende, card2020_bleu"),
        ("delta_laplace(effect=1)", "glue_overlap"),
        ("retrieval(effect=0.02)", "wmt17_ende"),
        ("retrieval(effect=0.02)", "ratings(setting=low)"),
        ("retrieval(effect=0.02, sd=0.2, mean=0.3, zero_share=0.1)", "beir_ndcg"),
        ("gaussian(effect=0.02)", "card2020_bleu"),
        ("paired_binary(accuracy=0.8, effect=0.02)", "card2020_bleu"),
    ],
)
def test_evidence_that_says_nothing_of_it_is_refused(population: str, evidence: str) -> None:
    """Never passed over in silence."""
    with pytest.raises(UsageError):
        plan(population, items=500, evidence=evidence)


def test_only_a_plan_fills_in() -> None:
    """Nothing can be drawn from what is left open."""
    for population in ("delta_laplace(effect=1)", "retrieval(effect=0.02, sd=0.2)"):
        with pytest.raises(UsageError, match="only a plan takes them from evidence"):
            Population.parse(population).draw(10, 2, stream(1))


def test_retrieval_without_its_numbers() -> None:
    """The medians of TREC Robust 2003, zeros and all; the ends are the widest and the narrowest differences."""
    answer = plan("retrieval(effect=0.03)", items=200, replicates=1000)
    row, known = answer.rows[0], TrecRuns(measure="ndcg")
    assert row.options["evidence"] == "trec_runs(measure=ndcg)"
    assert (row.options["mean"], row.options["sd"], row.options["zero_share"]) == (
        known.mean.expected,
        known.sd.expected,
        known.zero_share.expected,
    )
    assert row.power_low < row.power < row.power_high
    said = {one["name"]: one["expected"] for one in answer.notes[0].values["supposed"]}
    assert said["correlation"] == known.correlation.expected
    simulated = next(note for note in answer.notes if note.code == "power_simulated")
    assert simulated.values["widest"] < 0.07 < row.power_high - row.power_low


@pytest.mark.parametrize("measure", ["ndcg", "ap", "precision"])
@pytest.mark.parametrize("wanted", [0.3, 0.66, 0.9])
def test_scores_correlate_as_evidence_says(measure: str, wanted: float) -> None:
    """The normals are correlated a little more than their scores, which then correlate as they should."""
    known = TrecRuns(measure=measure)  # type: ignore[arg-type]  # one of its choices
    numbers = {"mean": known.mean.expected, "sd": known.sd.expected, "zero_share": known.zero_share.expected}
    found = correlation_of_normals(Retrieval(effect=0.0, correlation=0.0, **numbers), wanted)
    assert found > wanted
    pair = Retrieval(effect=0.0, correlation=found, **numbers).draw(1000, 200, stream(4))
    assert np.corrcoef(pair.a.ravel(), pair.b.ravel())[0, 1] == pytest.approx(wanted, abs=0.006)


def test_correlations_that_cannot_be() -> None:
    """Scores with many zeros cannot be as opposed as normals can."""
    with pytest.raises(UsageError, match=r"cannot correlate by -0\.9"):
        correlation_of_normals(Retrieval(effect=0.0, correlation=0.0, mean=0.2, sd=0.25, zero_share=0.5), -0.9)
