"""`tellapart evidence`: a line for each piece, and all of one by its name."""

import json

import pytest

from tellapart.cli import main
from tellapart.populations.evidence import EVIDENCE


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["evidence", *arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_a_line_for_each_piece(capsys: pytest.CaptureFixture[str]) -> None:
    """The list is a table that a screen holds: what it is on, whose results, at which accuracies."""
    code, out, _ = run(capsys)
    table = out.partition("To quote")[0].strip().splitlines()[2:]
    published = [kind for kind in map(EVIDENCE.__getitem__, EVIDENCE) if kind.published]
    assert code == 0
    assert len(table) == 1 + len(published)
    for kind in published:
        line = next(one for one in table if one.split()[0] == kind.examples[0])
        assert kind.kind in line
        assert kind.seen_on in line


@pytest.mark.parametrize("spelling", ["gsm8k_pairs", "trec_runs(measure=ap)"])
def test_all_of_one_piece(spelling: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name or spelling: numbers, band, source and caution."""
    piece = EVIDENCE.parse(spelling)
    code, out, _ = run(capsys, spelling)
    page = " ".join(out.split())
    assert (code, page.startswith(f"what {spelling} says")) == (0, True)
    for said in (piece.about, piece.uncertainty, piece.source, piece.caution):
        assert said in page
    for name, value in piece.coefficients.items():
        assert f"{name} {value:g}" in page


def test_a_format_may_stand_before_the_name(capsys: pytest.CaptureFixture[str]) -> None:
    """As before any subcommand."""
    for arguments in (("--format", "json", "no_prior"), ("no_prior", "--format", "json")):
        (only,) = json.loads(run(capsys, *arguments)[1])["rows"]
        assert only["name"] == "no_prior"


def test_misspelled(capsys: pytest.CaptureFixture[str]) -> None:
    """The nearest name is told."""
    code, _, err = run(capsys, "squad2_pair")
    assert (code, "did you mean 'squad2_pairs'" in err) == (2, True)
