"""`audit` of a table of claims: row by row, and as a whole."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tellapart import Claim, audit
from tellapart.answers.parts import Note
from tellapart.foundation.errors import DataError, ReadError, TellapartError, UsageError


def test_a_table(tmp_path: Path) -> None:
    """Rows are audited one by one, bad ones reported by line, and units settled by the other rows."""
    file = tmp_path / "claims.csv"
    file.write_text(
        "name,n,a,b,comment\n"
        "first,1000,71.4,70.6,\n"
        "typo,1000,7o.6,71.4,\n"
        "short,1000\n"
        "\n"
        'quoted,"9,796",91.3,92.0,"a, b"\n'
        "like the others,500,90,91,\n"
    )
    answer = audit(str(file))
    assert [claim.name for claim in answer.claims] == ["first", "quoted", "like the others"]
    assert [row.line for row in answer.bad_rows] == [3, 4]
    assert answer.claims[2].notes == (
        Note("unit_of_other_rows", {"a": "90", "b": "91", "unit": "percent"}, answer.claims[2].notes[0].text),
    )
    assert answer.summary.claims == 3
    assert answer.summary.bad_rows == 2
    assert (answer.notes[0].code, answer.notes[0].values) == ("columns_not_used", {"columns": ["comment"]})
    said = json.loads(answer.to_json())
    assert said["schema"] == "tellapart/audit/3"
    assert set(said["claims"][0]) >= {
        "name", "items", "effect", "p_low", "p_expected", "p_high", "p_low_rounded", "p_high_rounded", "detectable", "power",
        "type_s", "type_m", "verdict", "sentence", "notes",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["runs", "n_runs", "num_runs", "number_of_runs", "samples_per_item"])
def test_columns_of_runs(tmp_path: Path, name: str) -> None:
    """Accuracies that are means over five runs: without their column they were impossible, "with 5 they are possible"."""
    file = tmp_path / "claims.csv"
    file.write_text(f"name,n,baseline,ours,{name}\nx,100,71.4,72.0,5\n")
    answer = audit(str(file))
    assert (answer.claims[0].runs, answer.claims[0].verdict != "impossible") == (5, True)


def test_a_table_by_its_path(tmp_path: Path) -> None:
    """A path is as good as its text; what is neither a claim nor a path is refused by what it is."""
    file = tmp_path / "claims.csv"
    file.write_text("a,b,items\n0.70,0.72,1000\n")
    assert audit(file) == audit(str(file))
    with pytest.raises(UsageError, match="Claim objects"):
        audit([{"a": "0.70", "b": "0.72", "items": 1000}])  # type: ignore[list-item]


def test_a_table_without_a_good_row(tmp_path: Path) -> None:
    """Nothing to audit is an error that names every row."""
    file = tmp_path / "claims.csv"
    file.write_text("a,b,items\nx,0.7,100\n0.7,y,100\n")
    with pytest.raises(DataError, match="line 2"):
        audit(str(file))


def _glue(shared: Path, tmp_path: Path) -> Path:
    import csv  # noqa: PLC0415
    import gzip  # noqa: PLC0415

    with gzip.open(shared / "nlppower_glue_paper_annotations.csv.gz", "rt") as source:
        rows = list(csv.DictReader(source))
    sizes = {
        "SST-2": 1821,
        "MRPC": 1725,
        "QNLI": 5463,
        "RTE": 3000,
        "MNLI-m": 9796,
        "MNLI-mm": 9847,
        "QQP": 390_965,
    }
    file = tmp_path / "glue.csv"
    with file.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["name", "task", "items", "previous best", "model accuracy"])
        for row in rows:
            claimed = row["SOTA.Comparison"] == row["Claimed Improvement (Bolded or in text)"] == "Y"
            if claimed and row["Task"] in sizes:
                table.writerow(
                    [
                        row["Model"],
                        row["Task"],
                        sizes[row["Task"]],
                        row["Previous Best"],
                        row["Model Accuracy"],
                    ]
                )
    return file


def test_leave_one_out_on_glue(shared: Path, tmp_path: Path) -> None:
    """Of 57 GLUE claims 51 % would be significant, as published, and 49 % adequately powered (published: 46 %)."""
    answer = audit(str(_glue(shared, tmp_path)))
    told, left = answer.summary, answer.summary.leave_one_out
    assert left is not None
    assert left.taken
    assert left.claims == told.claims == 57
    assert told.significant / told.claims == pytest.approx(0.509, abs=0.02)
    assert told.powered / told.claims == pytest.approx(0.456, abs=0.06)
    assert told.powered_and_significant / told.claims == pytest.approx(0.368, abs=0.06)


def test_powered_is_counted_once(shared: Path, tmp_path: Path) -> None:
    """The summary counts the very powers that its rows show, at gains predicted from the other claims."""
    answer = audit(str(_glue(shared, tmp_path)))
    shown = [claim.power for claim in answer.claims if claim.power is not None]
    assert answer.summary.powered == sum(power >= 0.8 for power in shown)
    assert {claim.plausible_basis for claim in answer.claims} == {"other claims"}
    assert "powered" not in json.loads(answer.to_json())["summary"]["leave_one_out"]
    named = audit(str(_glue(shared, tmp_path)), evidence="typical_gain")
    assert {claim.plausible_source for claim in named.claims} == {"typical_gain"}
    assert named.summary.leave_one_out is None


def test_sizes_of_claims(tmp_path: Path) -> None:
    """Below what the items detect, up to half as much again, or above: counted, and each claim by its ratio."""
    file = tmp_path / "claims.csv"
    file.write_text("items,a,b\n2000,0.7000,0.7200\n2000,0.7000,0.7350\n2000,0.7000,0.7800\n")
    answer = audit(str(file))
    assert [claim.size for claim in answer.claims] == ["below", "borderline", "above"]
    for claim in answer.claims:
        assert claim.detectable is not None
        assert claim.ratio == pytest.approx(abs(claim.effect) / claim.detectable)
    told = answer.summary
    assert (told.below, told.borderline, told.above) == (1, 1, 1)


def test_leave_one_out_uses_no_claim_for_itself(tmp_path: Path) -> None:
    """A claim with an outlandish gain does not make itself look powered."""
    baselines = [0.60 + 0.02 * i for i in range(12)]
    rows = [f"c{i},400,{a:.3f},{a + 0.005:.3f}" for i, a in enumerate(baselines)]
    plain, odd = tmp_path / "plain.csv", tmp_path / "odd.csv"
    plain.write_text("name,items,a,b\n" + "\n".join(rows))
    odd.write_text("name,items,a,b\n" + "\n".join([*rows[:-1], "c11,400,0.820,0.990"]))
    answers = [audit(str(file)) for file in (plain, odd)]
    left = [answer.summary.leave_one_out for answer in answers]
    assert left[0] is not None
    assert left[1] is not None
    assert left[0].taken
    assert [claim.plausible_effect for claim in answers[0].claims] == pytest.approx([0.005] * 12)
    assert answers[0].summary.powered == 0
    # A line bent by one claim predicts the others worse than their mean does; then evidence speaks.
    assert not left[1].taken
    assert {claim.plausible_source for claim in answers[1].claims} == {"typical_gain"}
    assert (answers[1].summary.significant, answers[1].summary.powered) == (1, 0)


def test_columns_as_people_call_them(tmp_path: Path) -> None:
    """n, baseline and ours need no flag; other names are given by role, and a role or column that is none is refused."""
    file = tmp_path / "claims.csv"
    file.write_text("Model,N,Baseline,Ours\nx,1000,70.6,71.4\n")
    usual = audit(file)
    assert (usual.claims[0].name, usual.claims[0].items, usual.claims[0].effect) == ("x", 1000, 0.008)
    file.write_text("Model,docs,BERT,RoBERTa,ours\nx,1000,70.6,71.4,9\n")
    named = audit(file, columns={"items": "docs", "a": "bert", "b": "RoBERTa"})
    assert replace(named.claims[0], sentence="") == replace(usual.claims[0], sentence="")
    assert named.notes[0].values == {"columns": ["ours"]}
    for columns, message in (
        ({"item": "docs"}, "no column role"),
        ({"items": "doc_s"}, "there is no column"),
    ):
        with pytest.raises(TellapartError, match=message):
            audit(file, columns=columns)
    with pytest.raises(UsageError, match="is for a table of claims"):
        audit(Claim(a="0.70", b="0.72", items=1000), columns={"items": "n"})


def test_claims_in_json_are_refused(tmp_path: Path) -> None:
    """JSON numbers have lost the zeros that tell how they were rounded: the error says what to write instead."""
    path = tmp_path / "claims.json"
    path.write_text('[{"a": 0.7, "b": 0.8, "items": 100}]', encoding="utf-8")
    with pytest.raises(ReadError, match="found JSON; wanted CSV or TSV"):
        audit(path)
