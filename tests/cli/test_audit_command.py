"""`tellapart audit` and `tellapart evidence`: what a reader of papers types, sees, and gets as an exit code."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tellapart.cli import main

FIELDS = (
    "name", "items", "effect", "p_low", "p_expected", "p_high", "p_low_rounded", "p_high_rounded", "detectable", "power",
    "type_s", "type_m", "verdict", "sentence", "notes",
)  # fmt: skip
PAST = [
    (60, 64, 76),
    (64, 66, 80),
    (70, 71, 84.5),
    (75, 79, 85),
    (80, 81, 89),
    (85, 85.5, 92),
    (88, 90, 92),
    (91, 91.5, 95),
]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def said(out: str) -> Any:
    return json.loads(out, parse_constant=pytest.fail)


def test_the_command_of_the_issue(capsys: pytest.CaptureFixture[str]) -> None:
    """Two accuracies and a number of items: a verdict, a range, and a sentence to quote."""
    asked = ("audit", "--a", "0.714", "--b", "0.706", "--items", "1000")
    code, out, err = run(capsys, *asked)
    assert (code, err) == (0, "")
    (claim,) = said(run(capsys, *asked, "--format", "json")[1])["claims"]
    assert claim["verdict"] == "unlikely"
    assert out.startswith("unlikely")
    assert " ".join(claim["sentence"].split()) in " ".join(out.split())
    assert "squad2_pairs" in out
    assert "\x1b[" not in out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("84.7 86.5 1000", "--a 84.7 --b 86.5 --items 1000"),
        ("1000 84.7% 86.5%", "--a 84.7% --b 86.5% --items 1000"),
        ("84 86 1000", "--a 84 --b 86 --items 1000"),
        (".7 .8", "--a .7 --b .8 --items …"),
        ("--a .7 .8 200", "--a .7 --b .8 --items 200"),
        ("1 2 3 4", "--a … --b … --items …"),
    ],
)
def test_numbers_without_flags(capsys: pytest.CaptureFixture[str], typed: str, meant: str) -> None:
    """They are not taken for files: the command that was meant is spelled out."""
    code, out, err = run(capsys, "audit", *typed.split())
    assert (code, out) == (2, "")
    assert err.endswith(f"say which number is which: tellapart audit {meant}\n")


def test_one_file_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "audit", "a.csv", "86.5")
    assert code == 2
    assert "found a.csv 86.5; audit takes one FILE with claims" in err


def test_json_has_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    """The schema, the claims with every field, and a summary; strict JSON and nothing else on stdout."""
    code, out, err = run(capsys, "audit", "--a", ".85", "--b", ".87", "--items", "3000", "--format", "json")
    answer = said(out)
    assert (code, err, answer["schema"]) == (0, "", "tellapart/audit/3")
    assert [name for name in FIELDS if name not in answer["claims"][0]] == []
    assert answer["summary"]["claims"] == 1
    assert answer["claims"][0]["p_high_rounded"] == pytest.approx(0.301, abs=1e-3)


def test_impossible_numbers_are_null(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no table fits there is no p-value, and the JSON stays strict."""
    code, out, _ = run(capsys, "audit", "--a", "0.714", "--b", "0.706", "--items", "100", "--format", "json")
    claim = said(out)["claims"][0]
    assert (code, claim["verdict"], claim["p_low"], claim["p_high_rounded"]) == (0, "impossible", None, None)
    assert claim["impossible"]["code"] == "no_whole_number_of_right_answers"
    assert claim["impossible"]["text"] in claim["sentence"]


def test_bad_rows_do_not_stop_the_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each bad row is named on stderr with its line; the rest is answered; the exit code is 3."""
    file = tmp_path / "claims.csv"
    file.write_text("name,items,a,b\ngood,1000,0.700,0.720\nbad,1000,0.7x,0.72\nshort,1\n")
    code, out, err = run(capsys, "audit", str(file), "--format", "json")
    assert code == 3
    assert [claim["name"] for claim in said(out)["claims"]] == ["good"]
    assert f"{file}, line 3: a is '0.7x'" in err
    assert f"{file}, line 4: found 2 fields" in err


def test_numbers_of_any_length_are_bad_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Numbers with thousands of digits, or beyond any measurement, cost their row and no other."""
    file = tmp_path / "claims.csv"
    long, huge = "0." + "7" * 6000, "1e" + "9" * 5000
    file.write_text(
        f"items,a,b,sd\n1000,{long},0.72,\n{'9' * 5000},0.70,0.72,\n9,{huge},0,1\n9,1e400,0,1\n90,0.7,0.8,0.1\n"
    )
    code, out, err = run(capsys, "audit", str(file), "--format", "json")
    assert code == 3
    assert [claim["line"] for claim in said(out)["claims"]] == [6]
    assert [line.partition(":")[0].rpartition(" ")[2] for line in err.splitlines()] == ["2", "3", "4", "5"]
    assert max(map(len, err.splitlines())) < 300


