"""Ids that are positions: where texts say that they name other questions, every reader pairs by text or refuses."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.laws.test_logs import LOGS, items_of, random_scores, writer
from tests.laws.test_readers import case_of
from tests.readers.formats import written

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError
from tellapart.readers import FORMATS, read
from tellapart.readers.storage.origin import Memory
from tellapart.readers.tables.sides import read_sides
from tellapart.verbs.compare import compare

Write = Callable[[str, Mapping[str, str], Mapping[str, float]], str]
"""A file called so, with the question of each id and the score of each question."""

TABLES = [name for name in FORMATS if FORMATS[name].plain_table]
HAVE_NONE = {
    *(
        "swebench",
        "mteb",
        "mt_bench",
        "evalplus",
        "human_eval",
        "trec_eval",
        "ir_measures",
        "sacrebleu_segments",
    ),
    *("pytest", "pytest_evals", "py_irt"),
}
"""Formats that hold no text of their items."""
ARE_TEXTS = {"alpaca_eval", "promptfoo", "ragas", "braintrust"}
"""Formats whose items are called by their texts."""
ASK = [name for name in LOGS if name not in HAVE_NONE | ARE_TEXTS]


def test_which_formats_have_texts() -> None:
    """Every log whose files hold the texts of items hands them over."""
    found = set()
    for name in LOGS:
        content = writer(name).write("m", random_scores(name, 1))
        blocks = [*FORMATS[name]().blocks(Memory("x", "x", content))]
        found |= {name for block in blocks if "text" in block.names}
    assert found | {"helm"} == set(ASK)


@pytest.fixture(params=[*ASK, *TABLES])
def write(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    name = request.param

    def of_log(file: str, asked: Mapping[str, str], scores: Mapping[str, float]) -> str:
        monkeypatch.setattr(written, "question", asked.__getitem__)
        by_id = {item: scores[text] for item, text in asked.items()}
        path = tmp_path / file / ("x.parquet" if name == "lighteval" else "x")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(writer(name).write(file, by_id))
        if name == "helm":
            path.with_name("scenario_state.json").write_bytes(written.helm_requests(by_id))
        return str(path)

    def of_table(file: str, asked: Mapping[str, str], scores: Mapping[str, float]) -> str:
        rows = [{"item": item, "prompt": text, "score": scores[text]} for item, text in asked.items()]
        path = tmp_path / file
        path.write_bytes(case_of(name).write(rows))
        return str(path)

    return of_table if name in TABLES else of_log


QUESTIONS = [f"What is {place} plus one?" for place in range(24)]
BASE = {text: float(place % 3 > 0) for place, text in enumerate(QUESTIONS)}
NEW = {text: float(place % 4 > 0) for place, text in enumerate(QUESTIONS)}


def ids(request: pytest.FixtureRequest) -> list[str]:
    name = request.node.callspec.params["write"]
    return items_of(name, len(QUESTIONS))


def cells(scores: Scores) -> list[tuple[float, ...]]:
    return sorted(map(tuple, scores.values[:, :, 0, 0].T.tolist()))


def test_reordered(write: Write, request: pytest.FixtureRequest) -> None:
    """A copy in another order, with ids by position, gives the same pairs, the same p-value and a note, in both orders of files."""
    names = ids(request)
    base = write("base", dict(zip(names, QUESTIONS, strict=True)), BASE)
    straight = write("new", dict(zip(names, QUESTIONS, strict=True)), NEW)
    turned = write("turned", dict(zip(names, QUESTIONS[::-1], strict=True)), NEW)
    wanted, found = read([base, straight]), read([base, turned])
    assert cells(found) == cells(wanted)
    assert cells(read([turned, base])) == sorted(pair[::-1] for pair in cells(wanted))
    assert cells(read_sides(base, turned)) == cells(wanted)
    codes = [note.code for note in compare(found).notes]
    assert ("paired_by_text" in codes, "paired_by_text" in [note.code for note in compare(wanted).notes]) == (
        True,
        False,
    )
    assert compare(found).pvalue == compare(wanted).pvalue


def test_other_questions(write: Write, request: pytest.FixtureRequest) -> None:
    """Where texts do not pair the items one to one, two of them are shown; without texts, ids pair them."""
    names = ids(request)
    base = write("base", dict(zip(names, QUESTIONS, strict=True)), BASE)
    others = {f"Where is {text}": score for text, score in NEW.items()}
    other = write("other", dict(zip(names, others, strict=True)), others)
    for both in ([base, other], [other, base]):
        with pytest.raises(DataError, match=r"item .* and item .*24 items in all.*'text': 'none'") as refusal:
            read(both)
        assert json.dumps(names[0])[1:-1] in refusal.value.message
    read([base, other], columns={"text": "none", "cluster": "none"})


def test_question_is_the_item(tmp_path: Path) -> None:
    """A prompt that differs between systems refuses nothing where the question itself is the item."""
    rows = [{"question": f"q{n}", "prompt": f"Answer: q{n}", "score": n % 2} for n in range(6)]
    other = [{**row, "prompt": f"Please answer: {row['question']}"} for row in rows]
    for name, table in (("a", rows), ("b", other)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table))
    assert len(read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"]).items) == 6
