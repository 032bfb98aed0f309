"""`tellapart reproduce`: what is printed, what is in the JSON, and when it fails."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.render import render
from tellapart.studies.reproduction import published, reproduce, run, sources
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import FILES

DOCUMENT = Path(__file__).parents[2] / "docs" / "reproduction.md"
CHEAP = [
    name
    for name, source in sources().items()
    if not source.replicates and not source.needs and not name.startswith("card2020-table")
]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["reproduce", *arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Tables with name, source and cells; a cell has label, published, ours, low, high, verdict and why."""
    code, out, err = call(capsys, "reasoning-items", "--format", "json")
    said = json.loads(out, parse_constant=pytest.fail)
    assert (code, err, said["schema"]) == (0, "", "tellapart/reproduction/2")
    (table,) = said["tables"]
    assert table["name"] == "reasoning-items"
    assert "2604.01974" in table["source"]
    cell = table["cells"][0]
    assert {"label", "published", "ours", "low", "high", "verdict", "why"} <= set(cell)
    assert (cell["published"], cell["ours"], cell["verdict"]) == (65920, 131862, "differs")
    assert cell["why"]


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_other_formats(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """Published and ours side by side, with the reason."""
    code, out, _ = call(capsys, "embeddings-example", "--format", form)
    assert code == 0
    assert "0.5758" in out
    assert "0.45–0.55" in out.replace("--", "–")
    why = reproduce("embeddings-example").tables[0].cells[0].why
    assert why
    assert [word for word in why.split() if word not in out] == []


def test_a_document_by_name_or_number(capsys: pytest.CaptureFixture[str]) -> None:
    """All tables of a document at once."""
    by_name, by_number = (json.loads(call(capsys, n, "--format", "json")[1]) for n in ("retrieval", "001"))
    assert by_name["tables"] == by_number["tables"]
    assert len(by_name["tables"]) == 6


def test_an_unknown_table_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name is answered with the nearest right one."""
    code, out, err = call(capsys, "reasoning-item")
    assert (code, out) == (2, "")
    assert "reasoning-items" in err


def test_a_tampered_number_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Negative control: change one published digit, and the cell is named and the exit code is 1."""

    def tampered(name: str) -> list[PublishedRow]:
        first, *others = published.rows(name)
        return [replace(first, printed="0.130"), *others]

    assert call(capsys, "embeddings-spread")[0] == 0
    monkeypatch.setattr(run, "rows", tampered)
    code, out, _ = call(capsys, "embeddings-spread", "--format", "json")
    said = json.loads(out)
    assert code == 1
    assert said["failures"] == ["embeddings-spread: sd of the differences: correlation=0.5"]
    assert [cell["verdict"] for cell in said["tables"][0]["cells"]] == [
        "differs",
        "agrees",
        "agrees",
        "agrees",
    ]


def test_a_tampered_simulation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: seven points of power are more than 1,000 replicates leave room for."""

    def tampered(name: str) -> list[PublishedRow]:
        return [replace(row, printed="0.888") if row.printed == "0.818" else row for row in published.rows(name)]

    monkeypatch.setattr(run, "rows", tampered)
    assert len(reproduce("embeddings-large-effects").failures) == 1


def test_without_the_data_tables_are_shown(tmp_path: Path) -> None:
    """Where real data are absent, tables that need them say so and fail nothing; others still compute."""
    answer = reproduce("card2020", data=tmp_path)
    skipped = {table.name for table in answer.tables if table.skipped}
    assert skipped == {name for name, one in sources().items() if one.needs and one.document == "card2020"}
    assert answer.failures == ()
    (table,) = (t for t in answer.tables if t.name == "card2020-table-9")
    kinds = {cell.label.partition(":")[0]: cell.verdict for cell in table.cells}
    assert kinds["mean claimed gain"] == "as published"
    assert kinds["two-sample test"] != "as published"


def test_data_that_are_nowhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A folder that does not exist is a mistake, not a reason to run nothing and call it agreement."""
    code, out, err = call(capsys, "card2020-squad", "--data", str(tmp_path / "nowhere"))
    assert (code, out) == (3, "")
    assert "nowhere" in err


def test_nothing_recomputed_is_no_agreement(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Where all that is asked for can only be shown, the headline does not say that it agrees."""
    code, out, _ = call(capsys, "card2020-squad", "--data", str(tmp_path))
    assert code == 0
    assert "agree" not in out.partition("\n")[0]
    assert "--data" in out
    assert "agree" in call(capsys, "reasoning-items")[1].partition("\n")[0]


def test_data_that_cannot_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A broken file is named."""
    for name in FILES["squad"]:
        (tmp_path / name).write_bytes(b"no gzip")
    code, out, err = call(capsys, "card2020-squad", "--data", str(tmp_path))
    assert (code, out) == (3, "")
    assert FILES["squad"][0] in err


@pytest.mark.parametrize("name", CHEAP)
def test_the_document_is_up_to_date(name: str) -> None:
    """docs/reproduction.md is what `tellapart reproduce --format markdown` prints; simulated tables are not run here."""
    page = render(reproduce(name), "markdown")
    table = next(block for block in page.split("\n\n") if block.startswith("| "))
    assert table in DOCUMENT.read_text(encoding="utf-8"), "run: make reproduce"


def test_the_answer_says_what_it_covers() -> None:
    """The headline names the documents, the sentence what of them no table covers; a single table names its place."""
    answer = reproduce("card2020", replicates=100)
    (document,) = answer.documents
    assert set(document.covers) == {source.where for source in sources().values() if source.document == "card2020"}
    assert answer.headline.startswith(f"{len(answer.tables)} tables and figures of card2020: ")
    assert document.without in answer.sentence
    single = reproduce("reasoning-items", replicates=100)
    assert single.headline.startswith(f"reasoning-items ({sources()['reasoning-items'].where}): ")


@pytest.mark.parametrize("document", sorted({source.document for source in sources().values()}))
def test_nothing_is_both_covered_and_left_out(document: str) -> None:
    """A figure or table that got its own recomputation leaves the list of those without."""
    here = [source for source in sources().values() if source.document == document]
    covered = {
        (kind, int(number)) for source in here for kind, number in re.findall(r"(table|figure) (\d+)", source.where)
    }
    assert not covered & set(_named(here[0].without))


def _named(without: str) -> Iterator[tuple[str, int]]:
    for kind, listed in re.findall(r"(table|figure)s ([\d, toand]+)", without):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", listed):
            yield from ((kind, n) for n in range(int(first), int(last or first) + 1))
