"""`plan` from evidence: an overlap that nobody gave, its name, and the band it leaves."""

from collections.abc import Callable
from typing import Any

import pytest

from tellapart import plan
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.populations.evidence import GlueGain, GlueOverlap

Reference = Callable[[str], list[dict[str, str]]]
MRPC = "paired_binary(accuracy=0.92)"


def test_the_question_of_the_issue() -> None:
    """1,725 items at accuracy 0.92: the detectable effect from GLUE's overlap, with its name and its band."""
    answer = plan(MRPC, items=1725, power=0.8)
    row = answer.rows[0]
    assert row.effect == pytest.approx(0.016147, abs=1e-6)
    assert row.options["evidence"] == "glue_overlap"
    assert row.options["discordance"] == pytest.approx(GlueOverlap().discordance(0.92, 0.92 + row.effect).expected)
    assert row.solved_low is not None
    assert row.solved_high is not None
    assert row.solved_low < row.effect < row.solved_high
    assert answer.notes[0].values["evidence"] == "glue_overlap"
    assert "Card et al. (2020), table 5" in answer.notes[1].values["source"]
    assert "evidence=boards(first=glue_overlap)" in answer.signature
    assert plan(MRPC, items=1725, power=0.8, evidence="boards(first=glue_overlap)").rows == answer.rows


def test_published_detectable_effects(reference: Reference) -> None:
    """The regression column of table 9, recomputed by enumeration elsewhere; its 8-digit coefficients are not printed."""
    rows = [r for r in reference("card2020_table9.csv") if r["column"] == "regression" and "midp" in r["definition"]]
    assert len(rows) == 9
    for row in rows:
        if row["dataset"] == "WNLI":  # its published overlap is more than two accuracies allow
            continue
        squad = row["dataset"] == "SQuAD2"
        evidence = "squad2_overlap" if squad else "glue_overlap"
        population = f"paired_binary(accuracy={row['baseline_acc']})"
        found = plan(population, items=int(row["n"]), power=0.8, evidence=evidence).rows[0].effect
        assert 100.0 * found == pytest.approx(float(row["value_pp"]), rel=1e-9 if squad else 5e-5, abs=0.0)


def test_the_answer_is_that_of_the_settled_population() -> None:
    """Planned again with the discordance as a number, the same power comes out: for power, items and effect."""
    effect = plan(MRPC, items=1725, power=0.8).rows[0]
    assert plan(effect.population, items=1725).rows[0].power == pytest.approx(0.8, abs=1e-9)
    given = "paired_binary(accuracy=0.92, effect=0.01)"
    power, items = plan(given, items=1725).rows[0], plan(given, power=0.8).rows[0]
    assert plan(power.population, items=1725).rows[0].power == power.power
    assert plan(items.population, power=0.8).rows[0].items == items.items
    assert power.power_low < power.power < power.power_high
    assert items.solved_low is not None
    assert items.solved_high is not None
    assert items.solved_low < items.items < items.solved_high


def test_the_band_is_that_of_the_evidence() -> None:
    """The bounds are the answers at the two ends of the named evidence's band; unnamed, those of every board that fits."""
    row = plan("paired_binary(accuracy=0.92, effect=0.01)", items=1725, evidence="glue_overlap").rows[0]
    wide = plan("paired_binary(accuracy=0.92, effect=0.01)", items=1725).rows[0]
    assert wide.power_low <= row.power_low < row.power_high <= wide.power_high
    band = GlueOverlap().discordance(0.92, 0.93)
    ends = [
        plan(f"paired_binary(accuracy=0.92, effect=0.01, discordance={x!r})", items=1725).rows[0].power
        for x in (band.high, band.low)
    ]
    assert (row.power_low, row.power_high) == pytest.approx(tuple(ends), rel=1e-12, abs=0.0)


def test_named_evidence_and_no_prior() -> None:
    """Other evidence gives other answers; nothing known gives the widest band."""
    answers = {
        name: plan("paired_binary(accuracy=0.8, effect=0.02)", items=1000, evidence=name).rows[0]
        for name in ("squad2_pairs", "no_prior", "benchmark_correlation(benchmark=arc)")
    }
    widths = {name: row.power_high - row.power_low for name, row in answers.items()}
    assert len({row.power for row in answers.values()}) == 3
    assert max(widths, key=widths.__getitem__) == "no_prior"


