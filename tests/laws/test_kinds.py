"""Laws of the formats that are known by the names of columns: votes, ratings, predictions, texts; and of runs of retrieval."""

import csv
import gzip
import io
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tellapart import Ratings, Votes
from tellapart.cli import main
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError, TellapartError
from tellapart.readers import FORMATS, Certainty, read
from tellapart.readers.detect import detect
from tellapart.readers.format import TableKind
from tellapart.readers.storage.origin import Memory
from tellapart.verbs.describe import describe

KINDS = [name for name in FORMATS if issubclass(FORMATS[name], TableKind) and name != "alpaca_eval_pairs"]
"""Those that files are recognised as; that one is read where it is named."""
ASKED: dict[str, dict[str, Any]] = {"predictions": {"metric": "accuracy"}, "texts": {"metric": "chrf"}}
MAKES: dict[str, type[Any]] = {
    "votes": Votes,
    "mt_bench_pairs": Votes,
    "chat_arena": Votes,
    "side_by_side": Votes,
    "ratings": Ratings,
    "predictions": Scores,
    "texts": Scores,
    "question_columns": Scores,
    "rater_columns": Ratings,
}


def certain(content: bytes) -> list[str]:
    origin = Memory("x", "x", content)
    return [name for name in FORMATS if FORMATS[name]().claim(origin) == Certainty.CERTAIN]


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def as_text(rows: list[dict[str, str]], mark: str) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=mark)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def shapes(name: str) -> list[bytes]:
    """The example, and where it is a table the same in every make of table."""
    example = FORMATS[name]().example()
    if name in {"trec_run", "mt_bench_pairs"}:
        return [example, gzip.compress(example)]
    rows = rows_of(example)
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    array = json.dumps(rows, indent=2).encode()
    return [example, gzip.compress(example), as_text(rows, "\t"), as_text(rows, ";"), lines, array]


@pytest.mark.parametrize("name", KINDS)
def test_one_format_claims_it(name: str) -> None:
    """Whatever it is written as, and whatever it is called, it is claimed by its own kind and by no other."""
    for shape in shapes(name):
        assert certain(shape) == [name]
        assert detect(Memory("x", "x", shape)).name == name


@pytest.mark.parametrize("name", [name for name in KINDS if name != "trec_run"])
def test_it_is_read_as_what_it_is(name: str, tmp_path: Path) -> None:
    """In every make it becomes the same votes, ratings or scores, and its sources name the format."""
    for place, shape in enumerate(shapes(name)):
        path = tmp_path / f"{place}.x"
        path.write_bytes(shape)
        found = read(path, **ASKED.get(name, {}))
        assert isinstance(found, MAKES[name])
        assert found.reading is not None
        assert {source.format for source in found.reading.sources} == {name}
        assert all(s.rows == s.scored + s.missing + s.errors for s in found.reading.sources)


@pytest.mark.parametrize("name", [name for name in KINDS if name != "trec_run"])
def test_a_command_that_answers(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is described, and what is suggested can be typed."""
    path = tmp_path / "x"
    path.write_bytes(FORMATS[name]().example())
    found = describe(str(path))
    assert [source.format for source in found.sources] == [name]
    assert {one.name for one in found.systems} == {"old", "new"}
    assert found.commands
    for command in found.commands:
        with pytest.raises(SystemExit) as left:
            main(shlex.split(command)[1:])
        assert left.value.code in {0, 1}, (command, capsys.readouterr().err)


def test_runs_and_their_judgements(tmp_path: Path) -> None:
    """Runs are described with the judgements that lie beside them; alone they are refused with the flag to type."""
    run = FORMATS["trec_run"]().example()
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_bytes(run)
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 0\n")
    (command,) = describe(str(tmp_path)).commands
    assert command.endswith(f"--qrels {tmp_path}/qrels --measure nDCG@10")
    assert describe(str(tmp_path / "a.run")).items == 2
    with pytest.raises(ReadError, match="TREC run") as refusal:
        read([tmp_path / "a.run", tmp_path / "b.run"])
    assert "--qrels FILE" in refusal.value.message_for("command line")
    with pytest.raises(ReadError, match="judgements of relevance"):
        read(tmp_path / "qrels")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"stat_test": "student", "metrics": ["map"], "model_names": ["a"], "a": {"scores": {"map": 1}}}', "a report of ranx"),
        ('{"q1": {"d1": 1.5, "d2": 1}, "q2": {"d9": 3}}', "as JSON"),
    ],
)  # fmt: skip
def test_what_ranx_writes(content: str, said: str, tmp_path: Path) -> None:
    """Its reports hold means only, and its runs are no runs of TREC: the way out is named."""
    path = tmp_path / "x.json"
    path.write_text(content)
    for ask in (describe, read):
        with pytest.raises(ReadError, match=said):
            ask(str(path))


def test_pairs_of_mt_bench(tmp_path: Path) -> None:
    """Judgments that disagree are a tie, failed ones are errors; the turns of a question are runs of it."""
    said = [
        ("model_1", "model_1"),
        ("model_1", "model_2"),
        ("tie", "tie"),
        ("error", "model_1"),
        ("model_2", "model_2"),
    ]
    records = [
        {"question_id": 81 + n, "model_1": "x", "model_2": "y", "g1_winner": one, "g2_winner": other, "judge": ["j", "p"], "turn": t}
        for t in (1, 2)
        for n, (one, other) in enumerate(said)
    ]  # fmt: skip
    path = tmp_path / "pair.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    votes = read(path)
    assert sorted(votes.pair("x", "y").values.tolist()) == [-1, -1, 0, 0, 0, 0, 1, 1]
    assert len(votes.items) == 4
    assert {(s.rows, s.scored, s.missing, s.errors) for s in votes.reading.sources} == {(10, 8, 0, 2)}


@pytest.mark.parametrize("ask", [lambda path: read(path, partial=True), lambda path: read(path, errors="zero")])
def test_votes_are_no_rows_of_logs(ask: Callable[[Path], Any], tmp_path: Path) -> None:
    """What picks among logs has no meaning for votes."""
    path = tmp_path / "v.csv"
    path.write_bytes(FORMATS["votes"]().example())
    with pytest.raises(TellapartError, match="found votes"):
        ask(path)


def test_folders_tell_of_kinds(tmp_path: Path) -> None:
    """A folder is not searched for votes, and says that there are some."""
    (tmp_path / "v.csv").write_bytes(FORMATS["votes"]().example())
    with pytest.raises(ReadError, match="1 file, votes; name the file itself"):
        read(tmp_path)
    assert [source.format for source in describe(str(tmp_path)).sources] == ["votes"]
