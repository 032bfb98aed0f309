"""Ways to `compare --human`: from agreement, from descriptions, from a judge's scores alone, and from logs that hold both."""

import io
import json
import os
import shlex
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.verbs.compare.test_judge_with_human_labels import Row, drawn, same, written

from tellapart import compare, rank, read
from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ItemMismatch, ReadError, TooFew
from tellapart.verbs.describe import describe

LABELS, ITEMS = 40, 120


@pytest.fixture
def judged(tmp_path: Path) -> str:
    return written(tmp_path / "judged.csv", drawn())


def commands(text: str) -> list[str]:
    """The commands of tellapart that a text prints, each on a line of its own."""
    return [line.strip(" •") for line in text.splitlines() if line.strip(" •").startswith("tellapart ")]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as done:
        main(list(words))
    out, err = capsys.readouterr()
    assert done.value.code == 0, err
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as done:
        main(list(words))
    assert done.value.code
    return capsys.readouterr().err


def answers(capsys: pytest.CaptureFixture[str], command: str) -> bool:
    """Whether a command that was printed answers when it is typed; the text of the answer says that labels corrected a judge."""
    return "labels and judge" in printed(capsys, *shlex.split(command)[1:])


@pytest.mark.parametrize("verb", ["rank", "score", "agreement", "compare"])
@pytest.mark.parametrize("wide", [True, False])
def test_a_judge_beside_people_leads_to_compare(
    verb: str, wide: bool, judged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if wide:
        by_item: dict[str, Row] = {}
        for row in drawn():
            cells = by_item.setdefault(row["item"], {"item": row["item"]})
            cells |= {f"{row['system']}_{name}": row[name] for name in ("judge", "human")}
        judged = written(tmp_path / "wide.csv", list(by_item.values()))
    tried = [one for one in commands(refused(capsys, verb, judged)) if one.startswith("tellapart compare")]
    assert any("--human" in one and answers(capsys, one) for one in tried)


def test_a_judge_alone_is_told_of_people_beside_it(judged: str) -> None:
    for answer in (rank(read(judged, measure="judge")), compare(read(judged, measure="judge"))):
        (note,) = [one for one in answer.notes if one.code == "judge_alone"]
        assert note.values == {"judge": "judge", "human": "human"}
    assert "judge_alone" not in codes(rank(read(judged, measure="human"), missing="drop").notes)
    assert "judge_alone" not in codes(compare(judged, human="human").notes)


def test_rank_names_the_verb_that_corrects(judged: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "`tellapart compare` has --human" in refused(capsys, "rank", judged, "--human", "human")


def test_a_label_that_comes_twice_is_not_taken_for_one_of_another_rater(tmp_path: Path) -> None:
    path = written(tmp_path / "twice.csv", [*drawn(), drawn()[0]])
    with pytest.raises(DataError, match="it comes twice") as error:
        compare(path, human="human", judge="judge")
    assert "rater" not in error.value.message


def test_describe_suggests_what_answers(judged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = describe(judged).commands[0]
    assert "--human human" in first
    assert answers(capsys, first)
    few = written(tmp_path / "few.csv", drawn(labels=12))
    assert not any("--human" in one for one in describe(few).commands)


def ratings(path: Path, items: int, systems: tuple[str, ...] = ("base", "new")) -> str:
    """A judge called gpt judge rates all, ann and ben some."""
    rng = np.random.default_rng(3)
    table = []
    for i in range(150):
        for system in systems:
            truth = rng.normal(3.0, 1.0)
            table.append(
                {
                    "system": system,
                    "item": f"q{i}",
                    "rater": "gpt judge",
                    "rating": max(1, round(truth + rng.normal(0.0, 0.5))),
                }
            )
            table += [
                {"system": system, "item": f"q{i}", "rater": who, "rating": max(1, round(truth + rng.normal(0.0, 0.3)))}
                for who in ("ann", "ben")
                if i < items
            ]
    return written(path, table)


@pytest.mark.parametrize("systems", [("base", "new"), ("base", "new", "other")])
def test_agreement_with_people_leads_to_compare(
    systems: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = ("--reference-raters", "ann", "--reference-raters", "ben")
    path = ratings(tmp_path / "r.csv", 50, systems)
    (step,) = [one for one in commands(printed(capsys, "agreement", path, *people)) if "--human" in one]
    assert ("-a" in shlex.split(step)) == (len(systems) > 2)
    assert answers(capsys, step)
    few = ratings(tmp_path / "few.csv", 15, systems)
    assert not any("--human" in one for one in commands(printed(capsys, "agreement", few, *people)))


def test_raters_as_judge_and_people_are_columns_of_their_means(tmp_path: Path) -> None:
    """The same numbers as of a table that has the mean of two people beside the judge."""
    path = ratings(tmp_path / "r.csv", 50)
    found = compare(path, judge="gpt judge", human="ann,ben", missing="drop")
    table: dict[tuple[str, str], dict[str, list[float]]] = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines()[1:]:
        system, item, rater, rating = line.split(",")
        kind = "judge" if rater == "gpt judge" else "human"
        table.setdefault((system, item), {"judge": [], "human": []})[kind].append(float(rating))
    means = [
        {"system": system, "item": item, **{kind: sum(said) / len(said) if said else "" for kind, said in by.items()}}
        for (system, item), by in table.items()
    ]
    assert same(found, compare(written(tmp_path / "m.csv", means), human="human", judge="judge"))
    assert "people_averaged" in codes(found.notes)
    with pytest.raises(ItemMismatch, match="without a judge's score"):
        compare(ratings(tmp_path / "few.csv", 50), judge="ann", human="gpt judge")
    with pytest.raises(TooFew, match=r"Label more\Z"):
        compare(ratings(tmp_path / "few.csv", 15), judge="gpt judge", human="ann")
    with pytest.raises(ReadError, match="no column of scores is called"):
        compare(path, judge="gpt judge", human="ann,zoe")


@pytest.mark.parametrize("verb", [("compare",), ("plan", "judged", "--effect", "0.3")])
def test_standard_input_is_read_once_for_both_scores(
    verb: tuple[str, ...], judged: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = ["--human", "human", "--judge", "judge", "--format", "json"]
    told = json.loads(printed(capsys, *verb, judged, *both))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(judged).read_bytes())))
    piped = json.loads(printed(capsys, *verb, "-", *both))
    assert (told["sentence"], told["signature"]) == (piped["sentence"], piped["signature"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_read_once_for_both_scores(judged: str, tmp_path: Path) -> None:
    """Also in Python; what a second writer puts into it later is another file."""
    fifo = tmp_path / "piped"
    os.mkfifo(fifo)
    for _ in range(2):
        writer = threading.Thread(target=fifo.write_bytes, args=(Path(judged).read_bytes(),))
        writer.start()
        assert same(compare(str(fifo), human="human", judge="judge"), compare(judged, human="human", judge="judge"))
        writer.join()


# Logs that hold both.


def verdicts() -> list[tuple[int, str, int, int | None]]:
    """Item, system, what the judge said, and what people did on the first items."""
    rng = np.random.default_rng(7)
    found = []
    for i in range(ITEMS):
        for system, share in (("base", 0.5), ("new", 0.7)):
            human = int(rng.random() < share)
            judge = human if rng.random() < 0.85 else 1 - human
            found.append((i, system, judge, human if i < LABELS else None))
    return found


def as_inspect(folder: Path) -> list[str]:
    """Two scorers: a model grades all samples, an expert some."""
    files = []
    for name in ("base", "new"):
        samples = [
            {"id": f"q{i}", "epoch": 1, "input": f"question {i}", "metadata": {},
             "scores": {"model_graded_qa": {"value": "C" if judge else "I"}}
             | ({} if human is None else {"expert": {"value": human}})}
            for i, system, judge, human in verdicts() if system == name
        ]  # fmt: skip
        about = {"task": "t", "model": name, "dataset": {"name": "d"}, "config": {}, "scorers": [{"name": "expert"}]}
        log = {"version": 2, "status": "success", "eval": about, "plan": {}, "samples": samples}
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(log), encoding="utf-8")
    return list(map(str, files))


def as_promptfoo(folder: Path, *, original: bool = False) -> list[str]:
    """A manual rating overwrites success and score; later releases keep what they were before."""
    rows = []
    for i, system, judge, human in verdicts():
        said = {"pass": bool(judge), "score": judge, "assertion": {"type": "llm-rubric"}}
        by_people = {"pass": bool(human), "score": human, "assertion": {"type": "human"}}
        shown = judge if human is None else human
        kept = {"manualRating": {"version": 1, "original": {"success": bool(judge), "score": judge}}}
        parts = [said] if human is None else [by_people] if original else [said, by_people]
        rows.append(
            {"promptIdx": 0, "provider": {"id": system, "label": system}, "prompt": {"label": "P"}, "testIdx": i,
             "vars": {"q": f"q{i}"}, "success": bool(shown), "score": shown, "namedScores": {}, "failureReason": 1 - shown,
             "metadata": kept if original and human is not None else {}, "gradingResult": {"componentResults": parts}}
        )  # fmt: skip
    file = folder / "promptfoo.json"
    file.write_text(
        json.dumps({"evalId": "e", "results": {"version": 3, "prompts": [], "results": rows}, "config": {}})
    )
    return [str(file)]


def as_promptfoo_with_originals(folder: Path) -> list[str]:
    return as_promptfoo(folder, original=True)


def as_argilla(folder: Path) -> list[str]:
    """Records as `to_json` writes them: suggestions of a model, responses of people, one of them a draft."""
    records = [
        {"id": f"{n}", "fields": {"prompt": f"q{i}", "response": "x"}, "metadata": {"model": system, "topic": "t"},
         "suggestions": {"correct": {"value": judge, "score": None, "agent": "gpt"}}, "vectors": {},
         "responses": {} if human is None else {"correct": [
             {"value": human, "user_id": "u1"}, {"value": 1 - human, "user_id": "u2", "status": "draft"}]}}
        for n, (i, system, judge, human) in enumerate(verdicts())
    ]  # fmt: skip
    file = folder / "argilla.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return [str(file)]


def as_label_studio(folder: Path) -> list[str]:
    """Tasks with predictions of a model and annotations of people, one of them cancelled."""

    def result(value: int) -> list[dict[str, Any]]:
        return [
            {
                "from_name": "correct",
                "to_name": "text",
                "type": "choices",
                "value": {"choices": ["yes" if value else "no"]},
            }
        ]

    tasks = [
        {"id": n, "data": {"prompt": f"q{i}", "model": system}, "project": 1,
         "annotations": [] if human is None else [
             {"completed_by": 3, "was_cancelled": False, "result": result(human)},
             {"completed_by": {"id": 4, "email": "x"}, "was_cancelled": True, "result": result(1 - human)}],
         "predictions": [{"model_version": "m1", "result": result(judge)}]}
        for n, (i, system, judge, human) in enumerate(verdicts())
    ]  # fmt: skip
    file = folder / "tasks.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return [str(file)]


@pytest.mark.parametrize("write", [as_inspect, as_promptfoo, as_promptfoo_with_originals, as_argilla, as_label_studio])
def test_logs_hand_both_over(write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer is that of a plain table, and `describe` prints the command that gives it."""
    table = [
        {"system": system, "item": f"q{i}", "judge": judge, "human": "" if human is None else human}
        for i, system, judge, human in verdicts()
    ]
    plain = compare(written(tmp_path / "t.csv", table), human="human", judge="judge")
    files = write(tmp_path)
    command = next(one for one in describe(files).commands if "--human" in one)
    assert answers(capsys, command)
    words = shlex.split(command)
    human, judge = (words[words.index(flag) + 1] for flag in ("--human", "--judge"))
    for found in (compare(files, human=human, judge=judge), compare(files, human=human)):
        assert (found.effect, found.pvalue) == pytest.approx((plain.effect, plain.pvalue))
        assert found.judged is not None
        assert (found.judged.labels, found.judged.judged) == (LABELS, ITEMS)


def test_questions_of_annotators_are_measures_of_their_own(tmp_path: Path) -> None:
    record = {
        "id": "1", "fields": {"prompt": "p"}, "metadata": {"model": "m", "item_id": "i1"},
        "suggestions": {"tone": {"value": 3, "agent": "g"}, "facts": {"value": 4, "agent": "g"}},
        "responses": {"tone": [{"value": 5, "user_id": "u"}]},
    }  # fmt: skip
    file = tmp_path / "a.json"
    file.write_text(json.dumps([record, record | {"id": "2", "metadata": {"model": "n", "item_id": "i1"}}]))
    found = read(str(file), measure="tone/human")
    assert isinstance(found, Scores)
    assert (found.systems, found.items) == (("m", "n"), ((("", "i1"),)))
    assert sorted(one.name for one in describe(str(file)).measures) == ["facts/judge", "tone/human", "tone/judge"]
