"""`--output FILE`: every format of every verb, whole or not at all, and never over what was read."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from tests.cli.test_examples import EVERY

from tellapart.cli import main
from tellapart.cli.commands import COMMANDS, group
from tellapart.render import FORMATS, ROWS_ONLY, SUFFIXES

ROOT = Path(__file__).parents[2]
RETRIEVAL = str(ROOT / "examples" / "retrieval.csv")
ANSWERS = str(ROOT / "examples" / "answers.csv")
COMPARE = ["compare", RETRIEVAL, "--a", "baseline", "--b", "candidate"]
RANK = ["rank", ANSWERS]
DATA = ROOT / "tests" / "golden" / "data"
ASKED = {
    "compare": COMPARE,
    "plan": ["plan", "gaussian", "--sd", "0.1", "--correlation", "0.8", "--effect", "0.01"],
    "rank": RANK,
    "agreement": ["agreement", str(DATA / "ratings.csv")],
    "gate": ["gate", "--baseline", str(DATA / "old.csv"), "--candidate", str(DATA / "new.csv"), "--margin", "1"],
    "describe": ["describe", ANSWERS],
    "formats": ["formats"],
    "audit": ["audit", "--a", "0.706", "--b", "0.714", "--items", "1000"],
    "evidence": ["evidence"],
    "evidence fit": ["evidence", "fit", str(DATA / "results.csv")],
    "reproduce": ["reproduce", "reasoning-items"],
}  # fmt: skip
WITH_ROWS = set(ASKED) - {"compare", "evidence fit", "reproduce"}


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_every_command_takes_a_file() -> None:
    """Whoever adds a verb that prints an answer gives it `--output` too."""
    for path in EVERY:
        command, context = group, click.Context(group)
        for name in path:
            found = command.get_command(context, name)
            assert found is not None
            command = found  # type: ignore[assignment]  # a group, or the last word
        names = {word for one in command.params for word in one.opts}
        assert "--format" not in names or {"-o", "--output"} <= names, path


@pytest.mark.parametrize("suffix", [s for s, form in SUFFIXES.items() if form in FORMATS])
@pytest.mark.parametrize("verb", ASKED)
def test_what_is_written_is_what_is_printed(
    verb: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Format by the ending; stdout stays free."""
    file, form = tmp_path / f"answer{suffix}", SUFFIXES[suffix]
    code, out, err = run([*ASKED[verb], "--output", str(file)], capsys)
    if form in ROWS_ONLY and verb not in WITH_ROWS:
        assert (code, out, list(tmp_path.iterdir())) == (2, "", [])
        assert ".json" in err
        return
    assert (code, out) == (0, "")
    assert err.endswith(f"written: {file}\n")
    printed = run([*ASKED[verb], "--format", form], capsys)[1]
    written = file.read_text(encoding="utf-8").replace(f"--output {file}", f"--format {form}")
    assert _but_for_the_command(written) == _but_for_the_command(printed)


def _but_for_the_command(page: str) -> str:
    """A page says what was typed, which is not the same for a file and for stdout."""
    return re.sub('<code id="command">.*</code>', "", page)


