"""The same board on other processors and with more threads: everything that is printed is the same."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

KERNELS = (("Haswell", 1), ("Haswell", 2), ("Nehalem", 1), ("Nehalem", 2))
"""Two kernels of OpenBLAS that any 64-bit Intel or AMD processor of the last decade has, which multiply in unlike orders."""

BOARD = """
import sys
from tellapart.cli import main
main(["rank", sys.argv[1], "--resamples", "999", *sys.argv[2:]])
"""


def printed(path: Path, kernel: str, threads: int, *options: str) -> str:
    environment = os.environ | {
        "OPENBLAS_CORETYPE": kernel,
        "OPENBLAS_NUM_THREADS": str(threads),
        "PYTHONHASHSEED": str(threads),
    }
    command = [sys.executable, "-c", BOARD, str(path), *options]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def board(kind: str) -> str:
    """A long table: scores with twins among the systems, right or wrong, or in clusters."""
    rng = np.random.default_rng(3)
    ease = rng.standard_normal(150)
    tables = 0.6 * ease + rng.standard_normal((12, 150)) + 0.1 * np.arange(12)[:, np.newaxis]
    tables[4], tables[5] = tables[3], 2.0 * tables[2] - 0.1
    if kind == "right or wrong":
        tables = (tables > -1.2).astype(float)
    elif kind == "leaning":
        tables[:6] = np.where(rng.random((6, 150)) < 0.08, -9.2, 0.8) + ease
    clustered = kind == "clusters"
    lines = ["system,item,score" + ",cluster" * clustered]
    for system, row in enumerate(tables):
        for item, score in enumerate(row.tolist()):
            lines.append(f"s{system:02d},q{item},{score!r}" + f",c{item // 6}" * clustered)
    return "\n".join(lines) + "\n"


def alike(one: Any, other: Any) -> bool:
    """The same answer, numbers to twelve digits: the last of sixteen are those of a sum in another order."""
    if isinstance(one, dict):
        return bool(one.keys() == other.keys()) and all(alike(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=1e-11, abs_tol=1e-12)
    return bool(one == other)


@pytest.mark.parametrize("kind", ["numbers", "right or wrong", "leaning", "clusters"])
def test_a_board_on_other_machines(kind: str, tmp_path: Path) -> None:
    """The whole text, and every number of the JSON: intervals of means, p-values, what more items would buy."""
    path = tmp_path / "board.csv"
    path.write_text(board(kind))
    assert len({printed(path, *machine, "--format", "text") for machine in KERNELS}) == 1
    first, *others = (json.loads(printed(path, *machine, "--format", "json")) for machine in KERNELS[::3])
    assert all(alike(first, other) for other in others)
