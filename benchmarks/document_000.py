"""The power grid of document 000 against the script printed in it, which is read from beside the checkout and run."""

import json
import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._clock import seconds
from tellapart import plan
from tellapart.populations import Beta, Gaussian, Population

SEEDS = Path(__file__).parents[2] / "shared" / "seeds"
ITEMS, EFFECTS, CORRELATIONS = (50, 100, 200, 500, 1000), (0.0, 0.01, 0.02, 0.05, 0.10), (0.5, 0.8, 0.95)
REPLICATES, PEER_REPLICATES = 1000, 20
TARGET = "at least 100"


def rows() -> list[tuple[str, float, float, str]]:
    ours = seconds(_ours, repeats=3)
    script = _script()
    if script is None:
        return [("grid of document 000 (peer skipped: the document is not here)", ours, math.nan, TARGET)]
    what = f"grid of document 000, 300 studies × {REPLICATES:,} (its script × {PEER_REPLICATES}, scaled)"
    return [(what, ours, _peer_seconds(script) * REPLICATES / PEER_REPLICATES, TARGET)]


def _ours() -> None:
    answer = plan(
        _populations(), test=["paired_t", "wilcoxon(method=asymptotic)"], items=ITEMS, replicates=REPLICATES
    )
    assert len(answer.rows) == 300


def _populations() -> list[Population]:
    normal = Gaussian(mean=0.65, sd=0.12, correlation=0.5, clip=(0.0, 1.0))
    return [
        population
        for effect in EFFECTS
        for correlation in CORRELATIONS
        for population in (
            normal.replace(correlation=correlation, effect=normal.effect_of_shift(effect)),
            Beta(mean=0.65, sd=0.12, correlation=correlation, effect=effect),
        )
    ]


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
