"""Every kind of bad input gets one clear error: where, what was found, what was wanted, what to do."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tellapart.foundation.errors import DataError, ReadError, UsageError
from tellapart.readers import FORMATS, read
from tellapart.readers.tables.json_rows import JsonLines

File = Callable[..., str]
Refusal = Callable[..., str]

LONG = "system,item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ("nan", "Leave it blank if there is no score"),
        ("NaN", "Leave it blank if there is no score"),
        ("inf", "Leave it blank if there is no score"),
        ("-Infinity", "Leave it blank if there is no score"),
        ("1e999", "in another unit"),
        ("1152921504606846976", "lose their last digits"),
        ("nil", "Leave it blank if there is no score"),
        ("1_000", "thousands separators"),
        ("1 000", "thousands separators"),
        ("−0.5", "Write the minus sign as -"),
        ("١", "Correct it"),
        ("0x10", "Correct it"),
        ("wrong", "--column score=…"),
        ("abc", "Correct it, or name the column of scores: --column score=…"),
        *((word, "Write true or false") for word in ("right", "wrong", "y", "T")),
    ],
)
@pytest.mark.parametrize("rows_before", [0, 3000])
def test_cell_that_is_no_score(cell: str, advice: str, rows_before: int, file: File, refusal: Refusal) -> None:
    """A cell that is no score is refused with its file, line and column, what it holds and what to write."""
    before = "".join(f"old,q{i},1\n" for i in range(10, 10 + rows_before))
    message = refusal(file(f"system,item,score\n{before}old,q1,{cell}\nnew,q1,1\n"))
    assert f"scores.csv, line {rows_before + 2}: found {cell.strip(chr(34))!r} in column 'score'" in message
    assert (
        "wanted a finite number, true/false, correct/incorrect, pass/fail, passed/failed, yes/no or C/I, or a blank or N/A"
        in message
    )
    assert advice in message


def test_decimal_commas(file: File, refusal: Refusal) -> None:
    """Beside points they are called by their name; without quotes in a comma file they are one field more."""
    message = refusal(file("item;old;new\nq1;0,5;0,25\nq2;0.5;0\n"))
    assert "line 2: found '0,5' in column 'old'" in message
    assert "looks like a decimal comma: write a point" in message
    message = refusal(file("system,item,score\nold,q1,0,5\n"))
    assert "line 2: found 4 comma-separated fields; wanted 3, as in the header" in message
    assert "a decimal comma must be a point" in message


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "scores.csv: the file is empty; wanted CSV, TSV, JSON or Parquet"),
        (" \n\n", "scores.csv: the file is empty"),
        ("\n" * 100_000, "scores.csv: the file is empty"),
        ("system,item,score\n", "scores.csv: found column names but no rows; wanted one row per score"),
        ("system,item,score\n\n\n", "found column names but no rows"),
        (
            "1,2,0.5\n1,3,0.5\n",
            "line 1: found only numbers where column names should be. Add a header",
        ),
        ("old,q1,0.5\nold,q2,0.5\n", "no column names the items; found 'old', 'q1', '0.5'"),
        ("old,q1,0.5\nold,q2,0.5\n", "If the first line holds data, add a header line above it"),
        (
            "item,a,a\n1,1,0\n",
            "line 1: found column 'a' 2 times; each name may occur once. Rename or remove one",
        ),
        ("a,b\n1,0\n0,1\n", "if there is none, add one: rows are not paired by their position"),
        ("item,a,b,\n1,1,0,\n", "line 1: column 4 has no name. Name it or remove it"),
        ("item,a,b\n1,1,0\n2,1\n", "line 3: found 2 comma-separated fields; wanted 3, as in the header"),
        ("item\ta\tb\n1\t1\t0\n2\t1\t0\t1\n", "line 3: found 4 tab-separated fields; wanted 3"),
        (
            "system,score\na,1\na,0\nb,2\n",
            "no column names the items; found 'system', 'score'; wanted one called item",
        ),
        (
            "system,score\na,1\nb,2\n",
            "holds no items: means of systems (score); pass the scores of single items, or check reported numbers with `tellapart audit`",
        ),
        (
            "system,item\na,1\nb,1\n",
            "no column holds scores; found 'system', 'item'. Name one: --column score=…",
        ),
        ("item\n1\n2\n", "no column holds scores; found 'item'"),
        ("item a b\n1 1 0\n2 1\n3 1 1\n", "or by blanks where all lines have as many fields as the header"),
        ("map 301 0.25\nmap 302 0.5\n", "If the first line holds data, add a header line above it"),
        ("system,item,score\na,,1\nb,q,1\n", "line 2: found a blank for the item; wanted a name"),
        ("system,item,score\na,q,1\n ,q,1\n", "line 3: found a blank for the system; wanted a name"),
        ("cluster,item,a,b\n,q,1,0\n", "line 2: found a blank for the cluster; wanted a name"),
        ('system,item,score\na,q,1\nb,"q,1\nc,q,1\n', "line 3: a quoted field is not closed"),
        ('system,item,score\na,q,1\nb,"q"x,1\n', "line 3: a quoted field is not closed"),
    ],
)
def test_text_that_is_no_table_of_scores(text: str, wanted: str, file: File, refusal: Refusal) -> None:
    """A file that is no table of scores is refused, saying what it lacks and where."""
    message = refusal(file(text))
    assert message.startswith(str(Path(message.split("scores.csv")[0]) / "scores.csv"))
    assert wanted in message


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (LONG.encode("utf-16")[:-1], "damaged text in utf-16 (truncated data). Save it as UTF-8"),
        (LONG.encode("utf-16-be"), "found what looks like UTF-16 text"),
        (LONG.encode("utf-16-le"), "found what looks like UTF-16 text"),
        (bytes(range(256)) * 20, "found binary content (NUL bytes)"),
        (b"PK\x03\x04 and so on", "a zip archive that cannot be read"),
        (
            LONG.encode() + "old,caf\x8e,1\n".encode("latin-1"),
            "line 6: found byte 0x8e, which is not UTF-8 text",
        ),
        (b"\x1f\x8b\x08 not really", "damaged gzip"),
        (gzip.compress(LONG.encode() * 99, mtime=0)[:-9], "damaged gzip"),
        (gzip.compress(gzip.compress(LONG.encode(), mtime=0), mtime=0), "found gzip inside gzip"),
        (LONG.encode() + b"new,q\0three,1\n", "binary content (NUL bytes)"),
    ],
)
def test_bytes_that_are_no_text(content: bytes, found: str, file: File, refusal: Refusal) -> None:
    """Bytes that are no UTF-8 text are refused, by the name of what they are where that is known."""
    message = refusal(file(content))
    assert "scores.csv" in message
    assert found in message


def test_junk_deep_in_a_file(file: File, refusal: Refusal) -> None:
    """NUL bytes and bytes that are no UTF-8 are met with their line however late they come."""
    many = "".join(f"old,q{i},1\nnew,q{i},1\n" for i in range(10_000))
    message = refusal(file("system,item,score\n" + many + "new,q\0,1\n"))
    assert "line 20002: found binary content (NUL bytes) for the item" in message
    message = refusal(file(f"system,item,score\n{many}".encode() + b"new,\xff,1\n"))
    assert "line 20002: found byte 0xff, which is not UTF-8 text. Save it as UTF-8" in message


def test_name_that_promises_gzip(file: File, refusal: Refusal) -> None:
    """A file called .gz that is not gzip is refused, not guessed at."""
    assert "the name says gzip, but the content is not" in refusal(file(LONG, "scores.csv.gz"))


def test_places_that_hold_no_file(tmp_path: Path, refusal: Refusal) -> None:
    """A path that does not exist and a folder without scores are refused by name."""
    assert refusal(tmp_path / "none.csv") == f"{tmp_path / 'none.csv'}: there is no such file. Check the path"
    assert f"{tmp_path}: found no items" in refusal(tmp_path)
    assert refusal("candidate") == "candidate: there is no such file. Check the path"


def test_file_that_may_not_be_read(file: File, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission, or on a failing disk, is refused by name and reason."""
    path = file(LONG)

    def fail(error: OSError) -> str:
        def refuse(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr(Path, "open", refuse)
        return refusal(path)

    assert "scores.csv: permission denied" in fail(PermissionError(13, "Permission denied"))
    assert "scores.csv: cannot be read (Input/output error)" in fail(OSError(5, "Input/output error"))


def test_repeated_score(file: File, refusal: Refusal) -> None:
    """Two scores of one system on one item are refused, naming both places."""
    message = refusal(file("system,item,score\nold,q1,0.1\nnew,q1,1\nold,q1,0.1\n"))
    assert "scores.csv, line 4: system 'old' already has a score for item 'q1'" in message
    assert "scores.csv, line 2): it comes twice. Keep one" in message
    message = refusal(file("item,old,new\nq1,1,0\nq2,1,0\nq1,1,1\n"))
    assert "scores.csv, line 4: system 'old' already has a score for item 'q1'" in message
    assert "scores.csv, line 2)" in message


def test_item_in_two_clusters(file: File, refusal: Refusal) -> None:
    """An item that is in two clusters is refused with a line."""
    message = refusal(file("system,item,cluster,score\na,1,x,1\nb,1,y,1\n"))
    assert "item '1' is in cluster" in message
    assert "scores.csv, line 2" in message


@pytest.mark.parametrize("source", [42, {"a": [1]}, [], [1, 2], b"scores.csv", None])
def test_source_that_is_none(source: Any) -> None:
    """What is neither a path nor a list of them nor a frame is a mistake of the caller."""
    with pytest.raises(UsageError, match=r"use Scores\.from_arrays"):
        read(source)


def test_errors_are_the_readers_own(file: File) -> None:
    """A refused file raises `ReadError`, which the command line turns into exit code 3."""
    with pytest.raises(ReadError) as caught:
        read(file("item,a\n"))
    assert caught.value.exit_code == 3


def test_half_a_character(file: File, refusal: Refusal) -> None:
    """A lone surrogate, which JSON can spell and no text can hold, is refused as a name."""
    line = '{{"system": "{}", "item": "{}", "score": 1}}\n'
    message = refusal(file(line.format("old", "q1") + line.format("old", "\\ud800"), "scores.jsonl"))
    assert "scores.jsonl, line 2: found half a character (a lone surrogate) for the item" in message


def test_one_column_with_two_roles(file: File, refusal: Refusal) -> None:
    """A column plays one role; only clusters may be called after what they group."""
    message = refusal(file(LONG), columns={"item": "item", "system": "item"})
    assert "column 'item' is given two roles, item and system" in message
    assert read(file(LONG), columns={"cluster": "item"}).clusters is not None


@pytest.mark.parametrize(
    ("text", "typed", "written"),
    [
        ("model,item\na,1\n", "--column score=…", "columns={'score': …}"),
        ("id,topic,model,score\n1,t,a,0\n", "--column item=id", "columns={'item': 'id'}"),
        ("system,item,score\na,1,x\n", "--column score=…", "columns={'score': …}"),
        ("system,item,acc,f1\na,1,1,1\n", "Pick one with --measure acc", "Pick one with measure='acc'"),
        (
            "item,kind,a\n1,x,1\n2,3,1\n",
            "--column cluster=kind, or dataset, run, seed, rater",
            "columns={'cluster': 'kind'}, or",
        ),
        (
            "item,kind,a\n1,x,1\n2,3,1\n",
            "two with --a and --b or more to rank with --systems",
            "to rank with systems=…",
        ),
        (
            "system,item,score\na,1,1\na,1,1\n",
            "--column run=…, --column seed=… or --measure",
            "columns={'run': …}, columns={'seed': …} or measure=…",
        ),
        ("task,a,b\nx,1,2\nx,3,4\n", "To name another: --column item=…", "To name another: columns={'item': …}"),
        ("item,score\n1,1\n", "name the column with --column system=…", "columns={'system': …}"),
    ],
)
def test_advice_is_spelled_where_it_is_read(text: str, typed: str, written: str, file: File) -> None:
    """The command line reads flags, Python reads arguments, and neither reads the other's."""
    with pytest.raises(DataError) as caught:
        read(file(text))
    assert typed in caught.value.message_for("command line")
    assert written in str(caught.value)
    assert "--" not in str(caught.value)
    assert "={" not in caught.value.message_for("command line")


def test_what_is_wanted_comes_from_the_formats(file: File, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A format that is registered is named among those that are wanted."""
    monkeypatch.setattr(
        FORMATS, "_known", {**FORMATS._known, "scrolls": type("Scrolls", (JsonLines,), {"label": "scrolls"})}
    )
    assert "wanted CSV, TSV, JSON, Parquet or scrolls" in refusal(file(b"%PDF"))
