"""A command loads no library that it does not need. How long it takes to start is measured by `make bench start`."""

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
    done = subprocess.run([sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (
            ("compare", "retrieval.csv"),
            {
                "tellapart.verbs.rank.verb",
                "tellapart.boards",
                "tellapart.populations.beta",
                "tellapart.answers.leaderboard.parts",
                "tellapart.methods.significance.wilcoxon",
            },
        ),
        (
            ("rank", "answers.csv"),
            {
                "tellapart.methods.significance.mcnemar",
                "tellapart.methods.significance.wilcoxon",
                "tellapart.methods.significance.bootstrap",
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
        "import gc; from tellapart.cli.commands import import_frozen\n"
        "import_frozen('tellapart.cli.rank'); assert gc.isenabled() and gc.get_freeze_count() > 1000\n"
        "gc.disable(); import_frozen('tellapart.cli.plan'); assert not gc.isenabled()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
