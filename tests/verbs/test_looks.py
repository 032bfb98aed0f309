"""Comparisons and gates at planned looks: levels, p-values and intervals over all looks, the record, and refusals."""

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, plan
from tellapart.answers.comparison import Comparison, Sequential
from tellapart.foundation.errors import ReadError, TellapartError, Unsuitable, UsageError
from tellapart.verbs.gate import GateQuestion, gated

BINARY = "paired_binary(accuracy=0.7, discordance=0.1, effect=0.02)"


@pytest.fixture
def design(tmp_path: Path) -> str:
    file = tmp_path / "plan.json"
    plan(BINARY, looks=3, save=str(file))
    return str(file)


def scores(items: int, wins: int, losses: int) -> Scores:
    """Right or wrong: only B, only A, and half of the others both."""
    kinds = np.repeat([0, 1, 2, 3], [wins, losses, (items - wins - losses) // 2, 0])
    kinds = np.append(kinds, np.full(items - len(kinds), 3))
    return Scores.from_arrays({"base": np.isin(kinds, [1, 2]) * 1.0, "new": np.isin(kinds, [0, 2]) * 1.0})


def draws(items: int) -> Scores:
    rng = np.random.default_rng(5)
    base, lift = rng.random(4000) < 0.7, rng.random(4000)
    new = np.where(base, lift > 0.05, lift < 0.2)
    return Scores.from_arrays({"base": base[:items] * 1.0, "new": new[:items] * 1.0})


def at_look(answer: Comparison) -> Sequential:
    assert answer.sequential is not None
    return answer.sequential


def test_the_worked_example(design: str, tmp_path: Path) -> None:
    """86 items only B got right and 46 only A, at the second look: the numbers of the specification."""
    record = str(tmp_path / "looks.jsonl")
    # Look 1 saw half of them; the items are numbered, so that the first look is the beginning of the second.
    rows = np.random.default_rng(1).permutation(1316)
    whole = scores(1316, 86, 46)
    values = {name: whole.values[whole.system(name), :, 0, 0][rows] for name in whole.systems}
    first = compare(Scores.from_arrays({name: x[:658] for name, x in values.items()}), plan=design, record=record)
    assert at_look(first).next_items == 1316
    answer = compare(Scores.from_arrays(values), plan=design, record=record)
    found = at_look(answer)
    assert answer.verdict == "b better"
    assert answer.pvalue == pytest.approx(0.0054, abs=5e-5)
    assert (answer.interval.low, answer.interval.high) == pytest.approx((0.009, 0.053), abs=6e-4)
    assert answer.interval.level == answer.alpha * -1.0 + 1.0
    assert found.pvalue_alone == pytest.approx(0.00048, abs=5e-6)
    assert found.nominal == pytest.approx(0.012024, abs=1e-6)
    assert (found.kind, found.stop, found.look, found.looks, found.next_items) == ("looks", True, 2, 3, 1974)
    assert answer.plan is not None
    assert answer.plan.as_planned


def test_undetermined_until_the_last_look(design: str, tmp_path: Path) -> None:
    record = str(tmp_path / "looks.jsonl")
    stops = []
    for items in (658, 1316, 1974):
        answer = compare(draws(4000).only(np.arange(4000) < items), plan=design, record=record)
        stops.append((answer.verdict, at_look(answer).stop))
    assert len(Path(record).read_text().splitlines()) == 3
    assert stops[-1][1]
    with pytest.raises(UsageError, match="new plan"):
        compare(draws(2500), plan=design, record=record)


def test_the_same_scores_are_no_new_look(design: str, tmp_path: Path) -> None:
    record = tmp_path / "looks.jsonl"
    first = compare(draws(658), plan=design, record=str(record))
    kept = record.read_bytes()
    assert compare(draws(658), plan=design, record=str(record)) == first
    assert record.read_bytes() == kept


@pytest.mark.parametrize("items", [100, 328, 668, 900, 986])
def test_nothing_is_answered_between_looks(design: str, tmp_path: Path, items: int) -> None:
    record = str(tmp_path / "looks.jsonl")
    if items > 658:
        compare(draws(658), plan=design, record=record)
    with pytest.raises(UsageError, match="between two looks"):
        compare(draws(items), plan=design, record=record)


def test_another_number_of_items_moves_the_boundary(design: str, tmp_path: Path) -> None:
    record = str(tmp_path / "looks.jsonl")
    compare(draws(700), plan=design, record=record)
    answer = compare(draws(1300), plan=design, record=record)
    assert at_look(answer).information == pytest.approx(1300 / 1974)
    assert answer.plan is not None
    assert [(one.what, one.planned, one.found, one.matters) for one in answer.plan.deviations] == [
        ("items at look 2", 1316, 1300, False)
    ]
    late = compare(draws(2100), plan=design, record=record)
    assert at_look(late).information == 1.0
    assert late.plan is not None
    assert late.plan.deviations[0].matters


def test_changed_scores_are_named(design: str, tmp_path: Path) -> None:
    record = str(tmp_path / "looks.jsonl")
    compare(draws(658), plan=design, record=record)
    values = {name: draws(1316).values[i, :, 0, 0].copy() for i, name in enumerate(("base", "new"))}
    values["new"][[3, 50, 600]] = 1.0 - values["new"][[3, 50, 600]]
    answer = compare(Scores.from_arrays(values), plan=design, record=record)
    assert answer.plan is not None
    assert [(one.what, one.found, one.matters) for one in answer.plan.deviations] == [("changed items", 3, True)]


def test_what_came_after_a_stop_informs(design: str, tmp_path: Path) -> None:
    record, found = str(tmp_path / "looks.jsonl"), []
    for items in (658, 1316, 1974):
        rng = np.random.default_rng(2)
        base = rng.random(1974) < 0.5
        new = base | (rng.random(1974) < 0.3)
        answer = compare(
            Scores.from_arrays({"a": base[:items] * 1.0, "b": new[:items] * 1.0}), plan=design, record=record
        )
        found.append({note.code for note in answer.notes} & {"stopped_before", "early_estimate"})
    assert found == [{"early_estimate"}, {"stopped_before"}, {"stopped_before"}]


def test_without_a_record_only_the_first_and_the_last_look(design: str) -> None:
    assert at_look(compare(draws(658), plan=design)).look == 1
    assert at_look(compare(draws(1974), plan=design)).look == 3
    with pytest.raises(UsageError, match="record"):
        compare(draws(1316), plan=design)


def test_the_first_look_chooses_the_test(tmp_path: Path) -> None:
    file, record = str(tmp_path / "plan.json"), str(tmp_path / "looks.jsonl")
    plan("gaussian(sd=0.3, correlation=0.5, effect=0.05)", looks=2, replicates=200, save=file)
    rng = np.random.default_rng(3)
    base = rng.normal(size=600)
    skewed = base + rng.exponential(0.2, 600) ** 2
    items = json.loads(Path(file).read_text())["items_at_looks"]
    answers = [
        compare(
            Scores.from_arrays(
                {"a": base[:n], "b": (base + 0.01 * rng.normal(size=600))[:n] if n == items[0] else skewed[:n]}
            ),
            plan=file,
            record=record,
        )
        for n in items
    ]
    assert answers[0].test == answers[1].test


def test_p_at_most_alpha_where_the_interval_excludes_zero(tmp_path: Path) -> None:
    """Student's t and its interval are one decision, at every look."""
    file = str(tmp_path / "plan.json")
    plan(
        "gaussian(sd=1, correlation=0.5, effect=0.2)",
        looks=4,
        test="paired_t",
        spending="pocock",
        replicates=200,
        save=file,
    )
    items = json.loads(Path(file).read_text())["items_at_looks"]
    rng = np.random.default_rng(0)
    for repeat in range(4):
        record = str(tmp_path / f"{repeat}.jsonl")
        base, new = rng.normal(size=(2, items[-1])) + np.array([[0.0], [0.2]])
        for n in items:
            answer = compare(Scores.from_arrays({"a": base[:n], "b": new[:n]}), plan=file, record=record)
            apart = not answer.interval.low <= 0.0 <= answer.interval.high
            assert (answer.pvalue <= answer.alpha) == apart
            assert (answer.pvalue <= answer.alpha) == (at_look(answer).pvalue_alone <= at_look(answer).nominal)  # type: ignore[operator]


def test_swapped_systems_mirror(design: str, tmp_path: Path) -> None:
    forth = compare(draws(658), plan=design, a="base", b="new")
    back = compare(draws(658), plan=design, a="new", b="base")
    assert back.pvalue == forth.pvalue
    assert (back.interval.low, back.interval.high) == pytest.approx((-forth.interval.high, -forth.interval.low))


def test_a_gate_at_a_look(design: str, tmp_path: Path) -> None:
    record = str(tmp_path / "looks.jsonl")
    question: Any = GateQuestion(margin=0.03, plan=design, record=record).as_planned(["margin", "record"])
    first = gated(scores(658, 37, 23), question)
    assert first.verdict == "pass"
    assert first.level == 0.95
    assert first.checks[0].not_worse_pvalue == pytest.approx(0.0143, abs=1e-3)
    assert at_look(first.comparison).stop
    assert json.loads(Path(record).read_text())["verdict"] == "pass"
    worse = gated(scores(658, 20, 80), GateQuestion(margin=0.03, plan=design).as_planned(["margin"]))
    assert worse.verdict == "fail"
    assert worse.checks[0].pvalue <= 2.0 * worse.alpha


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"anytime": True}, UsageError, "needs no plan"),
        ({"slices": ("topic",)}, TellapartError, "slice"),
    ],
)
def test_refused_beside_looks(design: str, options: dict[str, Any], error: type[TellapartError], message: str) -> None:
    with pytest.raises(error, match=message):
        compare(draws(658), plan=design, **options)


