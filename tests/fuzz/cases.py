"""One case: something made at random from a seed of its own, and the promises it has to keep."""

import contextlib
import csv
import io
import itertools
import json
import re
import signal
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tests.fuzz.command_lines import typed
from tests.fuzz.relations import related
from tests.fuzz.tables import NAMES, Made, copies, damaged, made

from tellapart import Scores, compare, plan, rank, read
from tellapart.cli import main
from tellapart.foundation.errors import TellapartError
from tellapart.render import FORMATS, render
from tellapart.render.html import notebook_html

ACTING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
LONGEST = 20_000
"""Characters of a message: names are shortened, and few of them are listed."""


class Broken(AssertionError):
    """A promise that was not kept."""


def run_case(seed: int, number: int, folder: Path) -> None:
    """Raise `Broken`, or whatever else came out that should not have."""
    rng = Random(f"{seed}:{number}")  # noqa: S311  (no secret)
    case = rng.choices(list(KINDS), weights=list(KINDS.values()))[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        case(rng, folder)


def reading(rng: Random, folder: Path) -> None:
    """A damaged file is read or refused in words."""
    name, content = rng.choice(copies(made(rng), rng))
    path = folder / name
    path.write_bytes(damaged(content(), rng))
    with _refusals():
        read(path)


def same_scores(rng: Random, folder: Path) -> None:
    """Every copy of a table holds the same scores."""
    table = made(rng)
    wanted = _plain(Scores.from_arrays(_arrays(table), items=list(table.items)))
    found = {name: _plain(_read(folder / name, content())) for name, content in rng.sample(copies(table, rng), 3)}
    found["frame"] = _plain(read(_frame(table, rng)))
    for name, scores in found.items():
        _require(scores == wanted, f"{name} holds other scores")


def same_answer(rng: Random, folder: Path) -> None:
    """Two copies of a table give the same answer to the last bit."""
    table = made(rng)
    chosen = rng.sample(copies(table, rng), 2)
    pages, test = [], _quick(rng, table)
    for name, content in chosen:
        with _refusals():
            scores = _read(folder / name, content())
            first, second, *_ = sorted(table.systems)
            answer = compare(scores, first, second, test=test)
            pages.append(json.dumps({k: v for k, v in answer.to_dict().items() if k not in {"measure", "sources"}}))
    _require(len(pages) != 1 and len(set(pages)) <= 1, f"{chosen[0][0]} and {chosen[1][0]} answer differently")


def names(rng: Random, folder: Path) -> None:
    """Whatever systems are called, no page is acted on, and JSON and CSV keep the names."""
    table = made(rng)
    scores = Scores.from_arrays(_arrays(table), items=list(table.items), measure=rng.choice(NAMES))
    with _refusals():
        answer: Any = (
            rank(scores, resamples=199)
            if rng.random() < 0.3
            else compare(scores, table.systems[0], table.systems[1], test=_quick(rng, table))
        )
        for form in FORMATS if answer.kind == "leaderboard" else set(FORMATS) - {"csv"}:
            _page(render(answer, form), form, table)
        _require(ACTING.search(notebook_html(answer)) is None, "html is acted on")
        _require(ACTING.search(repr(answer) + str(answer)) is None, "repr is acted on")


def command(rng: Random, folder: Path) -> None:
    """Any command line ends in an exit code that means something, and in a message that can be read."""
    arguments = typed(rng, folder)
    with contextlib.chdir(folder), _within_a_minute():
        out, err, code = _called(arguments)
    _require(code in {0, 1, 2, 3}, f"exit code {code} of {arguments}: {err}")
    _require("internal error" not in err and "Traceback" not in err, err)
    _require(ACTING.search(err) is None and len(err) < LONGEST, f"stderr is acted on: {err!r}")
    if code == 0 and " ".join(arguments).rpartition("--format ")[2].startswith("json"):
        json.loads(_answered(arguments, out, folder), parse_constant=_no_constant)


def _answered(arguments: list[str], out: str, folder: Path) -> str:
    """What was printed, or what was written where the last `--output` says."""
    named = [file for flag, file in itertools.pairwise(arguments) if flag in {"-o", "--output"}]
    return (folder / named[-1]).read_text() if named and named[-1] != "-" else out


def call(rng: Random, folder: Path) -> None:
    """The Python API refuses any value of any option in words."""
    scores = Scores.from_arrays({"a": [0.1, 0.4, 0.3, 0.9], "b": [0.2, 0.4, 0.1, 0.8]})
    value = rng.choice(ODD)
    verb: Callable[[], Any] = rng.choice([
        lambda: compare(scores, "a", "b", **{rng.choice(OPTIONS): value}),
        lambda: rank(scores, **{rng.choice(OPTIONS): value}),
        lambda: plan("gaussian(sd=0.1, correlation=0.5, effect=0.1)", **{rng.choice(["items", "power", "alpha"]): value}),
        lambda: read(value),
        lambda: Scores.from_arrays({"a": value, "b": [1.0, 2.0]}),
        lambda: Scores.from_arrays({"a": [1.0, 2.0], "b": [1.0, 2.0]}, items=value),
    ])  # fmt: skip
    with _refusals(), contextlib.suppress(TypeError):
        verb()


KINDS: dict[Callable[[Random, Path], None], float] = {
    related: 50, reading: 26, same_scores: 8, same_answer: 4, names: 2, command: 6, call: 4,
}  # fmt: skip
"""How many of a hundred cases are of each kind: half are accepted inputs whose numbers are checked."""

OPTIONS = (
    "alpha",
    "seed",
    "test",
    "interval",
    "margin",
    "missing",
    "metric",
    "a",
    "correction",
    "resamples",
    "baseline",
)
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e-300, float("nan"), float("inf"), 10**400, "", "\0", "\ud800", "x" * 10_000, b"bytes", [], [[]], {}, (), object(),
    [1, "a"], [None, None], np.array(3), np.array([[1.0]]), np.array(["a", "b"]), [float("inf"), 1.0], [1e308, -1e308], 1 + 2j, {"a": 1},
    range(2), "a" * 300 + ".csv", [2**70, 1], "(", "paired_t(" * 100, iter([]), lambda: 1,
)  # fmt: skip


