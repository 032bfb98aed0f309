"""The power grid of document 000, as typed, against the script printed in it, which is read from beside the checkout and run."""

import json
import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._clock import command_seconds

SEEDS = Path(__file__).parents[2] / "shared" / "seeds"
ITEMS, EFFECTS, CORRELATIONS = (50, 100, 200, 500, 1000), (0.0, 0.01, 0.02, 0.05, 0.10), (0.5, 0.8, 0.95)
REPLICATES, PEER_REPLICATES = 1000, 20
TARGET = "at least 100"


def rows() -> list[tuple[str, float, float, str]]:
    """The document's two laws are two commands, each from start to finish; the test is the default of its name, exact."""
    ours = sum(command_seconds(*_command(*law), repeats=3) for law in (("gaussian", "--clip", "0:1"), ("beta",)))
    script = _script()
    if script is None:
        return [("grid of document 000 (peer skipped: the document is not here)", ours, math.nan, TARGET)]
    what = f"grid of document 000 as typed, 300 studies × {REPLICATES:,} (its script × {PEER_REPLICATES}, scaled)"
    return [(what, ours, _peer_seconds(script) * REPLICATES / PEER_REPLICATES, TARGET)]


def _command(*law: str) -> list[str]:
    scores = ["--mean", "0.65", "--sd", "0.12", "--correlation", _listed(CORRELATIONS)]
    study = ["--effect", _listed(EFFECTS), "--items", _listed(ITEMS), "--test", "paired_t,wilcoxon"]
    return ["-m", "tellapart", "plan", *law, *scores, *study, "--replicates", str(REPLICATES)]


def _listed(values: tuple[float, ...]) -> str:
    return ",".join(map(str, values))


def _script() -> Callable[..., Any] | None:
    """The function of the document's script that simulates one cell of the grid."""
    found = sorted(SEEDS.glob("000_*"))
    if not found:
        return None
    text = json.loads(found[0].read_text())["skillMd"]
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {"__name__": "document_000_script"}
    exec(code[1], names)  # noqa: S102  (the peer is the script as printed, run unchanged)
    run: Callable[..., Any] = names["run_power"]
    return run


def _peer_seconds(run: Callable[..., Any]) -> float:
    run(50, 0.0, 0.5, "beta", 5)
    start = time.process_time()
    for law in ("normal", "beta"):
        for items in ITEMS:
            for effect in EFFECTS:
                for correlation in CORRELATIONS:
                    run(items, effect, correlation, law, PEER_REPLICATES)
    return time.process_time() - start
