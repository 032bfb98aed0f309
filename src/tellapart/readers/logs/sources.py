"""What every file gave, which way its measure points, and what is odd about it."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tellapart.doors import option
from tellapart.errors import ReadError
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.marks import ABSENT, FAILED, SCORED
from tellapart.remarks import Remark
from tellapart.sources import Better, Reading, Source


def sources_of(found: Sequence[Found]) -> tuple[Source, ...]:
    """A count per file, system and dataset; files that give no row are none."""
    counted: list[Source] = []
    for one in found:
        counts: dict[tuple[str, str], Counter[int]] = {}
        if not {"system", "dataset"} & one.texts.keys() and len(one):
            key = (one.facts.system or one.label, one.facts.dataset or "")
            counts[key] = Counter(dict(enumerate(np.bincount(one.marks, minlength=3).tolist())))
        if not counts:
            cells = zip(one.system_of_rows(), one.dataset_of_rows(), one.marks.tolist(), strict=True)
            for (system, dataset, mark), times in Counter(cells).items():
                counts.setdefault((system, dataset), Counter())[mark] = times
        counted.extend(
            Source(
                one.origin.name, one.format.name, system, dataset or None, sum(by.values()),
                by[SCORED], by[ABSENT], by[FAILED],
            )
            for (system, dataset), by in counts.items()
        )  # fmt: skip
    return tuple(counted)


def better_of(found: Sequence[Found], measure: str) -> Better | None:
    """Which scores are better, as far as the files say; two that say otherwise are refused."""
    said: dict[Better, Found] = {}
    for one in found:
        own = one.facts.directions.get(one.format.meant(measure)[0]) or one.facts.direction
        if own is not None and len(one):
            said.setdefault(own, one)
    if len(said) > 1:
        up, down = (said[which].origin.name for which in ("higher", "lower"))
        raise ReadError(
            f"higher scores of {measure!r} are better in {up} and lower ones in {down}. Say which: "
            f"{option('higher_is_better')} or {option('lower_is_better')}"
        )
    return next(iter(said), None)


def remarks_on(found: Sequence[Found], reading: Reading) -> tuple[Remark, ...]:
    """What did not come to its end, and what failed."""
    unfinished = [one for one in found if one.facts.status in {"unfinished", "withdrawn"} and len(one)]
    failed = [
        Remark(
            "failures_as_zero" if reading.zeroed else "failures_left_out",
            {"system": source.system, "errors": source.errors, "of": source.rows},
            source.system,
        )
        for source in reading.sources
        if source.errors
    ]
    return (
        *(
            Remark("unfinished_source", {"file": one.origin.name, "because": one.facts.because})
            for one in unfinished
        ),
        *failed,
    )
