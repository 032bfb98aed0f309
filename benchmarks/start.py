"""How long a command takes to start: a short comparison, beside numpy and scipy.special alone."""

import subprocess
import sys
import time
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "retrieval.csv"
ROUNDS = 7


def rows() -> list[tuple[str, float, float, str]]:
    imports = [sys.executable, "-c", "import numpy, scipy.special"]
    commands = {
        "compare two systems, from start to verdict": ["compare", str(EXAMPLE)],
        "plan by a formula": ["plan", "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01", "--power", "0.8"],
    }  # fmt: skip
    found = []
    for what, arguments in commands.items():
        ours, peer = _fastest([sys.executable, "-m", "tellapart", *arguments], imports)
        found.append((f"{what} / import numpy, scipy.special", ours, peer, "above 0.4"))
    return found


def _fastest(*commands: list[str]) -> list[float]:
    """Seconds of the fastest of several rounds, in which the commands take turns."""
    rounds = [[_seconds(command) for command in commands] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start
