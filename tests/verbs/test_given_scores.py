"""`compare` and `rank` take scores as they are: a file, files, a frame, arrays or what was read."""

import inspect
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tellapart
from tellapart import Scores, compare, rank, read
from tellapart.answers.parts import codes
from tellapart.foundation.errors import ComesTwice, DataError, SpellingError, TellapartError, UsageError

pd = pytest.importorskip("pandas")

OLD, NEW = [0.1, 0.4, 0.3, 0.5, 0.2, 0.7], [0.3, 0.5, 0.2, 0.9, 0.4, 0.8]
WANTED = Scores.from_arrays({"old": OLD, "new": NEW})


@pytest.fixture
def sources(tmp_path: Path) -> list[Any]:
    """The same scores in every form that is taken."""
    columns = {"item": list(range(6)), "old": OLD, "new": NEW}
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "wide.csv", index=False)
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for path in paths:
        frame[["item", path.stem]].rename(columns={path.stem: "score"}).to_csv(path, index=False)
    arrays = {"old": OLD, "new": NEW}
    wide = tmp_path / "wide.csv"
    return [
        frame,
        pl.DataFrame(columns),
        str(wide),
        wide,
        list(map(str, paths)),
        paths,
        arrays,
        {name: dict(enumerate(values)) for name, values in arrays.items()},
        read(wide),
    ]


def test_every_form_gives_the_same_answer(sources: list[Any]) -> None:
    """A path, a list of paths, frames and arrays are answered as what was read from them."""
    for source in sources:
        assert compare(source, a="old", b="new").effect == compare(WANTED).effect
        assert rank(source).systems == rank(WANTED).systems


def test_series_whose_index_says_which_item_is_which() -> None:
    """The same labels in another order are paired by label; indexes that share nothing, as of two parts of a frame, by place."""
    old, new = pd.Series(OLD, list("abcdef")), pd.Series(NEW, list("abcdef"))
    wanted = compare(WANTED)
    assert compare({"old": old, "new": new[::-1]}).correlation == wanted.correlation
    assert compare({"old": old, "new": new.set_axis(list("uvwxyz"))}).correlation == wanted.correlation
    fewer = compare({"old": old, "new": new[::-1][1:]}, missing="drop")
    assert (fewer.items, fewer.effect) == (5, compare({"old": OLD[:-1], "new": NEW[:-1]}).effect)
    with pytest.raises(DataError, match="two items of 'new' have the same name"):
        compare({"old": old, "new": new.set_axis(list("abcdee"))})


def test_systems_that_are_named_are_all_that_is_checked(tmp_path: Path) -> None:
    """A file that is given by its path is read for the two systems that are asked about."""
    path = tmp_path / "scores.csv"
    path.write_text("item,old,prompt,new\n1,0.5,hello,0.1\n2,0.25,there,0.5\n", encoding="utf-8")
    assert compare(path, a="old", b="new").items == compare(path).items == 2
    path.write_text("item,old,other,new\n1,0.5,hello,0.1\n2,0.25,0.7,0.5\n", encoding="utf-8")
    assert compare(path, a="old", b="new").items == 2
    with pytest.raises(tellapart.TellapartError, match="found 'hello' in column 'other'"):
        compare(path)


def test_parts_of_a_metric(tmp_path: Path) -> None:
    """The columns that a metric is made of are read from a path too, and an unknown metric is refused in words."""
    path = tmp_path / "tagged.csv"
    path.write_text("system,item,tp,fp,fn\na,1,3,1,0\na,2,1,1,1\nb,1,4,0,0\nb,2,2,1,1\n", encoding="utf-8")
    assert compare(path, metric="f1").metric == "f1"
    with pytest.raises(SpellingError, match="picked by its name with measure="):
        compare(path, metric="f1_scroe")


def test_what_holds_no_scores() -> None:
    """What is none of these is a mistake of the caller."""
    with pytest.raises(UsageError, match="found int; wanted scores"):
        compare(7)  # type: ignore[arg-type]  # the mistake


def test_help_says_what_may_be_given() -> None:
    """The signature shows every form, and the options of the question."""
    for verb in (compare, rank):
        taken, *others = inspect.signature(verb).parameters.values()
        assert "PathLike" in str(taken.annotation)
        assert "alpha" in {other.name for other in others}


def test_repr_is_short(sources: list[Any]) -> None:
    """What Python shows in passing is a line, however large the board is."""
    board = Scores.from_arrays({f"a system with a long name {i}": [*OLD, float(i)] for i in range(30)})
    answers = [board, rank(board, resamples=99), compare(WANTED), compare(sources[2], test="all")]
    for answer in answers:
        assert repr(answer).startswith(f"<{type(answer).__name__}: ")
        assert len(repr(answer)) <= 300
        assert "\n" not in repr(answer)
    assert repr(WANTED) == "<Scores: 2 systems ('old', 'new') on 6 items, measure 'score'>"
    assert compare(WANTED).headline in repr(compare(WANTED))


def test_none_is_no_score() -> None:
    """Lists have None where an item was not scored, as arrays have NaN; other objects are no scores."""
    with_none = {"a": [0.2, None, 0.5, 1], "b": [0.3, 0.4, 0.9, True]}
    with_nan = {"a": [0.2, math.nan, 0.5, 1], "b": [0.3, 0.4, 0.9, 1]}
    assert compare(with_none, missing="drop") == compare(with_nan, missing="drop")
    with pytest.raises(DataError, match=r"are not numbers: found '0\.5'"):
        compare({"a": [0.2, None, "0.5"], "b": [0.3, 0.4, 0.9]})


