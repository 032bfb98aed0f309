"""Runs and judgements become scores: what is counted, in which order documents stand, and what is refused."""

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.readers.retrieval.conftest import NEW, OLD, QRELS, Write

from tellapart import TellapartError, compare, rank, read
from tellapart.data.provenance import Remark
from tellapart.data.scores import Scores


def scores_of(paths: dict[str, str], measure: str | None = "AP", **options: Any) -> Scores:
    scores: Scores = read([paths["old"], paths["new"]], qrels=paths["qrels"], measure=measure, **options)
    return scores


def refused(paths: dict[str, str], measure: str | None = "AP", **options: Any) -> tuple[int, str]:
    with pytest.raises(TellapartError) as caught:
        scores_of(paths, measure, **options)
    return caught.value.exit_code, caught.value.message_for("command line")


def values(scores: Scores) -> list[list[float]]:
    found: list[list[float]] = scores.values[:, :, 0, 0].tolist()
    return found


def by_code(scores: Scores) -> dict[str, Remark]:
    return {remark.code: remark for remark in scores.remarks}


def test_a_file_is_a_system_and_a_judged_query_an_item(files: Write) -> None:
    """Average precision by hand, and everything that an answer calls it."""
    scores = scores_of(files())
    assert scores.systems == ("old", "new")
    assert [name for _, name in scores.items] == ["q1", "q2", "q3"]
    assert values(scores) == [[0.25, 1.0, 1.0], [1.0, 0.0, 1.0]]
    assert (scores.measure, scores.parts, scores.remarks) == ("AP", ("score",), ())


def test_ranks_and_the_order_of_lines_are_not_trusted(files: Write) -> None:
    """Scores alone say which document comes first."""
    shuffled = "".join(reversed(OLD.replace(" 1 5.0", " 7 5.0").splitlines(keepends=True)))
    assert values(scores_of(files(old=shuffled))) == values(scores_of(files()))


@pytest.mark.parametrize("measure", ["RR", "RR@10", "AP", "nDCG@10", "P@1"])
def test_of_equal_scores_the_later_name_comes_first(files: Write, measure: str) -> None:
    """As trec_eval has it, whichever program computes the measure: RR@10 is computed by another than RR."""
    tied = "".join(f"q1 Q0 d{i} {i} 1.0 R\n" for i in (1, 2, 3))
    strict = "".join(f"q1 Q0 d{i} {4 - i} {i} R\n" for i in (1, 2, 3))
    judged = "q1 0 d1 1\nq1 0 d3 0\n"
    assert (
        values(scores_of(files(old=tied, new=strict, qrels=judged), measure))[0]
        == (values(scores_of(files(old=tied, new=strict, qrels=judged), measure))[1])
    )


def test_names_beyond_ascii_are_ordered_by_their_bytes(files: Write) -> None:
    """UTF-8 keeps the order of code points, so that é comes after z."""
    tied = "q1 Q0 z 1 1 R\nq1 Q0 é 2 1 R\n"
    assert values(scores_of(files(old=tied, new=tied, qrels="q1 0 é 1\n"), "RR")) == [[1.0], [1.0]]


@pytest.mark.parametrize("scores", [("16777217", "16777216"), ("0.876543212", "0.876543211"), ("1e-300", "0")])
def test_scores_are_doubles(files: Write, scores: tuple[str, str]) -> None:
    """What is equal in single precision is not equal."""
    close = f"q1 Q0 a 1 {scores[0]} R\nq1 Q0 b 2 {scores[1]} R\n"
    assert values(scores_of(files(old=close, new=close, qrels="q1 0 a 1\nq1 0 b 0\n"), "RR@10")) == [[1.0]] * 2


def test_queries_that_are_not_retrieved_score_nothing(files: Write) -> None:
    """All judged queries count, also those that a run has nothing for; a note says which system lacks how many."""
    scores = scores_of(files(new=NEW.replace("q2", "q9").replace("q3", "q8")))
    assert values(scores) == [[0.25, 1.0, 1.0], [1.0, 0.0, 0.0]]
    found = by_code(scores)
    lost = {"system": "new", "queries": 2, "of": 3, "first": "q2", "left_out": False}
    assert found["unretrieved_queries"] == Remark("unretrieved_queries", lost, "new")
    unjudged = {"system": "new", "queries": 2, "first": "q9"}
    assert found["unjudged_queries"] == Remark("unjudged_queries", unjudged, "new")


def test_unretrieved_queries_can_be_left_out_or_refused(files: Write) -> None:
    """Left out for all systems alike, so that both are scored on the same queries."""
    paths = files(new=NEW.replace("q2", "q9"))
    left = scores_of(paths, unretrieved="drop")
    assert [name for _, name in left.items] == ["q1", "q3"]
    assert by_code(left)["unretrieved_queries"].values["left_out"] is True
    code, message = refused(paths, unretrieved="error")
    assert code == 3
    assert "'new' retrieved nothing for 1 of 3 judged queries (first: 'q2')" in message
    assert "--unretrieved zero" in message


