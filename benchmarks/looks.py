"""Planned looks, bets and watches, beside the seconds that we allow them and, for bets on a benchmark's items, beside confseq."""

import importlib.util
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks._clock import command_seconds, seconds
from tellapart import watch
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.significance.betting import Betting, OrderedDifferences
from tellapart.numerics.looks import lan_demets, repeated_pvalue

ITEMS, ROWS, MORE = 14_042, 1_000_000, 1_000
PLAN = "plan paired_binary --accuracy 0.7 --discordance 0.1 --effect 0.02 --looks 5"


def rows() -> list[tuple[str, float, float, str]]:
    looks = np.arange(1, 11) / 10
    boundaries = seconds(partial(lan_demets, looks, "obf", 0.05, 2))
    repeated = seconds(partial(repeated_pvalue, looks, "obf", 0.004, 2))
    planned = command_seconds("-m", "tellapart", *PLAN.split(), repeats=2)
    with tempfile.TemporaryDirectory() as folder:
        scores = _written(Path(folder) / "scores.csv", ITEMS)
        asked = ("compare", str(scores), "--a", "base", "--b", "new")
        anytime = command_seconds("-m", "tellapart", *asked, "--anytime", repeats=2)
        whole, further = _watched(Path(folder))
    return [
        ("boundaries of 10 looks (0.1 s)", boundaries, 0.1, "1x"),
        ("repeated p-value at the last of 10 looks (0.1 s)", repeated, 0.1, "1x"),
        ("plan with 5 looks for McNemar at 2,000 items, start-up included (2 s)", planned, 2.0, "1x"),
        (f"compare --anytime on {ITEMS:,} items, start-up included (1 s)", anytime, 1.0, "1x"),
        (f"watch {ROWS:,} rows (10 s)", whole, 10.0, "1x"),
        (f"watch a further {MORE:,} rows (1 s)", further, 1.0, "1x"),
        *_beside_confseq(),
    ]


def _scores(items: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    base = rng.random(items) < 0.7
    new = np.where(rng.random(items) < 0.1, rng.random(items) < 0.75, base)
    return base.astype(np.float64), new.astype(np.float64)


def _written(path: Path, items: int, first: int = 0) -> Path:
    lines = [f"q{first + place},{a:g},{b:g}\n" for place, (a, b) in enumerate(zip(*_scores(items), strict=True))]
    path.write_text("item,base,new\n" + "".join(lines), encoding="utf-8")
    return path


def _watched(folder: Path) -> tuple[float, float]:
    """The first call of a watch, and one that is given what came since: each happens once."""
    state, whole = str(folder / "lift.json"), _written(folder / "log.csv", ROWS)
    news = [_written(folder / f"new{call}.csv", MORE, ROWS + call * MORE) for call in range(4)]
    first = seconds(lambda: watch(str(whole), a="base", b="new", margin=0.01), repeats=1)
    watch(str(whole), a="base", b="new", margin=0.01, state=state)
    given = iter(news)
    more = partial(watch, a="base", b="new", margin=0.01, state=state, new=True)
    return first, seconds(lambda: more(str(next(given))), repeats=3)


def _beside_confseq() -> list[tuple[str, float, float, str]]:
    """The bounds of a mean after all items: confseq's are those of a grid of a thousand means."""
    what = f"confidence sequence of {ITEMS:,} differences of a benchmark (confseq, hedged, 1,000 means)"
    if importlib.util.find_spec("confseq") is None:
        print(f"left out: {what}; its C++ does not build today: put src/ of its archive on PYTHONPATH", file=sys.stderr)
        return []
    np.float_ = np.float64  # type: ignore[attr-defined]  # noqa: NPY201  (that peer asks for the old name)
    from confseq.betting import hedged_cs  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415  (only with that peer)

    base, new = _scores(ITEMS)
    test, sample = Betting(benchmark=ITEMS + 1_000), OrderedDifferences(new - base)
    ours = seconds(lambda: test.path(sample, 0.95), repeats=3)
    peer = seconds(lambda: hedged_cs(0.5 * (new - base + 1.0), N=ITEMS + 1_000), repeats=1)
    return [(what, ours, peer, "1x")]