def _read(path: Path, content: bytes) -> Scores:
    path.write_bytes(content)
    found: Scores = read(path)
    return found


def _arrays(table: Made) -> dict[str, list[float]]:
    return {s: [table.values[s, i] for i in table.items] for s in table.systems}


def _frame(table: Made, rng: Random) -> Any:
    library: Any = import_module(rng.choice(["pandas", "polars"]))
    rows = table.rows()
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    return library.DataFrame(columns)


def _plain(scores: Scores) -> Any:
    """Scores by name, whatever the order in which systems were met."""
    order = sorted(range(len(scores.systems)), key=scores.systems.__getitem__)
    return sorted(scores.systems), scores.items, scores.values[order].tolist()


def _quick(rng: Random, table: Made) -> str:
    values = set(table.values.values())
    return rng.choice(["paired_t", "wilcoxon", "sign", *(["mcnemar"] if values <= {0.0, 1.0} else [])])


@contextlib.contextmanager
def _refusals() -> Any:
    """What is refused is refused in words that can be printed."""
    try:
        yield
    except TellapartError as error:
        for surface in ("python", "command line"):
            said = error.message_for(surface)
            said.encode()
            _require(bool(said) and ACTING.search(said) is None and len(said) < LONGEST, repr(said))


def _page(page: str, form: str, table: Made) -> None:
    if form == "json":
        said = json.loads(page, parse_constant=_no_constant)
        kept = json.dumps(said, ensure_ascii=False)
        _require(all(json.dumps(s, ensure_ascii=False) in kept for s in table.systems[:2]), "JSON lost a name")
    elif form == "csv":
        cells = {row["name"] for row in csv.DictReader(io.StringIO(page, newline=""))}
        _require(all({s, f"'{s}"} & cells for s in table.systems), "CSV lost a name")
    else:
        _require(ACTING.search(page) is None, f"{form} is acted on")


@contextlib.contextmanager
def _within_a_minute() -> Any:
    """A command that hangs is a fault like any other; its own time counts, not that of other programs."""

    def stop(*_: object) -> None:
        raise Broken("it takes more than a minute")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 60)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _called(arguments: list[str]) -> tuple[str, str, int]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stop:
            code = stop.code
    return out.getvalue(), err.getvalue(), int(code or 0)


def _no_constant(word: str) -> None:
    raise Broken(f"{word} in JSON")


def _require(kept: bool, said: str) -> None:
    if not kept:
        raise Broken(said)
