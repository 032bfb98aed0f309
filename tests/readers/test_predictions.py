"""Tables of labels and predictions, and files of texts: what is counted, and what is refused with the way out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tellapart import compare, rank, read
from tellapart.foundation.errors import DataError, TellapartError, UsageError

Write = Callable[..., str]

ROWS = [
    ("i1", "yes", "yes", "no"),
    ("i2", "no", "no", "no"),
    ("i3", "yes", "no", "yes"),
    ("i4", "no", "yes", "no"),
]


def table(rows: list[tuple[str, str, str, str]]) -> str:
    lines = [
        f"{system},{row[0]},{row[1]},{row[2 + place]}" for place, system in enumerate(("old", "new")) for row in rows
    ]
    return "\n".join(["system,item,label,prediction", *lines]) + "\n"


def told(source: object, **options: Any) -> str:
    with pytest.raises(TellapartError) as error:
        read(source, **options)
    return error.value.message_for("command line")


def test_accuracy_is_right_or_wrong(file: Write) -> None:
    """A mean of rights, so that McNemar's test is chosen; balanced_accuracy is the mean of the classes' recalls."""
    scores = read(file(table(ROWS * 1)), metric="accuracy")
    answer = compare(scores)
    assert (answer.a.mean, answer.b.mean, answer.metric) == (0.5, 0.75, "accuracy")
    assert answer.test.startswith("mcnemar")
    balanced = compare(read(file(table(ROWS)), metric="balanced_accuracy"))
    assert balanced.a.details == {"no": {"recall": 0.5, "support": 2}, "yes": {"recall": 0.5, "support": 2}}


def test_scores_know_what_they_were_counted_for(file: Write) -> None:
    """A verb takes the metric of the scores; another counting is refused."""
    scores = read(file(table(ROWS)), metric="f1(average=macro)")
    assert compare(scores).metric == "f1(average=macro)"
    assert compare(scores, metric="recall(average=weighted)").metric == "recall(average=weighted)"
    assert rank(scores).metric_signature is None
    with pytest.raises(
        UsageError, match=r"counted for f1\(average=macro\), and f1 counts otherwise; read the files again"
    ):
        compare(scores, metric="f1")


def test_a_blank_prediction_is_missing_and_never_wrong(file: Write) -> None:
    path = file(table([*ROWS, ("i5", "yes", "", "yes")]))
    with pytest.raises(DataError, match="system 'old' lacks 1 of 5 items"):
        compare(read(path, metric="f1"))
    assert compare(read(path, metric="f1"), missing="drop").items == 4


def test_labels_that_cannot_be_counted(file: Write) -> None:
    """Two labels of one item, a blank one, no positive class, more than two classes."""
    text = table(ROWS)
    assert told(file(text.replace("new,i2,no", "new,i2,yes")), metric="f1").endswith(
        "line 7: item 'i2' has the label 'yes', and 'no' in "
        + file(text.replace("new,i2,no", "new,i2,yes"))
        + ", line 3; an item has one "
        "label. Correct one of them"
    )
    assert "line 3: found a blank; wanted the item's label" in told(file(text.replace(",i2,no", ",i2,")), metric="f1")
    assert "name it: --metric 'f1(positive=" in told(
        file(text.replace("yes", "cat").replace("no", "dog")), metric="f1"
    ).replace('"', "'")
    three = table([*ROWS, ("i5", "maybe", "no", "no")])
    assert "Average over them: f1(average=macro), f1(average=weighted), f1(average=micro)" in told(
        file(three), metric="f1"
    )
    assert "no label is 'ja'; the labels are 'no', 'yes'" in told(file(text), metric="f1(positive=ja)")


def test_columns_of_other_names_and_counts_by_class(file: Write) -> None:
    """Columns may be named, or be the counts themselves, and answer the same."""
    first = compare(read(file(table(ROWS)), metric="f1(average=macro)"))
    renamed = file(table(ROWS).replace("label,prediction", "wanted,said"))
    named = compare(read(renamed, metric="f1(average=macro)", columns={"label": "wanted", "prediction": "said"}))
    lines = ["system,item,tp[no],fp[no],fn[no],tp[yes],fp[yes],fn[yes]"]
    for place, system in enumerate(("old", "new")):
        for item, label, *said in ROWS:
            counts = [
                int(x)
                for name in ("no", "yes")
                for x in (
                    label == name == said[place],
                    label != name == said[place],
                    label == name != said[place],
                )
            ]
            lines.append(",".join(map(str, [system, item, *counts])))
    counted = compare(read(file("\n".join(lines) + "\n"), metric="f1(average=macro)"))
    for other in (named, counted):
        assert (other.a.mean, other.b.mean, other.a.details) == (first.a.mean, first.b.mean, first.a.details)


@pytest.fixture
def texts(tmp_path: Path) -> Callable[..., str]:
    def write(name: str, *lines: str) -> str:
        path = tmp_path / f"{name}.txt"
        path.write_bytes("".join(f"{line}\n" for line in lines).encode())
        return str(path)

    return write


def test_text_files(texts: Write) -> None:
    """Lines are items, split at line feeds alone; documents are clusters; more than one reference may be given."""
    pytest.importorskip("sacrebleu")
    a, b = (
        texts("a", "the cat\x85 sat \t", "a dog ran home", "so it is"),
        texts("b", "the cat sat", "", "so it is not ."),
    )
    reference, other = (
        texts("ref", "the cat sat", "a dog ran home", "so it is"),
        texts("more", "cat", "dog", "it is"),
    )
    scores = read([a, b], metric="bleu", references=[reference, other], documents=texts("docs", "x", "x", "y"))
    assert [name for _, name in scores.items] == ["1", "2", "3"]
    assert scores.clusters is not None
    assert scores.clusters.tolist() == [0, 0, 1]
    assert scores.counted is not None
    assert str(scores.counted.signature).startswith("nrefs:2|")
    assert [(one.code, one.system) for one in scores.remarks] == [
        ("empty_hypotheses", "b"),
        ("looks_tokenised", "b"),
    ]
    assert compare(read([a, b], metric="ter", references=reference)).lower_is_better


def test_text_files_that_cannot_be_counted(texts: Write) -> None:
    """Line counts that differ name both files; metrics and flags that do not go together say so."""
    pytest.importorskip("sacrebleu")
    a, b, short = texts("a", "x", "y"), texts("b", "x", "z"), texts("short", "x")
    assert told([a, b], metric="bleu", references=short).startswith(
        f"{a} has 2 lines and {short} has 1; wanted as many in both"
    )
    assert "name one with --metric: bleu" in told([a, b], references=short)
    assert "--reference is for metrics of texts, and f1 is none" in told([a, b], metric="f1", references=b)
    assert "--documents says which lines of text files belong together" in told([a, b], metric="bleu", documents=b)
    with pytest.raises(UsageError, match="was given, but higher bleu is better"):
        compare(read([a, b], metric="bleu", references=a), lower_is_better=True)


def test_without_references_a_table_is_wanted(texts: Write) -> None:
    """Two texts and no reference: the refusal says what is lacking."""
    assert "--reference" in told([texts("a", "so it goes", "on"), texts("b", "so it went", "off")], metric="bleu")