def test_inside_a_wrapper_and_as_a_grid() -> None:
    """Evidence fills in an open overlap wherever it stands, and in every row of a grid."""
    wrapped = "clustered(population=paired_binary(accuracy=0.8, effect=0.05), size=5, icc=0.1)"
    answer = plan(wrapped, items=400, replicates=400, test="cluster_t")
    assert answer.notes[0].values["evidence"] == "squad2_pairs"
    grid = plan(["paired_binary(accuracy=0.7)", "paired_binary(accuracy=0.95)"], items=[500, 1000], power=0.8)
    assert [row.options["evidence"] for row in grid.rows] == ["squad2_pairs"] * 2 + ["glue_overlap"] * 2


@pytest.mark.parametrize(
    ("population", "evidence", "error"),
    [
        ("paired_binary(accuracy=0.7, discordance=0.1)", "glue_overlap", UsageError),
        ("gaussian(sd=0.1, correlation=0.5)", "glue_overlap", UsageError),
        (MRPC, "glue_overlap, squad2_pairs", UsageError),
        (MRPC, "ratings(setting=low)", UsageError),
        (MRPC, "nothing", UsageError),
        (MRPC, "nowhere.json", ReadError),
        ("paired_binary(effect=0.02)", None, UsageError),
    ],
)
def test_refusals(population: str, evidence: str | None, error: type[Exception]) -> None:
    """Evidence where none is needed, two at once, or none of that name: refused, not ignored."""
    with pytest.raises(error):
        plan(population, items=500, power=0.8, evidence=evidence)


def test_evidence_on_gains_alone_is_refused() -> None:
    """Where the effect is asked for, evidence on gains alone is not silently passed over; beside an overlap it may wait."""
    with pytest.raises(UsageError, match="typical_gain would set the effect, which is solved for"):
        plan(MRPC, items=1725, power=0.8, evidence="typical_gain")
    both = plan(MRPC, items=1725, power=0.8, evidence="typical_gain, no_prior")
    assert both.rows[0].options["evidence"] == "no_prior"


@pytest.mark.parametrize("evidence", [3, [None], {"a": 1}])
def test_evidence_that_is_none(evidence: Any) -> None:
    """What is neither a spelling nor evidence is refused with what was wanted."""
    with pytest.raises(UsageError, match="wanted a spelling such as 'glue_overlap'"):
        plan("paired_binary(accuracy=0.9, effect=0.02)", items=1000, evidence=evidence)


def test_gains_say_which_effect_to_plan_for() -> None:
    """Evidence on gains sets the effect: its number, its band, its source; with the overlap given or from evidence too."""
    answer = plan("paired_binary(accuracy=0.92)", evidence="glue_gain(task=sst-2)", power=0.8)
    gain = GlueGain(task="sst-2").gain(0.92)
    assert answer.rows[0].effect == gain.expected
    assert (
        answer.rows[0].items == plan(f"paired_binary(accuracy=0.92, effect={gain.expected!r})", power=0.8).rows[0].items
    )
    note = answer.notes[0]
    assert (note.code, note.values["expected"], note.values["low"]) == (
        "effect_from_evidence",
        gain.expected,
        gain.low,
    )
    known = plan("paired_binary(accuracy=0.92, discordance=0.08)", evidence="glue_gain(task=sst-2)", items=500)
    assert known.rows[0].effect == gain.expected


@pytest.mark.parametrize(
    ("population", "question", "message"),
    [
        ("paired_binary(accuracy=0.92, effect=0.01)", {"power": 0.8}, "leave one of them out"),
        ("paired_binary(accuracy=0.92)", {"power": 0.8, "items": 500}, "solved for"),
        ("paired_binary(accuracy=0.97)", {"power": 0.8}, "expects no gain"),
    ],
)
def test_gains_that_have_nothing_to_say(population: str, question: dict[str, Any], message: str) -> None:
    """An effect that is given or solved for, or none to expect."""
    with pytest.raises(UsageError, match=message):
        plan(population, evidence="glue_gain(task=mrpc)", **question)
