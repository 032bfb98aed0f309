"""CSV in the dialects people have."""

import csv
import gc
import gzip
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError
from tellapart.readers import read

File = Callable[..., str]
Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

LONG = "system,item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"
WANTED = Scores.from_arrays({"old": [0.1, 0.4], "new": [0.3, 0.5]}, items=["q1", "q2"])


def write(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file that the laws of readers are tried on."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_dialects(delimiter: str, line_end: str, bom: str, file: File, same: Same) -> None:
    """Comma, semicolon or tab, any line end, with or without BOM and whatever the name: the same scores."""
    text = bom + LONG.replace(",", delimiter).replace("\n", line_end)
    for name in ("scores.csv", "scores.tsv", "scores.txt"):
        assert same(read(file(text, name)), WANTED)


def test_quotes(file: File) -> None:
    """A quoted field may hold the delimiter, a quote and line ends."""
    scores = read(file('system,item,score\n"a,b","say ""hi""",1\n"c","two\nlines",0\n'))
    assert scores.systems == ("a,b", "c")
    assert scores.items == (("", 'say "hi"'), ("", "two\nlines"))


def test_header_delimiter_inside_quotes(file: File) -> None:
    """A comma inside the quoted names of a semicolon file does not make it a comma file."""
    scores = read(file('item;"old, v1";"new, v2, big"\n1;0.5;1\n2;0.25;0\n'))
    assert scores.systems == ("old, v1", "new, v2, big")


def test_gzip_by_content(file: File, long: Scores, same: Same) -> None:
    """Gzip is recognised by its content, with or without .gz in the name."""
    packed = gzip.compress(LONG.encode())
    assert same(read(file(packed, "scores.csv.gz")), long)
    assert same(read(file(packed, "scores.csv")), long)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("text", [LONG, LONG.replace(",", "\t")])
def test_standard_input(text: str, packed: bool, monkeypatch: pytest.MonkeyPatch, long: Scores, same: Same) -> None:
    """`-` reads standard input and finds out its format, gzipped or not."""
    content = gzip.compress(text.encode()) if packed else text.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert same(read("-"), long)


def test_blank_lines_and_spaces(file: File, long: Scores, same: Same) -> None:
    """Blank lines, rows of nothing and spaces around fields change nothing."""
    text = "\n system , item,score \n\n old,q1 , 0.1 \n,,\n old, q2,0.4\nnew ,q1,0.3\n\nnew,q2,0.5\n\n"
    assert same(read(file(text)), long)


def test_words_are_scores(file: File) -> None:
    """Words for right and wrong are 1 and 0 in any capitals, and blank and N/A are missing, also mixed in one column."""
    right, wrong = (
        ("true", "Correct", "PASS", "passed", "Yes", "C"),
        ("FALSE", "incorrect", "Fail", "failed", "no", "i"),
    )
    missing = ("", "N/A", "n/a", "NA", "null", "None")
    rows = [f"{i},{one},{other},{none}" for i, (one, other, none) in enumerate(zip(right, wrong, missing, strict=True))]
    scores = read(file("\n".join(["item,a,b,c", *rows, "9,1,0,0.5"])))
    np.testing.assert_array_equal(scores.values[:2, :6, 0, 0], [[1] * 6, [0] * 6])
    np.testing.assert_array_equal(scores.values[2, :, 0, 0], [*[np.nan] * 6, 0.5])


BLANKS = "system   item  score\n old     q1      0.1 \n  old q2 0.4\nnew q1     0.3\nnew q2 0.5\n"


@pytest.mark.parametrize("text", [BLANKS, LONG.replace(",", " "), BLANKS.replace("old", '"old"').replace("\n", "\r\n")])
def test_columns_set_apart_by_blanks(text: str, file: File, same: Same) -> None:
    """Columns may be lined up with blanks, at both ends of a line too, where each line has as many fields as the header."""
    assert same(read(file(text, "scores.txt")), WANTED)


def test_blanks_take_no_file_from_other_marks(file: File, refusal: Refusal) -> None:
    """Names with blanks in a comma or tab file stay names, even where blanks would split all lines alike."""
    for mark in ("\t", ";", ","):
        text = "item|old one|new one\n1|0.5|1\n2|0.25|0\n".replace("|", mark)
        assert read(file(text)).systems == ("old one", "new one")
        text = f"item{mark}old one\nq 1{mark}0.5\nq 2{mark}1\n"
        assert "only one system, 'old one'" in refusal(file(text))


def test_line_of_a_ragged_row_among_blanks(file: File, refusal: Refusal) -> None:
    """A line below the first ones that has more fields than the header is refused with its number."""
    many = "".join(f"old q{i} 1\n" for i in range(600))
    message = refusal(file(f"system item score\n{many}old q 7 1\n"))
    assert "line 602: found 4 blank-separated fields; wanted 3, as in the header" in message
    assert "A blank inside a field needs quotes around the field" in message


def test_camel_case_names(file: File, same: Same) -> None:
    """Columns in camelCase play the roles of their snake_case names."""
    text = (
        LONG.replace("system,item", "modelName,questionId").replace("\n", ",t\n").replace("score,t", "score,taskName")
    )
    scores = read(file(text))
    assert scores.systems == ("old", "new")
    assert scores.items == (("t", "q1"), ("t", "q2"))
    beside = "id,questionId,old,new\nq1,x,0.1,0.3\nq2,x,0.4,0.5\n"
    assert same(read(file(beside)), WANTED)
    assert read(file(LONG.replace("item,score", "itemID,nDCG")), measure="ndcg").measure == "ndcg"
    assert same(read(file(LONG.replace("item", "MyId")), columns={"item": "my_id"}), WANTED)


def test_numbers_are_scores(file: File) -> None:
    """A number may have a sign, a bare point or an exponent, and is read to the last bit."""
    text = "item,a,b\n1,+.5,1e-3\n2,-2.,0.1000000000000000055511151231257827\n"
    np.testing.assert_array_equal(read(file(text)).values[:, :, 0, 0], [[0.5, -2.0], [1e-3, 0.1]])


@pytest.mark.parametrize("rows", [10, 5000])
def test_line_of_a_bad_score_after_quoted_line_ends(rows: int, file: File, refusal: Refusal) -> None:
    """The line in an error counts lines of the file, also after fields that span several and after blank lines."""
    good = "".join(f'old,"q\n{i}",1\n' for i in range(rows))
    message = refusal(file(f"system,item,score\n\n{good}\nnew,q1,oops\n"))
    assert f"line {2 + 2 * rows + 2}: found 'oops' in column 'score'" in message


def test_fields_longer_than_the_limit_of_csv(file: File) -> None:
    """A prompt of a long-context evaluation does not stop the reading, in a column that is not needed."""
    prompt = "x" * 200_000
    scores = read(file(f"system,item,score,prompt\na,1,1,{prompt}\nb,1,0,{prompt}\n"))
    assert scores.systems == ("a", "b")


def test_threads_read_long_fields_at_the_same_time(file: File) -> None:
    """Eight threads read fields of 200 kB while another lowers the limit of `csv`; nothing of the process is changed."""
    prompt = "x" * 200_000
    rows = "".join(f'{system},{i},{i % 2},"{prompt}"\n' for i in range(10) for system in "ab")
    path = file(f"system,item,score,prompt\n{rows}")
    before = csv.field_size_limit(), gc.isenabled(), gc.get_threshold()
    with ThreadPoolExecutor(9) as threads:
        answers = [threads.submit(read, path) for _ in range(8)]
        threads.submit(lambda: [csv.field_size_limit(before[0]) for _ in range(10_000)]).result()
        found = [answer.result().values.sum() for answer in answers]
    assert found == [10.0] * 8
    assert before == (csv.field_size_limit(), gc.isenabled(), gc.get_threshold())


def test_field_that_never_ends(file: File) -> None:
    """A field beyond the longest that is read is refused with its line and the likely reason."""
    lines = "\n".join(["x" * 100] * 20)
    path = file(f'system,item,score,note\na,1,1,\nb,1,0,"{lines}"\n')
    with pytest.raises(ReadError) as error:
        read(path, limits={"line": 1000})
    assert "scores.csv, line 3: found a field of more than 1,000 characters" in str(error.value)
    assert "is a quote left open?" in str(error.value)
    assert "limits={'line': 10000}" in str(error.value)


def test_index_column_of_pandas(file: File, long: Scores, same: Same) -> None:
    """An unnamed first column is left alone in long form and names the items of a wide table without others."""
    text = ",system,item,score\n0,old,q1,0.1\n1,old,q2,0.4\n2,new,q1,0.3\n3,new,q2,0.5\n"
    assert same(read(file(text)), long)
    assert same(read(file(",old,new\nq1,0.1,0.3\nq2,0.4,0.5\n", "wide.csv")), long)
