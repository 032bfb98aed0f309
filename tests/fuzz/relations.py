"""Relations between answers: what is done to an accepted input, and what it must do to the numbers."""

import contextlib
import io
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.tables import Made, delimited, made

from tellapart import Scores, compare, rank, read
from tellapart.cli import main
from tellapart.foundation.errors import Degenerate

Answer = dict[str, Any]
PLAIN = ("base", "new", "old v2", "gpt-4o", "é", "模型", "s 1", "candidate")
ALIKE = 1e-9
"""How far two numbers may lie apart that are the same in exact arithmetic."""


class Unlike(AssertionError):
    """Two answers that should be the same, or one the mirror of the other."""


def related(rng: Random, folder: Path) -> None:
    """One accepted input, changed in a way whose effect on every number is known."""
    RELATIONS[rng.choice(list(RELATIONS))](rng, accepted(rng), folder)


def accepted(rng: Random) -> Made:
    """A table that is answered: plain names, 3 to 40 items, scores of six kinds."""
    table = made(rng)
    systems = tuple(rng.sample(PLAIN, len(table.systems)))
    names = dict(zip(table.systems, systems, strict=True))
    # Beside 1e9 the rounding of a mean is larger than 1e-9.
    return Made(systems, table.items, {(names[s], i): 1.0 if v > 1e6 else v for (s, i), v in table.values.items()})


def answered(table: Made, first: str, second: str, **options: Any) -> Answer:
    arrays = {s: [table.values[s, i] for i in table.items] for s in table.systems}
    return compare(Scores.from_arrays(arrays, items=list(table.items)), first, second, **options).to_dict()


def pair_of(table: Made) -> tuple[str, str]:
    return table.systems[0], table.systems[1]


def right_or_wrong(table: Made) -> bool:
    return {table.values[s, i] for s in pair_of(table) for i in table.items} <= {0.0, 1.0}


def swapped_systems(rng: Random, table: Made, folder: Path) -> None:
    first, second = pair_of(table)
    one, other = answered(table, first, second), answered(table, second, first)
    require(one["effect"], -other["effect"], "the effect is not mirrored")
    require(one["pvalue"], other["pvalue"], "swapping moves the p-value")
    require(one["interval"]["low"], mirrored(other["interval"]["high"]), "the interval is not mirrored")
    require(one["shown"]["better"]["pvalue"], other["shown"]["worse"]["pvalue"], "better is not the mirror of worse")


def renamed_systems(rng: Random, table: Made, folder: Path) -> None:
    names = dict(zip(table.systems, rng.sample(PLAIN, len(table.systems)), strict=True))
    other = Made(tuple(names.values()), table.items, {(names[s], i): v for (s, i), v in table.values.items()})
    same_numbers(answered(table, *pair_of(table)), answered(other, *pair_of(other)), "renaming")


def shuffled_items(rng: Random, table: Made, folder: Path) -> None:
    items = tuple(rng.sample(table.items, len(table.items)))
    other = Made(table.systems, items, {(s, i): table.values[s, i] for s in table.systems for i in items})
    same_numbers(answered(table, *pair_of(table)), answered(other, *pair_of(table)), "the order of items")


def scaled_scores(rng: Random, table: Made, folder: Path) -> None:
    """By a power of two, so that nothing is rounded; right or wrong scores would become others."""
    factor = 2.0 ** rng.randint(-3, 3)
    other = Made(table.systems, table.items, {key: v * factor for key, v in table.values.items()})
    if any(right_or_wrong(one) for one in (table, other)):
        return
    one, two = answered(table, *pair_of(table)), answered(other, *pair_of(table))
    require(one["pvalue"], two["pvalue"], f"the p-value of scores times {factor}")
    for name, value in (
        ("effect", one["effect"]),
        ("low", one["interval"]["low"]),
        ("high", one["interval"]["high"]),
    ):
        found = two["effect"] if name == "effect" else two["interval"][name]
        require(None if value is None else value * factor, found, f"{name} of scores times {factor}")


def encoded_files(rng: Random, table: Made, folder: Path) -> None:
    rows = long_rows(table)
    text = delimited(rows).decode()
    encoding = rng.choice(["utf-8-sig", "utf-16", "latin-1"])
    with contextlib.suppress(UnicodeEncodeError):
        write(folder / "encoded.csv", text.encode(encoding))
        same_numbers(answered(table, *pair_of(table)), of_file(folder / "encoded.csv", table), encoding)


def shuffled_columns(rng: Random, table: Made, folder: Path) -> None:
    rows = [[*row, "a note"] for row in long_rows(table)]
    rows[0][-1] = "remark"
    order = rng.sample(range(len(rows[0])), len(rows[0]))
    body = rng.sample(rows[1:], len(rows) - 1)
    write(folder / "columns.csv", delimited([[row[k] for k in order] for row in (rows[0], *body)]))
    same_numbers(answered(table, *pair_of(table)), of_file(folder / "columns.csv", table), "the order of columns")


