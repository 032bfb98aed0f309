"""docs/gates.md and examples/github-action.yml: every command is run, as a reader would, in one folder."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from tellapart.cli import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")


def rows(share_flipped: float) -> str:
    """Right or wrong on 1,000 items; some flipped, either way."""
    rng = np.random.default_rng(1)
    right = rng.random(1000) < 0.7
    flipped = rng.random(1000) < share_flipped
    return "item,score\n" + "".join(f"q{i},{int(r ^ f)}\n" for i, (r, f) in enumerate(zip(right, flipped, strict=True)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("gates")
    (made / "results").mkdir()
    for name, share in (("baseline", 0.0), ("candidate", 0.02)):
        (made / "results" / f"{name}.csv").write_text(rows(share))
    for name, share in (("base", 0.0), ("cand", 0.02)):
        lines = rows(share).splitlines()
        halves = [
            "topic,dataset,item,score",
            *(f"{'vw'[i % 2]},{'xy'[i % 2]},{line}" for i, line in enumerate(lines[1:])),
        ]
        (made / f"{name}.csv").write_text("\n".join(halves) + "\n")
    for name, gain in (("old", 0.0), ("new", 0.2)):
        rng = np.random.default_rng(2)
        drawn = zip(rng.random(300) < 0.6 + gain, rng.random(300) < 0.95, rng.lognormal(5.0, 0.5, 300), strict=True)
        lines = [f"q{i},{int(right)},{int(safe)},{ms:.2f}" for i, (right, safe, ms) in enumerate(drawn)]
        (made / f"{name}.csv").write_text("\n".join(["item,quality,safety,latency_ms", *lines]) + "\n")
    return made


def commands() -> list[str]:
    return re.findall(r"^    (tellapart (?:[^\n]*\\\n)*[^\n]*)", PAGE, re.MULTILINE)


def test_commands_of_the_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In their order: the plan is saved before it is followed."""
    monkeypatch.chdir(folder)
    assert len(commands()) == 8
    for command in commands():
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command.replace("\\\n", " "))[1:])
        out, err = capsys.readouterr()
        assert stop.value.code == 0, err
        assert out


def steps() -> list[dict[str, Any]]:
    workflow = yaml.safe_load((ROOT / "examples" / "github-action.yml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = workflow["jobs"]["gate"]["steps"]
    return found


def test_the_workflow_step_by_step(folder: Path, tmp_path: Path) -> None:
    """Its own steps run in bash, as on GitHub; fetching and installing is somebody else's part."""
    (folder / "evaluate.py").write_text(f"print({rows(0.02)!r}, end='')\n")
    (tmp_path / "tellapart").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tellapart "$@"\n')
    (tmp_path / "tellapart").chmod(0o755)
    (tmp_path / "python").symlink_to(sys.executable)
    github = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_OUTPUT": str(tmp_path / "output")}
    environment = os.environ | github | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    own = [step["run"] for step in steps() if "run" in step]
    assert own[0] == "pip install tellapart"
    for step in own[1:]:
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "summary.md").read_text().startswith("**pass: ")
    assert (folder / "results" / "gate.xml").exists()
