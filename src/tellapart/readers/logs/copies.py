"""A file that repeats the records of another one under another name."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tellapart.errors import ReadError
from tellapart.readers.logs.found import Found
from tellapart.remarks import Remark


def remarks_on_copies(found: Sequence[Found]) -> tuple[Remark, ...]:
    """Refuse a copy that a folder holds; of two files that the caller named, or that are in two groups, only tell."""
    seen: dict[bytes, list[Found]] = {}
    remarks = []
    sums = Counter(map(_sum, found))
    # A file of one item is like another one by chance; most are told apart by their sums.
    for one in (one for one in found if len(one) > 1 and sums[_sum(one)] > 1):
        for other in seen.setdefault(_scores(one), []):
            # What one of two groups repeats of the other may be meant: a system that was not run again.
            if (one.named and other.named) or one.facts.group != other.facts.group:
                remarks.append(Remark("equal_records", {"files": [other.origin.name, one.origin.name]}))
            elif _content(one) == _content(other):
                raise _refusal(one.origin.name, other.origin.name)
        seen[_scores(one)].append(one)
    return tuple(remarks)


def _refusal(name: str, other: str) -> ReadError:
    if Path(name).resolve() == Path(other).resolve():
        return ReadError(f"{name}: this file is given twice, with a folder that it lies in. Pass it once")
    return ReadError(f"{name}: the same records as in {other}, under another name. Remove one of them")


def _sum(one: Found) -> tuple[int, float]:
    return len(one), float(np.nansum(one.values))


def _scores(one: Found) -> bytes:
    """What tells most files apart without reading them again."""
    digest = hashlib.blake2b(digest_size=16)
    order = sorted(range(len(one)), key=one.column("item").__getitem__)
    values = one.values[order]
    digest.update("\0".join(one.column("item")[i] for i in order).encode(errors="replace"))
    digest.update(values.tobytes())
    digest.update(one.marks[order].tobytes())
    return digest.digest()


def _content(one: Found) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    with one.origin.binary() as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.digest()
