"""Every format that can be read."""

import inspect

from tellapart.readers import FORMATS
from tellapart.readers.format import Format
from tellapart.readers.kind import Kind
from tellapart.readers.log import Log
from tellapart.results.format_list import FormatList, KnownFormat


def known_formats() -> FormatList:
    """What can be read, tables first."""
    kinds = sorted((FORMATS[name] for name in FORMATS), key=lambda kind: not kind.tabular)
    return FormatList(tuple(_known(kind) for kind in kinds))


def _known(kind: type[Format]) -> KnownFormat:
    log = kind if issubclass(kind, Log) else None
    column = kind.items if issubclass(kind, Kind) else "a column of items"
    about = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
    return KnownFormat(
        name=kind.name,
        label=kind.label,
        program="" if log is None else log.program,
        items=column if log is None else log.items,
        axes=() if log is None else tuple(axis.name for axis in log.axes),
        about=about,
    )