def test_nothing_may_be_left(files: Write) -> None:
    """Runs that share no query have nothing to be compared on, if unretrieved queries are left out."""
    paths = files(old="q1 Q0 d1 1 1 R\n", new="q2 Q0 d4 1 1 R\n")
    assert refused(paths, unretrieved="drop")[0] == 3


def test_an_unknown_way_is_refused(files: Write) -> None:
    """Whatever it is, an array too."""
    assert refused(files(), unretrieved="skip")[0] == 2
    assert refused(files(), unretrieved=np.ones(2))[0] == 2


def test_queries_without_relevant_documents_are_zero_and_noted(files: Write) -> None:
    """At the relevance that the measure asks for."""
    found = by_code(scores_of(files(qrels=QRELS.replace("d5 1", "d5 0"))))
    assert found["queries_without_relevant"].values == {"queries": 1, "of": 3, "first": "q3"}
    higher = by_code(scores_of(files(), "AP(rel=2)"))
    assert higher["queries_without_relevant"].values == {"queries": 2, "of": 3, "first": "q2"}


def test_what_judged_documents_are_is_no_matter_of_relevance(files: Write) -> None:
    """A measure that is not 0 without relevant documents has no such note."""
    scores = scores_of(files(qrels=QRELS.replace("d5 1", "d5 0")), "Judged@10")
    assert values(scores)[0][2] == 1.0
    assert "queries_without_relevant" not in by_code(scores)


def test_negative_relevance_is_none(files: Write) -> None:
    """A note counts them."""
    scores = scores_of(files(qrels=QRELS.replace("d3 0", "d3 -2")), "nDCG@10")
    assert values(scores) == values(scores_of(files(), "nDCG@10"))
    assert by_code(scores)["negative_relevance"].values == {"judgements": 1, "first": "q1"}


def test_relevance_may_be_written_as_floats_are(files: Write) -> None:
    """A table of numbers with gaps has 1.0 for 1."""
    assert values(scores_of(files(qrels=QRELS.replace(" 1\n", " 1.0\n")))) == values(scores_of(files()))


@pytest.mark.parametrize(
    "other",
    [
        OLD.replace(" ", "\t"),
        OLD.replace("\n", "\r\n"),
        OLD.replace("\n", "\r"),
        f"# made by hand\n\n{OLD}\n   \n# the end",
        OLD.replace(" R\n", " R and more\n"),
        OLD.rstrip("\n"),
        f"\ufeff{OLD}",
        gzip.compress(OLD.encode(), mtime=0),
    ],
    ids=["tabs", "crlf", "cr", "comments", "more fields", "no last line end", "byte-order mark", "gzip"],
)
def test_written_otherwise(files: Write, other: str | bytes) -> None:
    """Blanks, comments, line ends and compression change nothing."""
    assert values(scores_of(files(old=other))) == values(scores_of(files()))