@pytest.mark.parametrize(
    ("form", "mark"), [("text", "Claim by claim"), ("markdown", "| claim |"), ("latex", r"\toprule")]
)
def test_a_table_in_every_format(capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str, mark: str) -> None:
    """A table of claims prints as text, Markdown and LaTeX; flags fill what its rows leave blank."""
    file = tmp_path / "claims.csv"
    file.write_text("name,a,b\nx_1,70.0,72.0\ny & z,71,73\n")
    code, out, err = run(capsys, "audit", str(file), "--items", "1000", "--unit", "percent", "--format", form)
    assert (code, err) == (0, "")
    assert mark in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--a", "1", "--b", "0.9", "--items", "1000"], 2, "--unit"),
        (["--a", "0.9", "--b", "71.4", "--items", "1000"], 2, "fraction and a percentage"),
        (["--a", "0.714", "--b", "0.706"], 2, "items is missing"),
        ([], 2, "give either a FILE"),
        (["nowhere.csv"], 3, "no such file"),
        (["nowhere.csv", "--a", "0.7"], 2, "give either"),
        (["--a", ".7", "--b", ".72", "--items", "9", "--evidence", "glue"], 2, "did you mean"),
        (["--a", ".70", "--b", ".72", "--items", "9", "--test", "paired_t"], 2, "cannot use"),
        (["--a", ".70", "--b", ".72", "--items", "9", "--alpha", "2"], 2, "alpha is 2"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str) -> None:
    """One clear message on stderr, nothing on stdout, no traceback."""
    found, out, err = run(capsys, "audit", *arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


def test_the_list_of_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    """`tellapart evidence` names every published piece with its source and range."""
    from tellapart.populations.evidence import EVIDENCE  # noqa: PLC0415

    code, out, err = run(capsys, "evidence")
    assert (code, err) == (0, "")
    _, text, _ = run(capsys, "evidence", "--format", "json")
    rows = {row["name"]: row for row in said(text)["rows"]}
    for name in EVIDENCE:
        assert (name in rows) == EVIDENCE[name].published
        assert (name in out) == EVIDENCE[name].published
    assert all(row["source"] and row["accuracy_low"] < row["accuracy_high"] for row in rows.values())


def test_own_evidence_goes_back_in(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What `evidence fit` writes, `plan` and `audit` read; bad rows are named and cost exit code 3."""
    table, kept = tmp_path / "past.csv", tmp_path / "own.json"
    rows = "\n".join(f"{a},{b},{overlap},1000" for a, b, overlap in PAST)
    table.write_text(f"accuracy_a,accuracy_b,overlap,n\n{rows}\n")
    code, out, err = run(capsys, "evidence", "fit", str(table), "--format", "json")
    assert (code, err) == (0, "")
    fit = said(out)
    assert fit["overlap"]["observations"] == fit["gain"]["observations"] == 8
    assert fit["overlap"]["prediction_error"] > fit["overlap"]["residual_sd"] > 0.0
    kept.write_text(out)
    _, out, _ = run(
        capsys,
        "audit",
        "--a",
        "0.80",
        "--b",
        "0.82",
        "--items",
        "500",
        "--evidence",
        str(kept),
        "--format",
        "json",
    )
    claim = said(out)["claims"][0]
    assert claim["supposed"]["source"] == fit["overlap"]["evidence"]
    assert claim["plausible_source"] == fit["gain"]["evidence"]
    code, out, _ = run(
        capsys,
        "plan",
        "paired_binary",
        "--accuracy",
        "0.8",
        "--items",
        "500",
        "--power",
        "0.8",
        "--evidence",
        str(kept),
    )
    assert code == 0
    assert "fitted_overlap" in out
    table.write_text(f"baseline,gap,discordance\n{rows}\n0.7,0.1,0.2\n".replace(",1000", ""))
    code, _, err = run(capsys, "evidence", "fit", str(table))
    assert code == 3
    assert "line 10" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("baseline,gap\n70,1\n", "at least 6"),
        ("baseline,gap\n70,\n", "give new"),
        ("a,b,overlap\n" + "70,75,99\n" * 8, "cannot be"),
        ("baseline,gap\n" + "70,1\n" * 8, "do not determine"),
        ("x,y\n1,2\n", "no column has a known name"),
        ("baseline,gap\n" + "".join(f"{a},{(b - a) / 100}\n" for a, b, _ in PAST), "gaps are below 0.1"),
        ("a,b,gap\n" + "".join(f"{a},{b},9\n" for a, b, _ in PAST), "baseline + gap is"),
        (
            "a,b,agreement,discordance\n" + "".join(f"{a},{b},{c},50\n" for a, b, c in PAST),
            "1 − discordance is 0.5",
        ),
    ],
)
def test_fits_that_cannot_be(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str) -> None:
    """Too few results, missing columns, impossible overlaps, results that do not vary, columns that contradict: exit code 3, and why."""
    table = tmp_path / "past.csv"
    table.write_text(text)
    code, out, err = run(capsys, "evidence", "fit", str(table))
    assert (code, out) == (3, "")
    assert message in err


def test_the_format_may_stand_before_the_subcommand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`evidence --format json fit FILE` prints JSON, as does `evidence fit FILE --format json`."""
    table = tmp_path / "past.csv"
    table.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b, _ in PAST))
    _, before, _ = run(capsys, "evidence", "--format", "json", "fit", str(table))
    _, after, _ = run(capsys, "evidence", "fit", str(table), "--format", "json")
    assert said(before) == said(after)
    code, out, err = run(capsys, "evidence", "--format", "csv", "fit", str(table))
    assert (code, out) == (2, "")
    assert "csv" in err