def test_a_record_needs_looks(tmp_path: Path) -> None:
    file = str(tmp_path / "plan.json")
    plan(BINARY, save=file)
    cases: list[dict[str, Any]] = [{"plan": file}, {}]
    for options in cases:
        with pytest.raises(UsageError, match="remembers planned looks"):
            compare(draws(658), record=str(tmp_path / "looks.jsonl"), **options)
        asked: Any = GateQuestion(margin=0.1, record=str(tmp_path / "looks.jsonl"), **options)
        with pytest.raises(UsageError, match="remembers planned looks"):
            gated(draws(658), asked.as_planned(["margin"]))


def test_seeds_are_refused(design: str) -> None:
    rows = [
        {"item": str(i), "system": name, "seed": seed, "score": float(i % 2)}
        for i in range(658)
        for name in ("a", "b")
        for seed in (0, 1)
    ]
    path = Path(design).with_name("seeds.csv")
    path.write_text(
        "item,system,seed,score\n" + "".join(f"{r['item']},{r['system']},{r['seed']},{r['score']}\n" for r in rows)
    )
    with pytest.raises(Unsuitable, match="seeds"):
        compare(str(path), plan=design)


def test_ratings_are_refused(design: str) -> None:
    path = Path(design).with_name("ratings.csv")
    lines = [f"{i},{s},{r},{(i + r) % 5}\n" for i in range(30) for s in ("a", "b") for r in range(3)]
    path.write_text("item,system,rater,score\n" + "".join(lines))
    with pytest.raises(Unsuitable, match="ratings"):
        compare(str(path), plan=design)