@pytest.mark.parametrize("ask", [compare, rank])
def test_names_of_which_less_is_better_ask_back(ask: Any) -> None:
    """The name of a measure turns the verdict and says so; that of a system is noted until a flag says which way is up."""
    scores = {"old_ms": [4.0, 5.0, 6.5, 7.0], "new_ms": [3.0, 4.5, 5.0, 6.0]}
    assert ("perhaps_lower", {"name": "old_ms"}) in [(note.code, note.values) for note in ask(scores).notes]
    for said in ({"lower_is_better": True}, {"higher_is_better": True}):
        assert "perhaps_lower" not in codes(ask(scores, **said).notes)
    assert "perhaps_lower" not in codes(ask({"terms": [0.5, 0.25, 1.0], "systems": [0.0, 0.5, 0.25]}).notes)
    rows = [{"item": i, "model": m, "Latency": i + 0.5 * k} for i in range(4) for k, m in enumerate("ab")]
    named = ask(pd.DataFrame(rows))
    assert named.lower_is_better
    assert ("direction_by_name", {"name": "Latency"}) in [(note.code, note.values) for note in named.notes]
    assert not ask(pd.DataFrame(rows), higher_is_better=True).lower_is_better
    other = [{**row, "error_free_rate": row["Latency"]} for row in rows]
    assert not ask(pd.DataFrame(other).drop(columns="Latency")).lower_is_better


def test_a_second_file_is_no_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files by place: the refusal says that several files are one list, which then works."""
    monkeypatch.chdir(tmp_path)
    for name, score in (("old.csv", 0), ("new.csv", 1)):
        Path(name).write_text("item,score\n" + "".join(f"{i},{score}\n" for i in range(9)), encoding="utf-8")
    with pytest.raises(UsageError, match=r"several files are one list: \['old.csv', 'new.csv'\]"):
        compare("old.csv", "new.csv")
    assert compare(["old.csv", "new.csv"]).effect == 1.0
    with pytest.raises(TellapartError, match="no system is called 'newer'"):
        compare(["old.csv", "new.csv"], "old", "newer")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"b": "nobody"}, "no system is called 'nobody'"),
        ({"b": "new", "test": "ttest"}, "did you mean 'paired_t'"),
    ],
)
def test_a_mistake_beside_a_frame_is_said(frame: Any, options: dict[str, Any], said: str) -> None:
    """A frame is compared with nothing while a refusal is worded: it has no truth value."""
    with pytest.raises(TellapartError, match=said):
        compare(frame({"item": list(range(6)), "old": OLD, "new": NEW}), "old", **options)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: compare("scores.csv", measure="correct"), r"compare\(read\(…, measure='correct'\)\)"),  # type: ignore[call-arg]  # the mistake
        (lambda: rank("scores.csv", dataset="d"), r"rank\(read\(…, dataset='d'\)\)"),  # type: ignore[call-arg]  # the mistake
        (lambda: tellapart.audit(a=0.847), r"audit\(Claim\(…, a=0.847\)\)"),  # type: ignore[call-arg]  # the mistake
        (lambda: tellapart.plan("pilot", "scores.csv"), r"plan\(\): too many .* populations by place"),  # type: ignore[call-arg]  # the mistake
        (compare, r"compare\(\): missing .* scores and a and b by place"),
    ],
)
def test_calls_that_do_not_fit(call: Callable[[], Any], said: str) -> None:
    """What another function takes is said with that function, and a call says which verb it is."""
    with pytest.raises(TypeError, match=said):
        call()


def test_a_number_is_no_claim() -> None:
    with pytest.raises(UsageError, match=r"found 84\.7; claims are Claim objects, such as Claim\("):
        tellapart.audit(84.7)  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize("made", [np.array, list, pd.Series])
def test_arrays_without_names_lead_to_a_mapping(made: Any) -> None:
    """No number of them is shown: two arrays side by side, one alone, and a list of them."""
    first, second = made([0.125, 0.375, 0.5]), made([0.25, 0.375, 0.625])
    for given in ([first, second], [first], [[first, second]]):
        with pytest.raises(UsageError, match=r"\{'base': …, 'new': …\}") as error:
            compare(*given)
        assert "0.375" not in str(error.value)


def test_advice_on_reading_is_what_can_be_typed() -> None:
    """A verb that is given a frame has no argument for its columns: `read` has."""
    frame = pd.DataFrame({"system": list("aabb"), "item": 1, "batch": [1, 2, 1, 2], "score": [1, 2, 3, 4]})
    with pytest.raises(ComesTwice, match=r"instead: read\(…, columns=…, measure=…\)"):
        compare(frame)
    with pytest.raises(ComesTwice) as alone:
        read(frame)
    assert "read(…" not in str(alone.value)


def test_dicts_are_turned_as_files_of_them_are(tmp_path: Path) -> None:
    """`{item: {system: score}}` and `{system: {item: score}}` are one table, in Python and in a file."""
    by_system = {"old": dict(zip("abcdef", OLD, strict=True)), "new": dict(zip("abcdef", NEW, strict=True))}
    by_item = {item: {name: scores[item] for name, scores in by_system.items()} for item in "abcdef"}
    path = tmp_path / "scores.json"
    for given in (by_system, by_item):
        path.write_text(json.dumps(given))
        for source in (given, str(path)):
            answer = compare(source, "old", "new")
            assert answer.items == 6
            assert answer.effect == pytest.approx(np.mean(NEW) - np.mean(OLD))