@pytest.mark.parametrize("form", ["text", "markdown", "csv"])
def test_evidence_in_every_format(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """Every format holds the numbers of a piece that is asked about; a spreadsheet of the list those of all."""
    numbers = {
        "glue_overlap": "0.4142",
        "squad2_pairs": "0.66",
        "glue_gain(task=mrpc)": "-0.264",
        "typical_gain": "0.0778",
    }
    _, every, _ = run(capsys, "evidence", "--format", form)
    for piece, number in numbers.items():
        assert number in run(capsys, "evidence", piece, "--format", form)[1]
        assert (number in every) is (form == "csv")


def test_gains_are_fitted_where_overlaps_cannot_be(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Too few overlaps, or one gap only: the gains are answered, and why there is no overlap is said."""
    table = tmp_path / "past.csv"
    few = "".join(f"{a},{b},{c if i < 3 else ''}\n" for i, (a, b, c) in enumerate(PAST))
    table.write_text(f"a,b,agreement\n{few}")
    code, out, _ = run(capsys, "evidence", "fit", str(table), "--format", "json")
    fit = said(out)
    assert (code, fit["overlap"], fit["gain"]["observations"]) == (0, None, 8)
    assert [note["code"] for note in fit["notes"]] == ["overlap_not_fitted"]
    assert "found 3 pairs" in fit["notes"][0]["values"]["problem"]
    table.write_text("a,gap,agreement\n" + "".join(f"{a},1,{c}\n" for a, _, c in PAST))
    code, out, _ = run(capsys, "evidence", "fit", str(table), "--format", "json")
    fit = said(out)
    assert [note["code"] for note in fit["notes"]] == ["overlap_not_fitted"]
    assert fit["gain"]["coefficients"] == {"intercept": 0.01, "baseline": 0.0}
    assert (code, fit["gain"]["r_squared"], fit["gain"]["prediction_error"]) == (0, None, 0.0)


def test_small_percentages_with_their_sign(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """0.5% says what it is, even beside larger ones."""
    table = tmp_path / "past.csv"
    table.write_text("a,b\n0.5%,0.9%\n" + "".join(f"{a}%,{b}%\n" for a, b, _ in PAST))
    code, out, _ = run(capsys, "evidence", "fit", str(table), "--format", "json")
    assert (code, said(out)["gain"]["observations"], said(out)["gain"]["accuracy_low"]) == (0, 9, 0.005)


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        "[1]",
        "not json",
        '{"schema": "tellapart/plan/1"}',
        '{"schema": "tellapart/evidence_fit/2", "overlap": {}}',
    ],
)
def test_files_that_are_no_evidence(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str) -> None:
    """Another JSON file is refused by name."""
    file = tmp_path / "other.json"
    file.write_text(content)
    code, _, err = run(capsys, "audit", "--a", ".70", "--b", ".72", "--items", "99", "--evidence", str(file))
    assert code == 3
    assert "other.json" in err


def test_claims_for_a_spreadsheet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line per claim, nested values under the path to them; bad rows are told beside."""
    table = tmp_path / "claims.csv"
    table.write_text('name,items,a,b\n"x, y",1000,0.714,0.706\nz,3000,0.85,0.87\nbad,12,0.5,\n')
    code, out, err = run(capsys, "audit", str(table), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 3
    assert "line 4" in err
    assert [row["name"] for row in rows] == ["x, y", "z"]
    assert [row["verdict"] for row in rows] == ["unlikely", "likely"]
    assert rows[0]["supposed.source"] == "squad2_pairs"
    assert [row["notes"] == rows[0]["notes"] for row in rows] == [True, False]
    told = said(run(capsys, "audit", str(table), "--format", "json")[1])
    notes = told["claims"][1]["notes"]
    assert [note["code"] for note in notes] == ["certain_without_rounding", "taken_as_accuracies"]
    assert rows[1]["notes"] == "; ".join(note["text"] for note in notes)
