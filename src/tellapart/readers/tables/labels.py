"""Columns of names, encoded as integers while the rows are read."""

import json
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from tellapart.data.encoded_names import EncodedArray, encode_names, unique_names
from tellapart.data.roles import Role
from tellapart.data.rows import Labels
from tellapart.readers.tables.table import InvalidCell, joined_text

# A column that grows while rows stream by, in one piece of memory.

Number = TypeVar("Number", bound=np.generic)

LEAST = 1024
"""Numbers that room is made for at first, so that small files grow it once."""


class Growing(Generic[Number]):
    """Rows of one shape, added some at a time.

    Pieces that are joined at the end are in memory twice then. One array that is made larger is not: large ones are moved by the
    system without a copy.
    """

    def __init__(self, dtype: npt.DTypeLike, row: tuple[int, ...] = ()) -> None:
        self._held: npt.NDArray[Any] = np.empty((0, *row), dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: npt.NDArray[Number]) -> None:
        needed = self._count + len(rows)
        if needed > len(self._held):
            # By an eighth: what is not filled yet counts as memory too.
            self._resize(max(LEAST, needed, len(self._held) * 9 // 8))
        self._held[self._count : needed] = rows
        self._count = needed

    def widen(self, dtype: npt.DTypeLike) -> None:
        """Rows of a wider kind from now on."""
        self._held = self._held[: self._count].astype(dtype)

    @property
    def dtype(self) -> "np.dtype[Any]":
        return self._held.dtype

    def taken(self) -> npt.NDArray[Number]:
        """All rows; nothing is added after that."""
        self._resize(self._count)
        return self._held

    def _resize(self, rows: int) -> None:
        if rows != len(self._held):  # once it is taken, others may look at it
            self._held.resize((rows, *self._held.shape[1:]), refcheck=False)


NESTED = (dict, list, tuple, set, np.ndarray)

FEW_NAMES = 1 << 18
"""Distinct names up to which each is a text with a number of its own; more of them are packed, and numbered at the end."""


class LabelColumn:
    """The names of one role, row by row over all files; each distinct name gets a number in the order they are met."""

    def __init__(self, role: Role) -> None:
        self.role = role
        self._codes: defaultdict[str, int] = defaultdict(count().__next__)
        self._rows: Growing[np.int64] = Growing(np.int64)
        self._packed: Growing[np.bytes_] | None = None
        self._packs = role.many

    def add(self, cells: Sequence[Any], copies: int = 1) -> None:
        """Cells as a file has them, all of them again for each copy."""
        # Cells of text, the usual case, are told by joining them, many times faster than by asking each.
        texts = cells if joined_text(cells) is not None else _texts(cells)
        if self._packed is not None and self._pack(texts, copies):
            return
        codes = np.fromiter(map(self._codes.__getitem__, texts), np.int64, len(texts))
        self._rows.add(codes if copies == 1 else np.tile(codes, copies))
        if self._packs and len(self._codes) > FEW_NAMES:
            self._start_packing()

    def add_each(self, names: Sequence[str], times: int) -> None:
        """Each name for as many rows as one table or system has."""
        if self._packed is not None:
            self.add([name for name in names for _ in range(times)])
            return
        self._rows.add(np.repeat(np.array([self._codes[name] for name in names], dtype=np.int64), times))

    def fill(self, rows: int) -> None:
        """Fill up to this row with the default name of a role that the table lacks."""
        if len(self) < rows:
            assert self.role.absent is not None
            self.add_each([self.role.absent], rows - len(self))

    def __len__(self) -> int:
        return len(self._rows) if self._packed is None else len(self._packed)

    def _start_packing(self) -> None:
        found = encode_names(list(map(str.strip, self._codes)))
        self._packs = found is not None
        if found is not None:
            self._packed = Growing(found.dtype)
            self._packed.add(found[self._rows.taken()])
            self._rows, self._codes = Growing(np.int64), defaultdict(count().__next__)

    def _pack(self, texts: Sequence[str], copies: int) -> bool:
        """Add these to the packed names; where one of them cannot be packed, all become texts again."""
        assert self._packed is not None
        found = encode_names(list(map(str.strip, texts)))
        if found is None:
            self._unpack()
            return False
        if found.dtype.itemsize > self._packed.dtype.itemsize:
            self._packed.widen(found.dtype)
        self._packed.add(found if copies == 1 else np.tile(found, copies))
        return True

    def _unpack(self) -> None:
        known = self.labels()
        self._packed, self._packs = None, False
        places = np.array([self._codes[name] for name in known.names], dtype=np.int64)
        self._rows = Growing(np.int64)
        self._rows.add(places[known.codes])

    def labels(self) -> Labels:
        """All rows; blanks around a name do not count."""
        if self._packed is not None:
            array: EncodedArray = self._packed.taken()
            return Labels(*unique_names(array))
        # Stripped here, once per distinct name, instead of once per row.
        rows, names = self._rows.taken(), tuple(self._codes)
        stripped = tuple(map(str.strip, names))
        if stripped == names:
            return Labels(names, rows)
        combine_rows = Labels.of(stripped)
        return Labels(combine_rows.names, combine_rows.codes[rows])


def _texts(column: Sequence[Any]) -> list[str]:
    for row, cell in enumerate(column):
        if isinstance(cell, NESTED):
            raise InvalidCell(
                row,
                cell,
                "a name or number",
                "Use a column without nested values, or lift the name out, for example with jq -c '.system = .model.name'",
            )
    return list(map(as_text, column))


SHOWN_TEXT = 60
"""Characters of a question that are kept, to show it; what follows is kept as a hash."""


def question_key(asked: Any) -> str:
    """A question as a short text that differs where questions do; of a chat, what its users said.

    >>> question_key(" What is 2+2? "), question_key([{"id": "m1", "role": "user", "content": "Hi"}]), question_key(None)
    ('What is 2+2?', 'Hi', '')
    """
    text = asked if type(asked) is str else _written_question(asked)
    text = text.strip()
    if len(text) <= SHOWN_TEXT:
        return text
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=12)
    return f"{text[:SHOWN_TEXT]}… {digest.hexdigest()}"


def _written_question(asked: Any) -> str:
    if asked is None or (isinstance(asked, float) and asked != asked):  # noqa: PLR0124  (only NaN differs from itself)
        return ""
    if not isinstance(asked, dict | list | tuple):
        return str(asked)
    messages = [one for one in asked if isinstance(one, dict) and "content" in one]
    by_users = [one["content"] for one in messages if one.get("role") == "user"]
    # Messages have ids and settings of their own in every run.
    said: Any = by_users or [one["content"] for one in messages] or asked
    return "\n".join(said) if joined_text(said) is not None else json.dumps(said, sort_keys=True, default=str)


def as_text(cell: Any) -> str:
    """A name as text: 7 and "7" are the same name, and nothing is a blank."""
    return "" if cell is None else str(cell)