def test_only_blanks_of_ascii_separate_fields(files: Write) -> None:
    """A name may hold a blank of another script."""
    named = "q1 Q0 d\u00a01 1 2.0 R\nq1 Q0 d\x1f2 2 1.0 R\n"
    scores = scores_of(files(old=named, new=named, qrels="q1 0 d\x1f2 1\nq1 0 d\u00a01 0\n"), "RR")
    assert values(scores) == [[0.5], [0.5]]


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (
            {"old": OLD + "q1 Q0 d9 1 1.0\n"},
            "old, line 5: found 5 fields; wanted at least 6: query Q0 document",
        ),
        (
            {"old": f"# x\n{OLD}q1 Q0 d1 9 0.1 R\n"},
            "old, line 6: query 'q1' has document 'd1' already (line 3)",
        ),
        (
            {"old": OLD + "q1 Q0 d9 9 nan R\n"},
            "old, line 5: found 'nan' for the score; wanted a finite number",
        ),
        ({"old": OLD + "q1 Q0 d9 9 inf R\n"}, "found 'inf' for the score"),
        ({"old": OLD + "q1 Q0 d9 9 1_0 R\n"}, "found '1_0' for the score"),
        ({"old": OLD + "q1 Q0 d9 9 high R\n"}, "found 'high' for the score"),
        ({"old": "\n# nothing\n"}, "old: the file is empty; wanted a run"),
        ({"old": "z1 Q0 d1 1 1 R\n"}, "old: no query of this run (first: 'z1') is judged in "),
        ({"old": "q1 Q0 d\x001 1 1 R\n"}, "old: found binary content"),
        ({"old": b"q1 Q0 d\x9f 1 1 R\n"}, "old, line 1: found byte 0x9f, which is not UTF-8 text"),
        ({"old": b"%PDF-1.4"}, "old: found a PDF; wanted a run"),
        ({"qrels": QRELS + "q1 0 d9\n"}, "qrels, line 7: found 3 fields; wanted at least 4: query iteration"),
        (
            {"qrels": QRELS + "q1 0 d9 0.5\n"},
            "qrels, line 7: found '0.5' for the relevance; wanted a whole number",
        ),
        ({"qrels": QRELS + "q1 0 d9 yes\n"}, "found 'yes' for the relevance"),
        ({"qrels": QRELS + "q1 0 d9 1e99\n"}, "found '1e99' for the relevance"),
        (
            {"qrels": QRELS + "q1 0 d1 2\n"},
            "line 7: query 'q1' has a judgement of document 'd1' already (line 1)",
        ),
        ({"qrels": ""}, "qrels: the file is empty; wanted judgements"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_what_is_wrong_is_said_with_its_line(files: Write, contents: dict[str, Any], said: str) -> None:
    """One clear error of data each."""
    code, message = refused(files(**contents))
    assert code == 3
    assert said in message


def test_absent_files_are_named(files: Write) -> None:
    """The judgements like any run."""
    paths = files()
    os.remove(paths["qrels"])  # noqa: PTH107
    assert paths["qrels"] in refused(paths)[1]


@pytest.mark.parametrize(
    "beside",
    [
        {"columns": {"item": "x"}},
        {"dataset": "d"},
        {"by": "week"},
        {"labels": ["a", "b"]},
        {"parts": ("tp",)},
    ],
)
def test_what_is_for_tables_is_refused(files: Write, beside: dict[str, Any]) -> None:
    """A run has no columns."""
    code, message = refused(files(), **beside)
    assert code == 2
    assert "--qrels says that the files are runs" in message


def test_frames_are_no_runs(files: Write) -> None:
    """Judgements go with files."""
    with pytest.raises(TellapartError, match="pass the paths of runs"):
        read({"a": [1.0]}, qrels=files()["qrels"], measure="AP")


def test_one_run_is_one_system(files: Write) -> None:
    """Two are needed."""
    paths = files()
    with pytest.raises(TellapartError, match="a run is one system"):
        read(paths["old"], qrels=paths["qrels"], measure="AP")


def test_systems_can_be_renamed(files: Write) -> None:
    """Notes use the new names; a name that is nobody's, or two systems' is refused."""
    paths = files(new=NEW.replace("q2", "q9"))
    scores = scores_of(paths, names={"new": "dense"})
    assert scores.systems == ("old", "dense")
    assert {remark.system for remark in scores.remarks} == {"dense"}
    assert "no system is called 'newer'" in refused(paths, names={"newer": "dense"})[1]
    assert "would both be called 'old'" in refused(paths, names={"new": "old"})[1]


def test_runs_that_nobody_asks_about_need_not_be_readable(files: Write, tmp_path: Path) -> None:
    """Where both systems are named, the others' files are left alone."""
    paths, broken = files(), tmp_path / "broken"
    broken.write_text("q1 Q0\n", encoding="utf-8")
    asked = read([paths["old"], str(broken), paths["new"]], qrels=paths["qrels"], measure="AP", systems=("old", "new"))
    assert asked.systems == ("old", "new")


def test_remarks_concern_the_systems_that_are_compared(files: Write, tmp_path: Path) -> None:
    """What a third run lacks is no note of a comparison of two others."""
    paths, third = files(), tmp_path / "third"
    third.write_text("q1 Q0 d1 1 1 R\n", encoding="utf-8")
    scores = read([paths["old"], str(third), paths["new"]], qrels=paths["qrels"], measure="AP")
    assert scores.pair("old", "new").remarks == ()
    assert [remark.code for remark in scores.pair("old", "third").remarks] == ["unretrieved_queries"]


def test_a_run_without_judgements_says_how_to_score_it(files: Write) -> None:
    """It is no table of scores, whatever its numbers are."""
    paths = files()
    with pytest.raises(TellapartError) as caught:
        read([paths["old"], paths["new"]])
    assert caught.value.exit_code == 3
    assert "--qrels FILE --measure nDCG@10" in caught.value.message_for("command line")


@pytest.mark.parametrize("verb", [compare, rank])
def test_measures_know_which_way_is_better(files: Write, verb: Any) -> None:
    """Lower is better of no measure of retrieval, and whoever says so is refused; higher may be said."""
    scores = scores_of(files(old=OLD, new=NEW, qrels=QRELS), "nDCG@10")
    with pytest.raises(TellapartError, match="but higher nDCG@10 is better; leave it out"):
        verb(scores, lower_is_better=True)
    assert not verb(scores, higher_is_better=True).lower_is_better
