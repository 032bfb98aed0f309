"""Under `ulimit -v`: the library that draws charts would end the process; an answer comes without them, and says why."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

SCORES = Path(__file__).parents[2] / "examples" / "answers.csv"
COMPARE = ("compare", str(SCORES), "--a", "small", "--b", "large")


def limited(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    command = [sys.executable, "-m", "tellapart", *COMPARE, *arguments]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, preexec_fn=limit, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_a_page_without_charts(tmp_path: Path) -> None:
    done = limited("--output", "r.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    assert "They are not drawn: the library that draws charts reserves 64 GB" in page
    assert "pip install" not in page


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_chart_is_refused_in_one_line_and_the_answer_printed(tmp_path: Path, ending: str) -> None:
    done = limited("--chart", f"c.{ending}", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "tellapart" in done.stdout
    assert done.stderr.startswith("DataError: no chart was drawn: ")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_source_of_a_chart_needs_no_drawing(tmp_path: Path) -> None:
    assert limited("--chart", "c.json", cwd=tmp_path).returncode == 0
    assert (tmp_path / "c.json").stat().st_size > 100