BROKEN = {
    "cut short": lambda text: text[:-20],
    "no look": lambda text: text + "{}\n",
    "changed after it was written": lambda text: text.replace('"look": 1', '"look": "1"'),
    "another plan": lambda text: text.replace('"plan": "sha256:', '"plan": "sha256:0'),
    "compared": lambda text: text.replace('"a": "base"', '"a": "other"'),
    "one before it is gone": lambda text: text + text,
    "this version reads": lambda text: text.replace("tellapart/look/1", "tellapart/look/2"),
}
CHANGED = {
    "look": 7,
    "items": 5,
    "made": "yesterday",
    "nominal": 0.5,
    "pvalue": float("nan"),
    "verdict": "b better",
    "test": "paired_t",
    "seen": "zz",
    "fingerprint": "",
    "signature": "",
}
"""What somebody may write into a look."""


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_record_is_refused_and_left_alone(design: str, tmp_path: Path, message: str) -> None:
    record = tmp_path / "looks.jsonl"
    compare(draws(658), plan=design, record=str(record))
    broken = BROKEN[message](record.read_text())
    record.write_text(broken)
    with pytest.raises(ReadError, match=message):
        compare(draws(1316), plan=design, record=str(record))
    assert record.read_text() == broken


@pytest.mark.parametrize("field", CHANGED)
def test_a_changed_look_is_refused(design: str, tmp_path: Path, field: str) -> None:
    """Whatever was changed, and whether or not it makes sense."""
    record = tmp_path / "looks.jsonl"
    compare(draws(658), plan=design, record=str(record))
    found = json.loads(record.read_text())
    record.write_text(json.dumps(found | {field: CHANGED[field]}) + "\n")
    with pytest.raises(ReadError, match="was changed after it was written"):
        compare(draws(1316), plan=design, record=str(record))


def test_a_look_that_is_gone_is_missed(design: str, tmp_path: Path) -> None:
    record = tmp_path / "looks.jsonl"
    for items in (658, 1316):
        compare(draws(items), plan=design, record=str(record))
    record.write_text(record.read_text().splitlines(keepends=True)[1])
    with pytest.raises(ReadError, match="one before it is gone"):
        compare(draws(1974), plan=design, record=str(record))


def killed_while_it_works(work: Callable[[], None], written: Path, after: float) -> None:
    """In a process of its own, which ends so many seconds after it first wrote this file, in the middle of whatever it does then."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            while True:
                work()
        os._exit(1)
    end = time.monotonic() + 60.0
    while not written.exists() and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kills", [10, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_a_record_survives_being_killed(design: str, tmp_path: Path, kills: int) -> None:
    """Whole looks or none: what stands in the file can always be gone on from."""
    record, chance = tmp_path / "looks.jsonl", np.random.default_rng(0)
    given, counts = [draws(items) for items in (658, 1316, 1974)], []
    whole = [compare(scores, plan=design, record=str(record)) for scores in given]

    def work() -> None:
        record.unlink(missing_ok=True)
        for scores in given:
            compare(scores, plan=design, record=str(record))

    for _ in range(kills):
        record.unlink(missing_ok=True)
        killed_while_it_works(work, record, float(chance.uniform(0.0, 0.3)))
        text = record.read_text() if record.exists() else ""
        counts.append(text.count("\n"))
        assert [json.loads(line)["look"] for line in text.splitlines()] == list(range(1, counts[-1] + 1))
        rest = [compare(scores, plan=design, record=str(record)) for scores in given[max(counts[-1] - 1, 0) :]]
        assert rest == whole[-len(rest) :]
    assert len(set(counts)) > 1
