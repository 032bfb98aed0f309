"""What an answer advises to type is a command that answers, about the files that were compared and as they were read."""

import json
import os
import re
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import compare
from tellapart.cli import main
from tellapart.results.note import codes
from tellapart.scores import Scores

Ask = Callable[..., tuple[int, str, str]]
ADVISED = re.compile(r"`?(tellapart plan)`? ([^`…]*)$")
FEW_REPLICATES = ("--replicates", "200")
ASKING = "--test", "permutation"
"""A test whose plan only simulation answers: t tests have formulas, and of a bootstrap its own resamples tell."""


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    monkeypatch.chdir(tmp_path)

    def asked(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(list(words))
        captured = capsys.readouterr()
        return int(str(left.value.code)), captured.out, captured.err

    return asked


def texts(found: Any) -> Iterator[str]:
    """Every text of an answer, however deep."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for one in found.values() if isinstance(found, dict) else found:
            yield from texts(one)


def advised(answer: str) -> list[list[str]]:
    """The commands that stand in a JSON answer, in words behind the program's name."""
    matches = filter(None, map(ADVISED.search, texts(json.loads(answer))))
    return [["plan", *shlex.split(match[2])] for match in matches]


def table(name: str, columns: str, rows: Iterable[Iterable[object]]) -> str:
    Path(name).write_text("\n".join([columns, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return name


def two_systems(name: str, differences: np.ndarray[Any, Any], *more: np.ndarray[Any, Any]) -> str:
    """A table of A and B, of a name with a blank, whose items differ by so much; what else is known of an item stands behind its score."""
    base = np.random.default_rng(len(differences)).random(len(differences)).round(2)
    rows = (
        (item, system, round(score, 4), *(column[item] for column in more))
        for item in range(len(differences))
        for system, score in (("A", base[item]), ("B", base[item] + differences[item]))
    )
    return table(f"{name} scores.csv", "item,system,score" + ",doc" * len(more), rows)


def answers(ask: Ask, *words: str, naming: str = "") -> int:
    """How many commands an answer advises that name this, all of which answer."""
    code, out, err = ask(*words, "--format", "json")
    assert code == 0, err
    found = [command for command in advised(out) if naming in command[-1]]
    for command in found:
        replicates = FEW_REPLICATES if command[1] == "pilot" else ()
        code, _, err = ask(*command, *replicates, "--format", "json")
        assert (code, command) == (0, command), err
    return len(found)


@pytest.mark.parametrize("items", [5, 6, 7, 9, 12])
def test_few_items(ask: Ask, items: int) -> None:
    """Evenly scattered, on a grid with ties, all on one side, the same with a tie, and skewed: 6 items on one side were told to ask a plan that refused."""
    rng = np.random.default_rng(items)
    aside = np.abs(rng.normal(0.1, 0.1, items)) + 0.01
    laws = rng.normal(0.1, 0.2, items), rng.normal(0.1, 0.1, items).round(1), aside, np.append(aside, 0.0), rng.exponential(0.3, items) - 0.1  # fmt: skip
    found = [
        answers(ask, "compare", two_systems("few", law), *named)
        for law in laws
        for named in ((), ASKING, ("--test", "wilcoxon"))
    ]
    assert items == 5 or sum(found) > 0


@pytest.mark.parametrize(
    "more",
    [("--effect", "0.1"), ("--effect", "3"), ("--test", "bootstrap"), ("--test", "permutation(alternative=less)", "--effect", "0.1"), ("--test", "wilcoxon", "--alpha", "0.1"), ("--test", "sign")],
    ids=" ".join,
)  # fmt: skip
def test_named_tests_and_effects(ask: Ask, more: tuple[str, ...]) -> None:
    rng = np.random.default_rng(9)
    for items in (6, 9):
        answers(ask, "compare", two_systems("named", rng.normal(-0.1, 0.2, items)), *more)


def test_clusters_are_named_in_the_command(ask: Ask) -> None:
    """The plan of a cluster test knows which items belong together, as the comparison did."""
    rng = np.random.default_rng(2)
    for flag in (("--cluster", "doc"), ("--column", "cluster=doc")):
        file = two_systems("clustered", rng.normal(0.1, 0.25, 18), np.arange(18) % 6)
        assert answers(ask, "compare", file, *flag, "--effect", "0.1", "--test", "cluster_sign_flip") > 0


def test_systems_columns_and_missing_items_are_named_in_the_command(ask: Ask) -> None:
    rng = np.random.default_rng(3)
    rows = [(item, system, round(rng.normal(), 2)) for item in range(9) for system in ("one", "two", "it's")]
    file = table("three.csv", "question,by,worth", rows[:-1])
    said = "--a", "two", "--b", "it's", "--missing", "drop", "--column", "item=question", "--column", "system=by", "--column", "score=worth"  # fmt: skip
    assert answers(ask, "compare", file, *said, "--effect", "0.5", *ASKING) > 0


def test_right_or_wrong_and_ratings(ask: Ask) -> None:
    rng = np.random.default_rng(4)
    marks = [(item, system, rng.integers(2)) for item in range(8) for system in "AB"]
    for more in ((), ("--effect", "0.2"), ("--margin", "0.3"), ("--test", "permutation")):
        answers(ask, "compare", table("marks.csv", "item,system,score", marks), *more)
    ratings = [
        (item, rater, system, rng.integers(1, 6)) for item in range(6) for rater in "xyz" for system in "AB"
    ]
    assert answers(ask, "compare", table("ratings.csv", "item,rater,system,score", ratings), "--effect", "0.5")  # fmt: skip


def test_margins_of_a_metric_that_resampling_cannot_be_moved_to(ask: Ask) -> None:
    """The command named the test that was typed, which `plan` refuses: it names the one that judged the margin here."""
    rng = np.random.default_rng(5)
    rows = [(item, system, *rng.integers(1, 6, 3)) for item in range(12) for system in "AB"]
    file = table("parts.csv", "item,system,tp,fp,fn", rows)
    for test, advised_there in (((), 0), (("--test", "permutation"), 1), (("--test", "bootstrap"), 0)):
        found = answers(
            ask, "compare", file, "--metric", "f1", "--margin", "0.1", *test, naming="equivalence"
        )
        assert found == advised_there
    rows = [(item, system, item % 12, *rng.integers(1, 6, 3)) for item in range(36) for system in "AB"]
    file = table("clustered.csv", "item,system,doc,tp,fp,fn", rows)
    more = "--metric", "f1", "--margin", "0.1", "--cluster", "doc", "--test", "permutation"
    assert answers(ask, "compare", file, *more, naming="equivalence")


def test_margins_that_an_interval_judged(ask: Ask) -> None:
    """No test inverts Newcombe's: the command had a test of a difference without an effect, which `plan` does not take."""
    rng = np.random.default_rng(6)
    marks = [(item, *rng.integers(0, 2, 2)) for item in range(30)]
    file = table("marks.csv", "item,A,B", marks)
    assert answers(ask, "compare", file, "--margin", "0.3", "--interval", "newcombe") > 0


def test_what_came_through_a_pipe_and_what_has_groups_is_left_open(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    file = two_systems("piped", np.random.default_rng(2).normal(0.1, 0.25, 18), np.arange(18) % 2)
    out = ask("compare", file, "--effect", "0.1", *ASKING, "--by", "doc", "--format", "json")[1]
    assert all(command[2] == "FILE" for command in advised(out))
    with Path(file).open() as piped:
        monkeypatch.setattr("sys.stdin", piped)
        out = ask("compare", "-", "--effect", "0.1", *ASKING, "--format", "json")[1]
    assert [command[2] for command in advised(out)] == ["FILE"] * 2


def test_what_a_shell_passes_on_is_left_open(ask: Ask) -> None:
    """`<(…)` comes by a name that is gone when the command is typed, and a pipe of a name of its own is empty then."""
    file = two_systems("passed", np.random.default_rng(2).normal(0.1, 0.25, 18))
    with Path(file).open() as opened:
        out = ask("compare", f"/dev/fd/{opened.fileno()}", "--effect", "0.1", *ASKING, "--format", "json")[1]
    assert [command[2] for command in advised(out)] == ["FILE"] * 2
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_text(Path(file).read_text()))
    writer.start()
    out = ask("compare", "pipe", "--effect", "0.1", *ASKING, "--format", "json")[1]
    writer.join()
    assert [command[2] for command in advised(out)] == ["FILE"] * 2


def test_names_that_a_shell_or_a_page_would_take_otherwise(ask: Ask) -> None:
    """A name that begins with a dash is no flag; one that cannot be shown as it is, cannot be typed as it is shown."""
    file = Path(two_systems("odd", np.random.default_rng(2).normal(0.1, 0.25, 18)))
    named = {
        "-dash.csv": "./-dash.csv",
        "two  blanks, it's.csv": "two  blanks, it's.csv",
        "line\nend.csv": "FILE",
    }
    for name, typed in named.items():
        Path(name).write_text(file.read_text())
        out = ask("compare", "--effect", "0.1", *ASKING, "--format", "json", "--", name)[1]
        commands = advised(out)
        assert [command[2] for command in commands] == [typed] * 2
        assert typed == "FILE" or all(ask(*command, *FEW_REPLICATES)[0] == 0 for command in commands)


def test_numbers_in_commands_are_those_given(ask: Ask) -> None:
    """An effect just inside what these items can have was rounded to one outside it; so was an alpha of many digits."""
    file = two_systems("near", np.array([0.2, -0.2, 0.1, -0.1, 0.05, -0.05, 0.15, -0.15]))
    more = "--test", "permutation", "--alpha", "0.2000001", "--effect", "0.1999999", "--format", "json"
    code, out, _ = ask("compare", file, *more)
    assert code == 0
    (command,) = (one for one in advised(out) if "--effect" in one)
    assert command[command.index("--effect") + 1] == "0.1999999"
    assert command[command.index("--alpha") + 1] == "0.2000001"


def test_the_text_page_has_commands_to_copy(ask: Ask) -> None:
    """Each is a line of the page, and answers."""
    file = two_systems("a name of many words that would not fit on one line of the page, were it broken there:", np.random.default_rng(2).normal(0.1, 0.25, 18))  # fmt: skip
    code, out, err = ask("compare", file, "--effect", "0.1", *ASKING)
    assert code == 0, err
    commands = [shlex.split(line) for line in out.splitlines() if line.startswith("    tellapart plan")]
    assert [command[3] for command in commands] == [file] * 2
    for command in commands:
        code, _, err = ask(*command[1:], *FEW_REPLICATES)
        assert code == 0, err


def scores(differences: list[float]) -> Scores:
    return Scores.from_arrays({"a": [0.0] * len(differences), "b": differences})


def test_why_these_items_are_no_pilot() -> None:
    """The reason stands where the command would: effects that such items cannot have, or cannot be found with."""
    one_sided = compare(scores([0.02, 0.01, 0.05, 0.2, 0.03, 0.04] * 4), test="permutation")
    (noted,) = (note for note in one_sided.notes if note.code == "detectable_outside_pilot")
    assert noted.values == {"items": 24, "low": 0.01, "high": 0.2}
    scattered = scores([0.02, -0.01, 0.05, 0.2, 0.03, -0.04])
    far = compare(scattered, effect=0.3, test="permutation")
    assert "items_outside_pilot" in codes(far.notes)
    assert far.to_settle == ""
    margin = compare(scores([0.02, 0.01, 0.05, 0.9, 0.03]), margin=0.1, test="permutation")
    assert "items_outside_pilot" in codes(margin.notes)
    # Where too many resamples have no spread there is no bound, and nothing that a plan could add.
    drawn = compare(scores([0.1] * 5 + [0.2]), test="bootstrap(kind=studentised)")
    assert drawn.detectable is None
    assert "detectable_by_plan" not in codes(drawn.notes)


def test_an_effect_is_looked_for_on_the_side_of_the_test() -> None:
    differences = [-0.3, 0.02, -0.1, -0.2, 0.05, -0.04, 0.03, -0.15]
    for alternative, effect in (("two-sided", -0.1), ("less", -0.1), ("greater", None)):
        answer = compare(scores(differences), test=f"permutation(alternative={alternative})", effect=0.1)
        asked = {note.code: note.values for note in answer.notes}
        assert asked.get("items_by_plan", {}).get("effect") == effect
