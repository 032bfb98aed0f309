"""The page for coding agents: every command stands on it, its commands answer, and the fields it names are there."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tellapart.cli import main
from tellapart.cli.commands import COMMANDS
from tellapart.cli.example import ABOUT, text_of

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| `(tellapart [^`]+)` \| ([^\n]+) \|$", PAGE, re.MULTILINE)
REPEATS = "item,system,run,score\n" + "".join(
    f"i{i},{system},{run},{int((i * step + run) % 7 < 4)}\n"
    for system, step in (("A", 1), ("B", 2))
    for run in range(3)
    for i in range(40)
)
MEASURES = "item,system,accuracy,latency_ms\n" + "".join(
    f"i{i},{system},{(i + step) % 2},{100 + 7 * ((i * step) % 11)}\n"
    for system, step in (("A", 1), ("B", 2))
    for i in range(40)
)
JUDGED = "item,system,judge,human\n" + "".join(
    f"i{i},{system},{int((i * step) % 7 < 4)},{int((i * step + i % 3 // 2) % 7 < 4) if i < 30 else ''}\n"
    for system, step in (("A", 1), ("B", 2))
    for i in range(90)
)
WEEKS = "item,week,A,B\n" + "".join(f"i{i},{i % 2},{i % 7},{i % 5}\n" for i in range(60))


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[str, Any]:
    """What a command prints, and its exit code."""
    with pytest.raises(SystemExit) as done:
        main(shlex.split(command)[1:])
    return capsys.readouterr().out, done.value.code


def values_at(path: str, data: Any) -> list[Any]:
    """What stands at a path such as `rows[].items`; a missing field is a KeyError."""
    found = [data]
    for step in path.split("."):
        name = step.removesuffix("[]")
        found = [value[name] for value in found]
        if step.endswith("[]"):
            found = [each for value in found for each in value]
    return found


def fields_of(cell: str) -> list[str]:
    """The paths of a cell; one that starts with a dot goes on from the list before it."""
    fields: list[str] = []
    for name in re.findall(r"`([\w.\[\]]+)`", cell):
        fields.append(fields[-1].partition("[]")[0] + "[]" + name if name.startswith(".") else name)
    return fields


def on_files(command: str, folder: Path) -> str:
    """The command of the page with files in the place of its names in capitals."""
    scores = text_of("answers").replace("small,medium", "A,B", 1)
    rows = [line.split(",") for line in scores.splitlines()[1:]]
    sides = ["item,score\n" + "".join(f"{row[0]},{row[column]}\n" for row in rows) for column in (1, 2)]
    file = {
        "--slice": WEEKS.replace("week", "topic"),
        "agreement": text_of("ratings"),
        "--by": WEEKS,
        "--better": MEASURES,
    }
    texts = {
        "FILE": next((text for word, text in file.items() if word in command), scores),
        "PATH": scores,
        "OLD": sides[0],
        "NEW": sides[1],
        "RUNS": REPEATS,
        "JUDGED": JUDGED,
        "VOTES": text_of("votes"),
        "SEEDS": REPEATS.replace("run", "seed"),
        "tidy.csv": "",
    }
    for name, text in texts.items():
        (folder / f"{name.lower().removesuffix('.csv')}.csv").write_text(text, encoding="utf-8")

    def path_of(word: re.Match[str]) -> str:
        return shlex.quote(str(folder / f"{word[0].lower().removesuffix('.csv')}.csv"))

    return re.sub(rf"\b({'|'.join(texts)})\b", path_of, command)


def test_every_command_stands_on_the_page() -> None:
    typed = set(re.findall(r"`?tellapart (\w+)", PAGE))
    assert set(COMMANDS) - typed == set()
    assert {command.split()[1] for _, command, _ in ROWS} <= set(COMMANDS)


@pytest.mark.parametrize(("question", "command", "fields"), ROWS, ids=[row[1] for row in ROWS])
def test_each_command_answers_with_its_fields(
    question: str, command: str, fields: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A field that the answer lacks is a KeyError, named with the question."""
    paths = fields_of(fields)
    as_json = " --format json" if paths else ""
    printed, code = run(on_files(command, tmp_path) + as_json, capsys)
    assert code in {0, 1}, question
    for path in paths:
        assert values_at(path, json.loads(printed)), (question, path)


def test_skill_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tellapart skill", capsys) == (PAGE, 0)


@pytest.mark.parametrize("name", ABOUT)
def test_an_example_is_the_file_of_the_repository(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"tellapart example {name}", capsys) == (
        (ROOT / "examples" / f"{name}.csv").read_text("utf-8"),
        0,
    )


def test_every_bundled_example_is_described() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.csv")} == set(ABOUT)


def test_an_unknown_example_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["example", "retreival"])
    assert done.value.code == 2
    assert "did you mean 'retrieval'?" in capsys.readouterr().err


# A reader who has nothing but the page: twelve questions, the command and the field that answer each, and words that must stand there.
TWELVE = (
    ("Is B better than A?", "compare", "verdict"),
    ("Is B at most 0.01 worse", "compare", "shown.not_worse.holds"),
    ("Which of many systems is best?", "rank", "systems[].may_be_best"),
    ("Which systems beat the baseline?", "rank", "pairs[].adjusted_pvalue"),
    ("How many items do I need?", "plan", "rows[].items"),
    ("What can 500 items find", "plan", "rows[].effect"),
    ("Was this change shown to be worse?", "gate", "verdict"),
    ("Is a printed claim significant?", "audit", "claims[].verdict"),
    ("How far do raters agree?", "agreement", "coefficients[].value"),
    ("May I stop now, or look again?", "compare", "sequential"),
    ("Where does B win, where does it lose?", "compare", "slices[].adjusted_pvalue"),
    ("How good is one system?", "score", "systems[].interval"),
)
NEVER = (
    '`undetermined` means "no difference"',
    "best because its mean is highest",
    "because their intervals do not overlap",
    "that a pair on a board differs because its `pvalue` is small",
    "an effect without its interval",
    "a better p-value by trying tests",
)


@pytest.mark.parametrize(("question", "verb", "field"), TWELVE)
def test_the_page_alone_answers_twelve_questions(question: str, verb: str, field: str) -> None:
    """One row for each question, with the command and the field; that they exist, the rows show when they are run."""
    rows = [row for row in ROWS if row[0].startswith(question)]
    assert len(rows) == 1
    ((_, command, fields),) = rows
    assert command.split()[1] == verb
    assert field in fields_of(fields)


def test_what_must_not_be_claimed_stands_on_the_page() -> None:
    forbidden = " ".join(PAGE.partition("## Never claim")[2].partition("\n## ")[0].split())
    assert [words for words in NEVER if words not in forbidden] == []
