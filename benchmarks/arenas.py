"""Arenas: ranking and reading a million votes, beside the seconds that we allow them and, for the fit, beside arena-rank."""

import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._clock import seconds
from tellapart import rank, read
from tellapart.verbs.describe import describe

VOTES = 1_000_000


def rows() -> list[tuple[str, float, float, str]]:
    found = []
    for systems, raters, allowed in ((100, 0, 2.0), (50, 20_000, 5.0)):
        with battles(systems, raters) as path:
            by = f", {raters:,} raters" if raters else ""
            ranked = seconds(partial(rank, read(path)), repeats=3)
            found.append((f"rank {VOTES:,} votes of {systems} systems{by} ({allowed:g} s)", ranked, allowed, "1x"))
            if not raters:
                for what, verb, most in (("read", read, 3.0), ("describe", describe, 4.0)):
                    took = seconds(partial(verb, path), repeats=3)
                    found.append((f"{what} {VOTES:,} battles from Parquet ({most:g} s)", took, most, "1x"))
                found += _beside_arena_rank(path, ranked)
    return found


def _beside_arena_rank(path: Path, ours: float) -> list[tuple[str, float, float, str]]:
    what = f"rank {VOTES:,} votes of 100 systems (arena-rank, one interval each)"
    if importlib.util.find_spec("arena_rank") is None:
        print(f"left out: {what}; `make bench` installs it", file=sys.stderr)
        return []
    import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415  (only with that peer)
    from arena_rank.models.bradley_terry import BradleyTerry  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415
    from arena_rank.utils.data_utils import PairDataset  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    table = pd.read_parquet(path)

    def peer() -> Any:
        data = PairDataset.from_pandas(table)
        return BradleyTerry(n_competitors=len(data.competitors)).compute_ratings_and_cis(data, significance_level=0.05)

    return [(what, ours, seconds(peer, repeats=3), "1x")]


@contextmanager
def battles(systems: int, raters: int) -> Iterator[Path]:
    """A Parquet file of battles, as chat arenas publish them."""
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  (an extra)
    from pyarrow import parquet  # noqa: PLC0415

    rng = np.random.default_rng(0)
    a = rng.integers(0, systems, VOTES)
    b = (a + rng.integers(1, systems, VOTES)) % systems
    strengths = np.linspace(0.5, -0.5, systems)
    up = rng.random(VOTES) < 1.0 / (1.0 + np.exp(strengths[b] - strengths[a]))
    winner = np.where(rng.random(VOTES) < 0.2, "tie", np.where(up, "model_a", "model_b"))
    names = np.array([f"m{place:03d}" for place in range(systems)])
    columns = {
        "model_a": names[a],
        "model_b": names[b],
        "winner": winner,
        "turn": np.ones(VOTES, dtype=np.int64),
        "language": np.full(VOTES, "English"),
    }
    if raters:
        columns["judge"] = np.char.add("user_", rng.integers(0, raters, VOTES).astype(str))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battles.parquet"
        parquet.write_table(pa.table(columns), path)
        yield path