def split_files(rng: Random, table: Made, folder: Path) -> None:
    """Rows in two files are the rows of one."""
    head, *body = long_rows(table)
    cut = rng.randint(1, len(body) - 1)
    paths = [folder / "part-1.csv", folder / "part-2.csv"]
    for path, part in zip(paths, (body[:cut], body[cut:]), strict=True):
        write(path, delimited([head, *part]))
    rng.shuffle(paths)
    found = compare(read([str(path) for path in paths]), *pair_of(table)).to_dict()
    same_numbers(answered(table, *pair_of(table)), found, "splitting the file")


def same_on_every_surface(rng: Random, table: Made, folder: Path) -> None:
    """Python, JSON, text and page of the command line say one thing."""
    first, second = pair_of(table)
    write(folder / "table.csv", delimited(long_rows(table)))
    words = ["compare", str(folder / "table.csv"), "--a", first, "--b", second]
    typed = json.loads(printed([*words, "--format", "json"]))
    same_numbers(of_file(folder / "table.csv", table), typed, "the command line")
    form = rng.choice(["text", "markdown"])
    page = " ".join(printed([*words, "--format", form]).replace("\\", "").split())
    require_said(typed["headline"], page, form)


def ranked_as_compared(rng: Random, table: Made, folder: Path) -> None:
    """A board has the effect of `compare` for each of its pairs, whatever its systems are called."""
    arrays = {s: [table.values[s, i] for i in table.items] for s in table.systems}
    board = rank(Scores.from_arrays(arrays, items=list(table.items)), resamples=199).to_dict()
    for pair in board["pairs"]:
        with contextlib.suppress(Degenerate):
            one = answered(table, pair["a"], pair["b"], test="paired_t")
            require(pair["effect"], one["effect"], "a pair of the board")


def renamed_board(rng: Random, table: Made, folder: Path) -> None:
    """Corrected p-values and intervals of a board hang on its scores and on no name."""
    names = dict(zip(table.systems, rng.sample(PLAIN, len(table.systems)), strict=True))
    boards = []
    for called in ({s: s for s in table.systems}, names):
        arrays = {called[s]: [table.values[s, i] for i in table.items] for s in table.systems}
        boards.append(rank(Scores.from_arrays(arrays, items=list(table.items))).to_dict())
    found = {frozenset((pair["a"], pair["b"])): pair for pair in boards[1]["pairs"]}
    for pair in boards[0]["pairs"]:
        other = found[frozenset((names[pair["a"]], names[pair["b"]]))]
        require(pair["adjusted_pvalue"], other["adjusted_pvalue"], "renaming moves a corrected p-value")
        turned = other["a"] != names[pair["a"]]
        ends = (mirrored(other["high"]), mirrored(other["low"])) if turned else (other["low"], other["high"])
        for one, two in zip((pair["low"], pair["high"]), ends, strict=True):
            require(one, two, "renaming moves an interval of a board")


RELATIONS: dict[str, Callable[[Random, Made, Path], None]] = {
    one.__name__: one
    for one in (
        swapped_systems,
        renamed_systems,
        shuffled_items,
        scaled_scores,
        encoded_files,
        shuffled_columns,
        split_files,
        same_on_every_surface,
        ranked_as_compared,
        renamed_board,
    )
}


def long_rows(table: Made) -> list[list[Any]]:
    return [["system", "item", "score"], *([s, i, repr(v)] for (s, i), v in table.values.items())]


def write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def of_file(path: Path, table: Made) -> Answer:
    return compare(read(str(path)), *pair_of(table)).to_dict()


def printed(words: list[str]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            main(words)
        except SystemExit as stop:
            if stop.code:
                raise Unlike(f"exit code {stop.code} of {words}") from None
    return out.getvalue()


TEXTS = {"lost", "signature", "sources", "source", "headline", "sentence", "name", "text", "to_settle"}
"""Fields that say names, or where the scores lay."""


def numbers(found: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number of an answer by its path."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key not in TEXTS and key != "notes":
                yield from numbers(value, f"{path}.{key}")
    elif isinstance(found, list):
        for place, value in enumerate(found):
            yield from numbers(value, f"{path}[{place}]")
    elif isinstance(found, int | float):
        yield path, float(found)


def same_numbers(one: Answer, other: Answer, said: str) -> None:
    first, second = dict(numbers(one)), dict(numbers(other))
    if first.keys() != second.keys():
        raise Unlike(f"{said} changes which numbers there are: {sorted(first.keys() ^ second.keys())[:5]}")
    for path, value in first.items():
        require(value, second[path], f"{said} moves {path}")


def mirrored(value: float | None) -> float | None:
    return None if value is None else -value


def require(one: float | None, other: float | None, said: str) -> None:
    if one is None or other is None:
        if one is not other:
            raise Unlike(f"{said}: {one!r} and {other!r}")
    elif not math.isclose(one, other, rel_tol=ALIKE, abs_tol=1e-12):
        raise Unlike(f"{said}: {one!r} and {other!r}")


def require_said(headline: str, page: str, form: str) -> None:
    if " ".join(headline.split()) not in page:
        raise Unlike(f"{form} does not say {headline!r}")
