"""A command loads what it needs and nothing else: half of what a short one takes is its start."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

CODE = (
    "import sys; from tellapart.cli import main\n"
    "try: main(sys.argv[1:])\n"
    "except SystemExit: print(' '.join(sys.modules), file=sys.stderr)"
)

COUNTING = (
    "import dataclasses, sys; made, process = [], dataclasses._process_class\n"
    "def counted(kind, *how, **named): made.append(kind.__module__); return process(kind, *how, **named)\n"
    "dataclasses._process_class = counted; from tellapart.cli import main\n"
    "try: main(sys.argv[1:])\n"
    "except SystemExit: print(*(sum(name.startswith('tellapart') for name in names) for names in (sys.modules, made)), file=sys.stderr)"
)
"""How many modules and dataclasses a command makes: each dataclass takes as long as a small module, and neither number depends on how busy
the machine is."""

NEVER = {
    "narwhals",
    "pandas",
    "pyarrow",
    "rich",
    "jinja2",
    "ir_measures",
    "scipy.stats",
    "scipy.optimize",
    "tellapart.populations.evidence",
}
"""Frames, pages and other programs, whatever is asked of a file."""


def loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout
    return set(done.stderr.split())


def made_by(*arguments: str) -> tuple[int, ...]:
    """How many modules and dataclasses of ours a command makes."""
    command = [sys.executable, "-c", COUNTING, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return tuple(int(number) for number in done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (
            ("compare", "retrieval.csv"),
            {
                "tellapart.verbs.rank.verb",
                "tellapart.boards",
                "tellapart.populations.beta",
                "tellapart.answers.plan.file",
                "tellapart.answers.leaderboard.parts",
                "tellapart.methods.significance.wilcoxon",
            },
        ),
        (
            ("rank", "answers.csv"),
            {
                "tellapart.methods.significance",
                "tellapart.methods.intervals.hodges_lehmann",
                "tellapart.methods.intervals.bootstrap",
                "tellapart.verbs.compare",
                "tellapart.boards.corrections.benjamini_hochberg",
                "tellapart.verbs.rank.across_datasets",
                "tellapart.verbs.rank.single_pair",
            },
        ),
    ],
)
def test_what_is_spared(arguments: tuple[str, str], spared: set[str]) -> None:
    """No frame library for a file, no test for a board of three, nothing about datasets or baselines that was not asked."""
    command, name = arguments
    assert not (NEVER | spared) & loaded(command, str(EXAMPLES / name))


def test_no_garbage_is_sought_among_what_is_imported() -> None:
    """While a command is imported; afterwards it is sought again, as before."""
    code = (
        "import gc; from tellapart.cli.commands import _imported\n"
        "_imported('tellapart.cli.rank'); assert gc.isenabled() and gc.get_freeze_count() > 1000\n"
        "gc.disable(); _imported('tellapart.cli.plan'); assert not gc.isenabled()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("scores", "modules", "dataclasses"),
    [
        ("item,old,new\n" + "".join(f"q{n},{n % 3 % 2},{n % 2}\n" for n in range(40)), 244, 135),
        (
            "item,old,new\n" + "".join(f"q{n},{n * 7 % 11 / 10},{n * 5 % 13 / 12}\n" for n in range(40)),
            278,
            156,
        ),
    ],
    ids=["right or wrong", "graded"],
)
def test_how_much_a_plain_comparison_loads(
    tmp_path: Path, scores: str, modules: int, dataclasses: int
) -> None:
    """What is new is imported where it is asked for: with 309 modules and 195 dataclasses the start took a tenth longer.

    Seventeen modules more, of what was split into nouns, made no difference that 25 runs of each could tell.
    """
    path = tmp_path / "scores.csv"
    path.write_text(scores, encoding="utf-8")
    found = made_by("compare", str(path))
    assert found[0] <= modules, found
    assert found[1] <= dataclasses, found


def test_how_much_a_plan_by_formula_loads() -> None:
    """Its own population and test and none of the others: with 197 modules and 122 dataclasses the start took a tenth longer."""
    scores = ("gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01")
    found = made_by("plan", *scores)
    assert found[0] <= 155, found
    assert found[1] <= 80, found
