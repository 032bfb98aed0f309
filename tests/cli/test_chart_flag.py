"""`--chart`: one chart per file, checked before anything is computed, written whole or not at all."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tellapart.cli.commands import group, run
from tellapart.cli.interrupts import Interrupts
from tellapart.foundation.errors import UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
COMPARE = ("compare", str(EXAMPLES / "answers.csv"), "--a", "small", "--b", "large")


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(group, [*COMPARE, *arguments])


def test_each_file_by_its_suffix(tmp_path: Path) -> None:
    """The first chart, or the one that is named; the answer is printed beside."""
    svg, pdf = tmp_path / "first.svg", tmp_path / "a b.pdf"
    done = asked("--chart", str(svg), "--chart", f"difference={pdf}", "--chart", f"difference={tmp_path / 'd.json'}")
    assert done.exit_code == 0
    assert "large" in done.stdout
    assert svg.read_bytes().startswith(b"<svg")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert "vega-lite" in json.loads((tmp_path / "d.json").read_text())["$schema"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a b.pdf", "d.json", "first.svg"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nothing.gif", "found the ending '.gif'; wanted .svg, .png, .pdf, .json"),
        ("bare", "found the ending ''"),
        ("power=x.svg", "no chart is called 'power'; charts: difference"),
        (f"{EXAMPLES / 'answers.csv'}/x.svg", "cannot be written"),
    ],
)
def test_refused_before_anything_is_read(given: str, said: str) -> None:
    """The file with scores need not even be there."""
    done = CliRunner().invoke(group, ["compare", "absent.csv", "--chart", given])
    assert isinstance(done.exception, UsageError)
    assert said in done.exception.message_for("command line")


def test_a_file_that_is_there_is_kept_where_nothing_can_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is printed; what was in the file before is still in it."""
    kept = tmp_path / "x.svg"
    kept.write_text("before")

    def broken(*_: object) -> bytes:
        raise RuntimeError

    monkeypatch.setattr("tellapart.answers.written", broken)
    done = asked("--chart", str(tmp_path / "y.png"), "--chart", str(kept))
    assert done.exit_code != 0
    assert "large" in done.stdout
    assert [p.name for p in tmp_path.iterdir()] == ["x.svg"]
    assert kept.read_text() == "before"


def test_without_the_extra(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One clear message, before anything is computed, with the line to type."""
    monkeypatch.setitem(sys.modules, "altair", None)
    with Interrupts(owns_process=False) as interrupts:
        assert run([*COMPARE, "--chart", "x.svg"], interrupts) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "UsageError: charts need altair, which is not installed here. Install it: pip install 'tellapart[plot]'\n"
    )


def test_the_help_names_the_charts() -> None:
    done = CliRunner().invoke(group, ["compare", "--help-all"])
    assert "--chart [NAME=]FILE" in done.stdout
    assert "difference" in done.stdout


def test_nothing_is_loaded_to_draw_where_nothing_is_drawn() -> None:
    """A command without the flag knows nothing of charts."""
    code = (
        "import sys; from tellapart.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print(' '.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *COMPARE], capture_output=True, text=True, check=True)
    assert not {"altair", "vl_convert", "tellapart.answers.drawing", "jinja2"} & set(done.stderr.split())