@pytest.mark.parametrize(("name", "form"), [("x", "json"), ("x.dat", "latex"), ("X.JSON", "json")])
def test_a_format_beside_any_name(name: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RANK, "-o", str(tmp_path / name), "--format", form], capsys)[0] == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == run([*RANK, "--format", form], capsys)[1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "x.json", "--format", "text"], "--output x.json ends as json does, and --format text says otherwise"),
        (["-o", "x.png"], "--output x.png: unknown ending"),
        (["-o", "x"], "--output x: unknown ending"),
        (["-o", "there.json"], "there.json exists and cannot be overwritten"),
        (["-o", ""], "unknown ending"),
    ],
)  # fmt: skip
def test_what_is_refused_before_anything_is_read(
    more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """The file of scores is not there, and nobody gets so far as to see it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.json").mkdir()
    code, out, err = run(["rank", "absent.csv", *more], capsys)
    assert (code, out) == (2, "")
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]


def test_minus_is_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RANK, "-o", "-"], capsys) == run(RANK, capsys)
    assert run([*RANK, "-o", "-", "--format", "json"], capsys) == run([*RANK, "--format", "json"], capsys)


@pytest.mark.parametrize("name", ["answers.csv", "link.csv", "other/../answers.csv"])
def test_the_answer_never_takes_the_place_of_the_data(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However the file is spelled."""
    data = tmp_path / "answers.csv"
    data.write_bytes(Path(ANSWERS).read_bytes())
    (tmp_path / "other").mkdir()
    (tmp_path / "link.csv").symlink_to(data)
    code, out, err = run(["rank", str(data), "-o", str(tmp_path / name)], capsys)
    assert (code, out) == (2, "")
    assert "is an input file and would be overwritten" in err
    assert data.read_bytes() == Path(ANSWERS).read_bytes()


def test_a_gate_that_fails_has_its_answer_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gate.json"
    code, _, _ = run([*COMPARE, "--require", "equivalent", "--margin", "0.0001", "-o", str(file)], capsys)
    assert code == 1
    assert json.loads(file.read_text(encoding="utf-8"))["schema"].startswith("tellapart/comparison/")


def test_a_format_before_a_subcommand_and_its_file_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both are the subcommand's, and so is their disagreement."""
    fit = ["fit", str(DATA / "results.csv")]
    assert run(["evidence", "--output", str(tmp_path / "e.json"), *fit], capsys)[0] == 0
    assert json.loads((tmp_path / "e.json").read_text(encoding="utf-8"))
    assert run(["evidence", "--format", "json", *fit, "-o", str(tmp_path / "e.md")], capsys)[0] == 2


def test_half_a_file_is_never_found(tmp_path: Path) -> None:
    """A disk that takes one block: the old file stays, no other is left, and the exit code says so."""
    file = tmp_path / "out.json"
    file.write_text("old\n", encoding="utf-8")
    words = shlex.join([sys.executable, "-m", "tellapart", "reproduce", "retrieval", "-o", str(file)])
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 1; {words}"], capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == 4, done.stderr
    assert "Unwritten" in done.stderr
    assert "no existing file was changed" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert file.read_text(encoding="utf-8") == "old\n"


def test_calibration_has_a_folder_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And a file is no folder: nothing is simulated for a name without a format."""
    code, _, err = run(["calibrate", "--output", str(tmp_path / "docs")], capsys)
    assert code == 2
    assert "unknown ending" in err


@pytest.mark.parametrize("command", [["formats", "--format", "text"], ["schema"]])
def test_names_of_files_are_data(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that no file can have is refused, and one that a terminal would act on is shown and not sent."""
    monkeypatch.chdir(tmp_path)
    for impossible in ("a\0b", "x" * 3000):
        with pytest.raises(SystemExit) as stop:
            main([*command, "-o", impossible])
        assert stop.value.code == 2
        assert "cannot be written (" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        main([*command, "-o", "a\u2028b\x1b[2J"])
    assert stop.value.code == 0
    assert (tmp_path / "a\u2028b\x1b[2J").exists()
    assert capsys.readouterr().err == "written: a\\u2028b\\x1b[2J\n"


def test_the_readme_says_which_answers_are_written_as_csv() -> None:
    """Of the commands that it shows those that have it, and no others: a comparison is no table."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"the tables of (.*?) as `\.csv` too", text, re.DOTALL)
    assert said is not None
    shown = {name for name in COMMANDS if f"    tellapart {name} " in text}
    assert set(re.findall(r"`(\w+)`", said[1])) == {name for name in shown if "csv" in _formats(name)}


def _formats(name: str) -> list[str]:
    """How the answers of a command are printed; those of `plan` by the flags of its populations."""
    context = click.Context(group)
    command = group.get_command(context, name)
    if isinstance(command, click.Group):
        command = command.get_command(context, "gaussian")
    assert command is not None
    choices = [one.type.choices for one in command.params if isinstance(one.type, click.Choice) and one.name == "form"]
    return [str(one) for one in choices[0]] if choices else []


def test_a_page_without_charts_is_told_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can draw them, beside the name of the file; where something can, the name alone."""
    pytest.importorskip("vl_convert")
    command, file = ["plan", "--accuracy", "0.7", "--effect", "0.02"], tmp_path / "plan.html"
    told = []
    for _ in range(2):
        with pytest.raises(SystemExit):
            main([*command, "--output", str(file)])
        told.append(capsys.readouterr().err.splitlines())
        monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert told[0] == [f"written: {file}"]
    assert told[1][0] == f"written: {file}"
    assert told[1][1].endswith("pip install 'tellapart[plot]'")


@pytest.mark.parametrize(
    "command",
    [["plan", "--accuracy", "0.7", "--effect", "0.02", "--items", "100"], ["compare", RETRIEVAL], ["rank", RETRIEVAL]],
)
def test_dask_is_refused_at_once_where_it_is_not_installed(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the work is."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SystemExit) as stop:
        main([*command, "--workers", "dask:2"])
    assert stop.value.code == 2
    assert "pip install 'tellapart[dask]'" in capsys.readouterr().err
