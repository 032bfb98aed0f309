"""What a caller gives: files, each by its format as a table, or a frame."""

from typing import Any

from tellapart.foundation.errors import UsageError
from tellapart.readers.detect import best_format, detect
from tellapart.readers.format import Certainty, Format
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.files import FileList, Folder, origins_at, paths_of
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Table


def locate_all(source: Any, limits: Limits) -> list[Origin] | None:
    """The files that are meant, or None where the source is no path and no list of them."""
    paths = paths_of(source)
    return None if paths is None else list(origins_at(paths, limits))


def tables_at(source: Any, origins: list[Origin] | None, asked: LogRequest) -> list[Table] | None:
    """The tables of all files, or of a frame; None where one is a log, or something is asked that only logs answer."""
    if origins is None:
        table = _frame(source)
        if asked.special:
            raise UsageError(
                "this is a frame, and where, errors, partial, universe, runs and format pick among what logs hold. Leave them out, and pass a "
                "frame of the rows that are meant"
            )
        return [table]
    # A format of many files, such as runs with their judgements, takes them as one; else each stands for itself.
    whole = FileList(", ".join(origin.name for origin in origins), "files", tuple(origins))
    together, _ = best_format(whole) if len(origins) > 1 else (None, None)
    if together is not None:
        return [together.table(whole)]
    formats = None if asked.special else [_format(origin) for origin in origins]
    if formats is None or not all(format_ is not None and format_.tabular for format_ in formats):
        return None
    return [
        format_.table(origin) for format_, origin in zip(formats, origins, strict=True) if format_ is not None
    ]


def _format(origin: Origin) -> Format | None:
    """The format of an origin; of a folder or an archive that no format takes as a whole none."""
    if isinstance(origin, Folder) or origin.preview.kind == "zip":
        format_, certainty = best_format(origin)
        return format_ if certainty == Certainty.CERTAIN else None
    return detect(origin)


def _frame(source: Any) -> Table:
    from tellapart.readers.tables import frames  # noqa: PLC0415  (narwhals is only imported for those who bring a frame)

    frame = frames.as_frame(source)
    if frame is None:
        raise UsageError(
            f"found {type(source).__name__} where scores should be. Pass a path, a list of paths or a frame; of arrays use Scores.from_arrays"
        )
    return frames.table(frame)
