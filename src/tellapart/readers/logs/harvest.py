"""What all files hold that were met, folders and archives opened, whatever is asked for of it later."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tellapart.foundation.errors import ReadError
from tellapart.foundation.files import refuse_rows
from tellapart.foundation.surfaces import option
from tellapart.readers.detect import barren, detect, surest
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.log import Kind, Log
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.entries import (
    NO_FORMAT,
    NO_ITEMS,
    Skipped,
    files_in,
    members_of,
    of_kind,
    of_table,
    refuse_votes,
)
from tellapart.readers.logs.found import Found, gather
from tellapart.readers.logs.groups import by_label
from tellapart.readers.naming import name_systems, stem
from tellapart.readers.storage.files import Folder
from tellapart.readers.storage.origin import Origin


@dataclass
class Harvest:
    """All files that were met: what they hold, what was passed over, and the datasets that nobody asked for."""

    found: list[Found] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    other_datasets: dict[str, None] = field(default_factory=dict)
    alone: bool = False
    """Whether one file was named, which may then hold several systems side by side."""


def harvested(origins: Sequence[Origin], asked: Asked) -> Harvest:
    """What all the files hold, whatever is asked for later."""
    harvest = Harvest(alone=len(origins) == 1 or bool(asked.labels))
    labels = asked.labels or [None] * len(origins)
    for path, label in zip(origins, labels, strict=True):
        _take(path, label, asked, harvest)
    for files in by_label(harvest.found):
        _label(files)
    return harvest


def _take(path: Origin, label: str | None, asked: Asked, harvest: Harvest) -> None:
    """What lies under a path, all of it in the group of this label where there is one."""
    for origin, format_, named in _files(path, asked, harvest):
        found = _found(origin, format_, asked, harvest, named=named)
        if found is not None and found.measures:
            found.facts = replace(found.facts, group=label)
            harvest.found.append(found)
            refuse_rows(sum(map(len, harvest.found)))
        elif found is not None and named and not asked.survey:
            refuse_unfinished([found], asked)
            raise ReadError(
                f"{origin.name}: holds no items ({format_.label}). Was the evaluation finished, and scored?"
            )
        elif found is not None:
            harvest.skipped.add(*_without_items(found), origin.name)


def _without_items(found: Found) -> tuple[str, str]:
    """What a log without items is passed over for: that it is none of a finished evaluation, where it says so."""
    what, why = NO_ITEMS
    return (what, f"{why}: {found.facts.because}") if found.facts.because else (what, why)


def _found(origin: Origin, format_: Format, asked: Asked, harvest: Harvest, *, named: bool) -> Found | None:
    """What a file holds; nothing where it is all of a dataset that nobody asks for."""
    if isinstance(format_, Kind):
        if asked.survey:
            return of_kind(origin, format_, named=named)
        refuse_votes(origin, format_)
    if not isinstance(format_, Log):
        return of_table(origin, format_, asked, alone=harvest.alone)
    opened = format_.opened(origin)
    dataset = opened.facts.dataset
    if asked.dataset is not None and dataset is not None and dataset != asked.dataset:
        harvest.other_datasets[dataset] = None
        return None
    facts = opened.facts.about(asked.measure)
    return gather(Found(origin, format_, facts, "", named), format_, opened, asked)


def _label(found: Sequence[Found]) -> None:
    """Files that say no system are called after their names."""
    unnamed = [one for one in found if one.facts.system is None and "system" not in one.texts]
    paths = [one.origin.name for one in unnamed]
    ends = [one.format.label_of(one.origin.path) for one in unnamed]
    # Two files of one folder that are called after it are told apart by their own names.
    places = Counter((str(Path(path).parent), end) for path, end in zip(paths, ends, strict=True))
    ends = [
        end if places[str(Path(one.origin.name).parent), end] == 1 else stem(one.origin.path)
        for one, end in zip(unnamed, ends, strict=True)
    ]
    for one, label in zip(unnamed, name_systems(paths, ends), strict=True):
        one.label = label


def _files(origin: Origin, asked: Asked, harvest: Harvest) -> Iterator[tuple[Origin, Format, bool]]:
    inner: Iterable[Origin] | None = None
    known = FORMATS[asked.format]() if asked.format else None
    if isinstance(origin, Folder):
        inner = files_in(origin.name, origin.limits, harvest.skipped)
    elif origin.sight.kind == "zip":
        format_, certainty = surest(origin)
        if certainty < Certainty.CERTAIN:
            inner = members_of(origin)
        known = known or format_
    if inner is None:
        yield origin, known or detect(origin), True
        return
    for file in inner:
        format_ = _quietly(file, asked, harvest.skipped)
        if format_ is not None:
            yield file, format_, False


def _claim(origin: Origin, asked: Asked) -> tuple[Format | None, Certainty]:
    """The format that is asked for, or the one that is surest."""
    return (FORMATS[asked.format](), Certainty.CERTAIN) if asked.format else surest(origin)


def _quietly(origin: Origin, asked: Asked, skipped: Skipped) -> Format | None:
    """The format of a file in a folder, if there is one; what cannot be read there stops nobody."""
    try:
        format_, certainty = _claim(origin, asked)
    except ReadError:
        skipped.add(*NO_FORMAT, origin.name)
        return None
    if isinstance(format_, Log) and certainty == Certainty.CERTAIN:
        return format_
    if isinstance(format_, Kind) and certainty == Certainty.CERTAIN:
        if asked.survey:
            return format_
        skipped.add("files", f"{format_.label}; {format_.way}", origin.name)
        return None
    said = barren(origin)
    skipped.add(*(NO_FORMAT if said is None else ("files without items", said)), origin.name)
    return None


def refuse_unfinished(found: Sequence[Found], asked: Asked) -> None:
    """Half an evaluation is read only by who asks for it."""
    for one in found:
        if one.facts.status in {"unfinished", "withdrawn"} and not asked.partial:
            raise ReadError(
                f"{one.origin.name}: the evaluation did not come to its end ({one.facts.because}). To read what there is of it, "
                f"pass {option('partial')}"
            )
