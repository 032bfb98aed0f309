"""Names are data: whatever they hold acts on no terminal, page or spreadsheet, and is still itself in JSON and CSV."""

import csv
import io
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tellapart import Scores, compare, rank, read
from tellapart.answers.page import page_of
from tellapart.cli import main
from tellapart.foundation.errors import DataError, TellapartError
from tellapart.render import render
from tellapart.render.csv import csv as as_csv
from tellapart.render.html import html

HOSTILE = {
    "escape sequence": "\x1b]0;owned\x07\x1b[31mred",
    "C1 control": "\x9b31mred",
    "line ends": "two\r\nlines",
    "line separators": "two\u2028lines\u2029",
    "override": "\u202egnp.exe\u2066",
    "no width": "a\u200bb\ufeff",
    "tags": "a\U000e0041b",
    "formula": "=HYPERLINK(1)",
    "minus": "-2+3",
    "markup": "[x](y) *b* |c| `d` <e> & $f$ ~~g~~ \\",
    "optional": "[5em] wide",
    "star": "*best",
    "mark": "option:alpha=3",
}
ACTING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def scores(name: str) -> Scores:
    rng = np.random.default_rng(0)
    base = rng.random(40)
    systems = {name: base, "plain": base + 0.3 * rng.random(40), "third": rng.random(40)}
    return Scores.from_arrays(systems, datasets=[name] * 20 + ["other"] * 20, measure=name)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_no_page_is_acted_on(name: str) -> None:
    """Nothing but line ends of our own in any format that people read."""
    answers = (compare(scores(name), name, "plain"), rank(scores(name)), rank(scores(name), baseline=name))
    for answer, form in itertools.product(answers, ("text", "markdown", "latex", "json")):
        page = render(answer, form)
        assert ACTING.search(page if form != "json" else answer.sentence) is None, form
    for answer in answers:
        assert ACTING.search(html(page_of(answer))) is None
        assert ACTING.search(repr(answer)) is None


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_json_and_csv_keep_the_name(name: str) -> None:
    """For programs a name is what it is; CSV can be read back by whoever reads CSV, and by us without the apostrophe."""
    answer = rank(scores(name))
    assert name in {row["name"] for row in json.loads(render(answer, "json"))["systems"]}
    raw = list(csv.DictReader(io.StringIO(as_csv(answer, raw=True), newline="")))
    assert name in {row["name"] for row in raw}
    safe = [row["name"] for row in csv.DictReader(io.StringIO(render(answer, "csv"), newline=""))]
    assert not any(re.match("[=+@\\x00-\\x1f\\x7f-\\x9f-]", cell) for cell in safe)
    assert (f"'{name}" if re.match("[=\\x00-\\x1f\\x7f-\\x9f-]", name) else name) in safe


def test_what_rank_prints_can_be_read(tmp_path: Path) -> None:
    """A table of formulas goes out guarded and comes back as it was."""
    names = ["=1+1", "@you", "+a", "-b", "'=c", "'d", "\tx", "-5"]
    rows = [["system", "item", "score"], *([n, str(i), str(i % 3)] for n in names for i in range(4))]
    page = rank(Scores.from_arrays({n: np.arange(4.0) for n in names}), resamples=199)
    cells = [row["name"] for row in csv.DictReader(io.StringIO(render(page, "csv")))]
    file = tmp_path / "scores.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows(rows[:1] + [[c, *r[1:]] for c, r in itertools.product(cells, rows[1:5])])
    assert set(read(file).systems) == {name.strip() for name in names}


@pytest.mark.parametrize("flags", [(), ("--raw-csv",)])
def test_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]) -> None:
    """`--raw-csv` leaves formulas as they are."""
    file = tmp_path / "scores.csv"
    file.write_text("item,=1+1,b\n" + "".join(f"{i},{i % 3},{i % 2}\n" for i in range(9)))
    with pytest.raises(SystemExit):
        main(["rank", str(file), "--format", "csv", *flags])
    out = capsys.readouterr().out
    assert ("'=1+1" in out) == (not flags)
    assert "=1+1" in out


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_messages(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a system that is not there, a file that is not there, a flag that is none, a column of words."""
    with pytest.raises(TellapartError) as error:
        compare(scores(name), name + "?", "plain")
    assert ACTING.search(str(error.value)) is None
    file = tmp_path / "words.csv"
    file.write_text(f'"{name}",item,score\n"{name}","{name}","{name}"\n'.replace("\x00", ""), newline="")
    for arguments in (
        ["compare", name], ["compare", str(file)], ["compare", str(file), "--a", name, "--b", "x"],
        [name], ["rank", f"--{name}"], ["rank", str(file), "--alpha", name], ["plan", name],
        ["compare", str(file), "--test", name], ["audit", str(file)], ["evidence", "fit", str(file)],
        ["reproduce", name], ["rank", str(file), "--column", f"item={name}"],
    ):  # fmt: skip
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        err = capsys.readouterr().err
        assert stop.value.code in {2, 3}, arguments
        assert ACTING.search(err) is None, arguments
        assert "internal error" not in err


def test_long_names_leave_a_message_readable(capsys: pytest.CaptureFixture[str]) -> None:
    """However long a name is, what is said about it can be seen."""
    for name in ("x" * 100_000, "a b " * 30_000):
        with pytest.raises(SystemExit):
            main(["compare", "examples.csv", "--a", "x", "--metric", name])
        err = capsys.readouterr().err
        assert len(err) < 5000
        assert "…" in err


def test_names_that_no_file_can_hold() -> None:
    """Half a character, or a NUL, which frames what a message says of options, are refused at the door."""
    for name in ("\0option:alpha\0", "half \ud800"):
        with pytest.raises(DataError, match="wanted text"):
            Scores.from_arrays({name: [1.0, 2.0], "b": [1.0, 2.0]})
        with pytest.raises(DataError, match="wanted text"):
            Scores.from_arrays({"a": [1.0, 2.0], "b": [1.0, 2.0]}, items=["x", name])


def test_latex_rows_begin_with_no_order(tmp_path: Path) -> None:
    """After a line end TeX reads `[` and `*` as belonging to it."""
    for name in ("[5em] wide", "*best"):
        page = render(rank(scores(name)), "latex")
        ends = re.findall(r"(?:\\\\|\\midrule|\\toprule)\s*([\[*])", page)
        assert ends == []
        assert f"{{}}{name}" in page


def test_markdown_keeps_its_columns() -> None:
    """As many cells in each row as in its head, and the signature in one piece."""
    name = "a|b`c`` d\\| e"
    page = render(rank(scores(name)), "markdown")
    table = [line for line in page.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table[:5]}
    assert len(widths) == 1
