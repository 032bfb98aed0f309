"""The plugin in real runs of pytest: gates that pass, fail, are left open, in one process and in several."""

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

SUITE = """
import warnings
import numpy as np
import polars as pl

rng = np.random.default_rng(3)
items = [f"q{i}" for i in range(300)]
old = rng.normal(0.5, 0.2, 300)

def frame(shift):
    noise = rng.normal(0.0, 0.05, 300)
    return pl.DataFrame({"item": items, "score": old + shift + noise - noise.mean()})

base = pl.DataFrame({"item": items, "score": old})

def test_passes(tellapart):
    tellapart.assert_not_worse(base, frame(0.0), margin=0.02)

def test_worse(tellapart):
    tellapart.assert_not_worse(base, frame(-0.1), margin=0.02)

def test_open(tellapart):
    tellapart.assert_not_worse(base, frame(-0.001), margin=0.002)

def test_open_must_pass(tellapart):
    tellapart.assert_not_worse(base, frame(-0.001), margin=0.002, on_undetermined="fail")

def test_open_may_pass(tellapart):
    tellapart.assert_not_worse(base, frame(-0.001), margin=0.002, on_undetermined="pass")
"""


def run(folder: Path, *arguments: str, suite: str = SUITE) -> str:
    (folder / "test_gates.py").write_text(suite)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments, "test_gates.py"]
    loaded = any(point.name == "tellapart" for point in entry_points(group="pytest11"))
    if not loaded:
        command[3:3] = ["-p", "tellapart.pytest_plugin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_gates(tmp_path: Path, workers: tuple[str, ...]) -> None:
    out = run(tmp_path, *workers)
    assert "2 failed, 3 passed, 1 warning" in out
    assert "tellapart gates" in out
    section = out.split("tellapart gates")[1]
    assert (
        sum("test_gates.py::" in line and ": " in line for line in section.split("short test summary")[0].splitlines())
        == 5
    )
    assert "test_gates.py::test_passes: pass:" in section
    assert "UndeterminedWarning: undetermined:" in out
    assert "is worse than" in out
    assert "Traceback" not in out


def test_a_suite_without_gates_pays_nothing(tmp_path: Path) -> None:
    suite = "import sys\ndef test_light():\n    assert 'numpy' not in sys.modules\n"
    out = run(tmp_path, suite=suite)
    assert "1 passed" in out
    assert "tellapart gates" not in out


def test_a_wrong_option_is_named(tmp_path: Path) -> None:
    suite = SUITE.split("def test_passes", maxsplit=1)[0] + (
        "def test_x(tellapart):\n    tellapart.assert_not_worse(base, base.with_columns(), margin=-1)\n"
        "def test_y(tellapart):\n    tellapart.assert_not_worse(base, base, margin=1, on_undetermined='maybe')\n"
        "def test_z(tellapart):\n    tellapart.assert_not_worse(base, base, margin=1, test='paired_t(alternative=greater)')\n"
    )
    out = run(tmp_path, suite=suite)
    assert "3 failed" in out
    assert "paired_t(alternative=greater) tests one" in out
    assert "margin is -1; it should" in out
    assert "on_undetermined is 'maybe'; it should be 'warn', 'fail' or 'pass'" in out


def test_a_gate_that_fails_in_a_fixture_is_listed(tmp_path: Path) -> None:
    suite = SUITE.replace("def test_worse(tellapart):", "@pytest.fixture\ndef worse(tellapart):")
    out = run(tmp_path, "-k", "after", suite=f"import pytest\n{suite}\ndef test_after(worse): pass\n")
    assert "1 error" in out
    assert "test_after: fail:" in out.split("tellapart gates")[1]
