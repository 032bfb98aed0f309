"""Cache keys of stored results, and a map over calls that computes only the missing results, in order."""

import functools
import inspect
import io
import json
import pickle
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tellapart
from tellapart.compute.bundle import PLAIN, own_identity
from tellapart.compute.work import CachePolicy, Call, Result, Work
from tellapart.foundation.seeds import digest

# What a store calls a study: all that its bits depend on, those who compute it included.

VERSIONED = {tellapart.__name__, "numpy", "scipy", "builtins"}
"""Packages whose version is part of every name."""


def study_name(kind: str, modules: Iterable[str] = (), **told: Any) -> str:
    """The name of a study of some kind, from its canonical spelling and whatever else tells it from others.

    `modules` are those of methods and populations that it is made of: of those from elsewhere, the text counts.
    """
    versions = {**asdict(own_identity()), "code": source_hash()}
    return json.dumps({"kind": kind, **told, "plugins": _plugins(modules), "versions": versions}, sort_keys=True)


def is_current(versions: Any) -> bool:
    """Whether what is kept under these versions is what this process would compute."""
    return bool(versions == {**asdict(own_identity()), "code": source_hash()})


@functools.cache
def source_hash() -> str:
    """The hash of this package as it is installed: versions stay the same while somebody works on it, its text does not."""
    folder = Path(tellapart.__file__).parent
    files = sorted(folder.rglob("*.py"))
    parts = (part for file in files for part in (f"|{file.relative_to(folder)}|".encode(), file.read_bytes()))
    return digest(parts)[:16]


class _Looking(pickle.Pickler):
    """Notes the modules that what is pickled comes from."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, PLAIN)
        self.modules: set[str] = set()

    def reducer_override(self, one: Any) -> Any:
        self.modules.add(getattr(one, "__module__", None) or type(one).__module__)
        return NotImplemented


def content_and_modules(subject: Any) -> tuple[str, set[str]]:
    """The hash of whatever calls are about, and the modules that it is made of."""
    file = io.BytesIO()
    looking = _Looking(file)
    looking.dump(subject)
    return digest([file.getbuffer()]), looking.modules


def _plugins(modules: Iterable[str]) -> str | None:
    outside = sorted({name for name in modules if name.partition(".")[0] not in VERSIONED})
    return digest(_source(name).encode() for name in outside)[:16] if outside else None


def _source(module: str) -> str:
    try:
        return inspect.getsource(sys.modules[module])
    except (OSError, TypeError, KeyError):
        return module  # typed at a prompt: nothing else is known of it


if TYPE_CHECKING:
    from tellapart.compute.store import Store

Computing = Callable[[Work[Result]], Generator[Result, None, None]]


def cached_in_order(
    store: "Store", work: Work[Result], cache: CachePolicy[Result], computing: Computing[Result]
) -> Generator[Result, None, None]:
    calls = list(work.calls)
    places = [cache.key(call) for call in calls]
    wanted = {place.study: place.wanted for place in places}
    there = {study: store.blocks(study, number) for study, number in wanted.items()}
    known = [(place.block, place.size) in there[place.study] for place in places]
    missing = [call for call, found in zip(calls, known, strict=True) if not found]

    def keep(call: Call, found: Result) -> None:
        place = cache.key(call)
        store.keep(place.study, (place.block, place.size), cache.written(found))
        work.tell(call, found)

    lacking = replace(work, calls=missing, count=len(missing), on_result=keep, cache=None)
    with closing(computing(lacking)) as results:
        for place, found in zip(places, known, strict=True):
            if found:
                yield cache.read(there[place.study][place.block, place.size])
            else:
                yield next(results)
