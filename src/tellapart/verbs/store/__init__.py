"""Contents of a store of finished simulations and resamples: the verb `store`."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

from tellapart.answers.store import StoreContents, StoredRow
from tellapart.compute.cache_key import is_current
from tellapart.compute.store import Store, StoredStudy
from tellapart.foundation.errors import ReadError
from tellapart.foundation.seeds import shown


def contents(path: str | Path, *, forget: bool = False) -> StoreContents:
    """The studies of a store, with the progress of each; `forget` empties it."""
    file = Path(path)
    if not _there(file):
        raise ReadError(f"{file}: there is no file. Name the one that was given as a store")
    with Store(file, create=False) as store:
        rows = tuple(map(_row, store.listed()))
        if forget:
            store.forget()
    return StoreContents(str(file), _size(file), rows, forget)


def _there(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # a name that no file can have
        return False


def _row(study: StoredStudy) -> StoredRow:
    name = json.loads(study.name)
    versions, design = name["versions"], name.get("design")
    return StoredRow(
        kind=name["kind"],
        study=name["study"] if name["kind"] != "resamples" else shown(name["data"]),
        test=name.get("test"),
        design=None if design is None else _in_words(design),
        alpha=name.get("alpha"),
        seed=name.get("seed"),
        wanted=study.wanted,
        replicates=study.replicates,
        blocks=study.blocks,
        versions=", ".join(f"{what} {which}" for what, which in versions.items()),
        usable=is_current(versions),
        last_asked=datetime.fromtimestamp(study.touched, UTC).isoformat(timespec="seconds"),
    )


def _in_words(design: str) -> str:
    return ", ".join(f"{count} {what}" for what, count in re.findall(r"(\w+)=([^,)]+)", design))


def _size(file: Path) -> int:
    """With the log beside it, where another process is writing."""
    beside = [file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))]
    return sum(one.stat().st_size for one in beside if one.exists())
