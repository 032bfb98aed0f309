"""Tables of scores made at random, and copies of one table that must all give the same answer."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

NAMES = (
    "a", "B", "gpt-4o", "llama 3.1", "é", "模型", "x" * 300, "=1+1", "-b", "@c", "'=d", "[5em]", "*e", "a,b", 'q"q', "a;b", "a\tb",
    "two\nlines", "cr\rlf\r\n", "\x1b[31mred", "\u202egnp", "a\u2028b", "a|b", "`c`", "<i>", "$x$", "&amp;", "100%", "_", "{}", "\\",
    "true", "none", "0.5", "1e5", "nan", "all", "system", "\u200b\u200bz", "😀", "0", "N/A", "-", "—", " inner  blanks ", "a=b", "#h",
)  # fmt: skip
Row = dict[str, Any]
Copy = tuple[str, Callable[[], bytes]]
"""The name of a file, and what makes its content."""


@dataclass(frozen=True)
class Made:
    """A table in long form: every system on every item, so that it can also be written wide."""

    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: dict[tuple[str, str], float]

    def rows(self) -> list[Row]:
        return [{"system": s, "item": i, "score": v} for (s, i), v in self.values.items()]


def made(rng: Random) -> Made:
    """A few systems with odd names on a few dozen items, right or wrong, whole or broken numbers."""
    systems = _names(rng, rng.randint(2, 4))
    items = tuple(f"q{k}" for k in range(rng.randint(3, 25)))
    kinds: list[Callable[[], float]] = [
        lambda: float(rng.random() < 0.6), lambda: round(rng.random(), 2), lambda: rng.gauss(0, 1), lambda: float(rng.randint(1, 5)),
        lambda: rng.choice([0.0, 1e-9, 1e9]), lambda: 0.5,
    ]  # fmt: skip
    kind = rng.choice(kinds)
    return Made(systems, items, {(s, i): kind() for s in systems for i in items})


def _names(rng: Random, count: int) -> tuple[str, ...]:
    chosen: dict[str, str] = {}
    while len(chosen) < count:
        name = rng.choice(NAMES) if rng.random() < 0.7 else f"s{rng.randint(0, 999)}"
        # Readers take blanks off both ends and fold nothing else.
        chosen.setdefault(name.strip().casefold(), name.strip())
    return tuple(chosen.values())


def delimited(rows: list[list[Any]], mark: str = ",", quoting: int = csv.QUOTE_MINIMAL, end: str = "\n") -> bytes:
    text = io.StringIO(newline="")
    # Guarded as our own CSV is, so that a formula is a name; quoted where a row could be taken for another.
    plain = [[_guard(cell) for cell in row] for row in rows]
    whole = quoting if all("\r" not in str(c) and "\n" not in str(c) for row in rows for c in row) else csv.QUOTE_ALL
    csv.writer(text, delimiter=mark, quoting=whole, lineterminator=end).writerows(plain)  # type: ignore[arg-type]  # a constant
    return text.getvalue().encode()


def _guard(cell: Any) -> Any:
    from tellapart.foundation.formatting import guarded  # noqa: PLC0415  (what is fuzzed is loaded late)

    return guarded(cell) if isinstance(cell, str) else cell


def _long(table: Made, rng: Random) -> list[list[Any]]:
    rows = [[s, i, repr(v)] for (s, i), v in table.values.items()]
    rng.shuffle(rows)
    return [["system", "item", "score"], *rows]


def _wide(table: Made) -> list[list[Any]]:
    body = [[i, *(repr(table.values[s, i]) for s in table.systems)] for i in table.items]
    return [["item", *table.systems], *body]


def copies(table: Made, rng: Random) -> list[Copy]:
    """The same scores in other files: order, delimiter, quoting, line ends, compression, format and layout."""
    found: list[Copy] = [
        ("shuffled.csv", lambda: delimited(_long(table, rng))),
        ("quoted.csv", lambda: delimited(_long(table, rng), quoting=csv.QUOTE_ALL, end="\r\n")),
        ("bom.csv", lambda: b"\xef\xbb\xbf" + delimited(_long(table, rng))),
        ("tabs.tsv", lambda: delimited(_long(table, rng), mark="\t", quoting=csv.QUOTE_ALL)),
        ("packed.csv.gz", lambda: gzip.compress(delimited(_long(table, rng)))),
        ("lines.jsonl", lambda: "\n".join(json.dumps(row) for row in _shuffled(table, rng)).encode()),
        ("array.json", lambda: _array(table, rng)),
        ("long.parquet", lambda: _parquet(_columns(_shuffled(table, rng)), rng)),
        ("packed.parquet.gz", lambda: gzip.compress(_parquet(_columns(table.rows()), rng))),
    ]
    if wide_is_safe(table):
        found += [
            ("wide.csv", lambda: delimited(_wide(table))),
            ("wide.parquet", lambda: _parquet(_wide_columns(table), rng)),
        ]
    return found


def _shuffled(table: Made, rng: Random) -> list[Row]:
    return rng.sample(table.rows(), len(table.values))


def _array(table: Made, rng: Random) -> bytes:
    return json.dumps(table.rows(), indent=rng.choice([None, 2]), ensure_ascii=False).encode()


def _columns(rows: list[Row]) -> dict[str, list[Any]]:
    return {key: [row[key] for row in rows] for key in rows[0]}


def _wide_columns(table: Made) -> dict[str, list[Any]]:
    scores = {s: [table.values[s, i] for i in table.items] for s in table.systems}
    return {"item": list(table.items), **scores}


def _parquet(columns: dict[str, list[Any]], rng: Random) -> bytes:
    """As any writer of the format may lay it out: types of text and numbers, dictionaries, pages, row groups, compression."""
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    out = pa.BufferOutputStream()
    parquet.write_table(
        pa.table({name: _typed(values, rng) for name, values in columns.items()}),
        out,
        row_group_size=rng.choice([None, 1, 7]),
        compression=rng.choice(["none", "snappy", "gzip", "zstd"]),
        use_dictionary=rng.choice([True, False]),
        data_page_version=rng.choice(["1.0", "2.0"]),
        version=rng.choice(["1.0", "2.6"]),
    )
    return bytes(out.getvalue())


def _typed(values: list[Any], rng: Random) -> Any:
    """The values in a type that holds them as they are."""
    pa = import_module("pyarrow")
    if isinstance(values[0], str):
        texts = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
        return pa.array(values, rng.choice(texts))
    kinds = [pa.float64()]
    if all(v.is_integer() and abs(v) < 2**24 for v in values):
        kinds += [pa.float32(), pa.int32(), pa.int64()]
    if set(values) <= {0.0, 1.0}:
        kinds += [pa.int8(), pa.uint64(), pa.bool_()]
    kind = rng.choice(kinds)
    return pa.array(map(bool, values) if pa.types.is_boolean(kind) else values, kind)


def wide_is_safe(table: Made) -> bool:
    """Whether no system is called what a column of another role is called."""
    from tellapart.readers.tables.columns import usual_role  # noqa: PLC0415

    return all(usual_role(s) is None and not s.lstrip("'").startswith(tuple("0123456789+-=")) for s in table.systems)


def damaged(content: bytes, rng: Random) -> bytes:
    """A file that something happened to."""
    ways: list[Callable[[bytearray], Any]] = [
        lambda b: b.__setitem__(rng.randrange(len(b)), rng.randrange(256)),
        lambda b: b.__delitem__(slice(rng.randrange(len(b)), None)),
        lambda b: b.__delitem__(slice(0, rng.randrange(len(b)))),
        lambda b: b.__setitem__(slice(k := rng.randrange(len(b)), k), rng.choice(SPLINTERS)),
        lambda b: b.extend(bytes(b[: rng.randrange(len(b))])),
        lambda b: b.reverse(),
        lambda b: b.__setitem__(slice(0, 0), rng.choice(SPLINTERS)),
    ]
    found = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        if found:
            rng.choice(ways)(found)
    return bytes(found)


SPLINTERS = (
    b"\0", b"\xff\xfe", b'"', b"\n\n\n", b",,,,", b"\xed\xa0\x80", b"1e999", b"nan", b"[" * 300, b"{" * 300, b"PAR1", b"PK\x03\x04",
    b"\x1f\x8b", b"\r", b"'", b"\xe2\x80\xae", b"\x1b[2J", b"0x10", b"1_000", b"\xd9\xa1", b"-", b"NaN", b"Infinity", b"system,", b"\x00" * 50,
)  # fmt: skip
