"""A board of some of the systems: what the others lack or have is nobody's business."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from tellapart.doors import option
from tellapart.errors import UnknownSystem
from tellapart.multiplicity.gaps import only
from tellapart.scores import Scores
from tellapart.verbs.rank.question import RankQuestion


def among(scores: Scores, names: tuple[str, ...]) -> Scores:
    """The scores of these systems, on the items and in the runs that any of them has; a system that is not there is refused."""
    rows = sorted({scores.system(_as_known(name, scores.systems)) for name in names})
    if len(rows) == len(scores.systems):
        return scores
    known = tuple(scores.systems[row] for row in rows)
    met = np.any([scores.scored(name) for name in known], axis=0)
    kept, reading = _in_used_runs(only(scores, np.array(rows), met)), scores.reading
    if reading is None:
        return kept
    return replace(
        kept, reading=replace(reading, sources=tuple(one for one in reading.sources if one.system in known))
    )


def _as_known(name: str, systems: tuple[str, ...]) -> str:
    """The system that is called so, or but for blanks around its name if only one is."""
    alike = [known for known in systems if known.strip() == name.strip()]
    return alike[0] if name not in systems and len(alike) == 1 else name


def _in_used_runs(scores: Scores) -> Scores:
    """Without the runs that only other systems have."""
    runs = scores.values.shape[2]
    if runs == 1:
        return scores
    used = np.any(~np.isnan(scores.values).any(axis=3), axis=(0, 1))
    return scores if used.all() else replace(scores, values=scores.values[:, :, used])


@contextmanager
def saying_how_to_quote(question: RankQuestion) -> Iterator[None]:
    """Where names in one text are not met, and a system's own name holds a comma, the refusal says how to write it."""
    try:
        yield
    except UnknownSystem as error:
        # What is known of them stands behind the name that is not, each in quotes.
        known = re.findall(r"'([^']*)'", error.message.partition(";")[2])
        with_comma = [name for name in known if "," in name]
        if not isinstance(question.systems, str) or not with_comma:
            raise
        more = " A" if error.message.endswith("?") else "; a"
        raise UnknownSystem(
            f"{error.message}{more} name that holds a comma goes in double quotes within {option('systems')}: "
            f"'\"{with_comma[0]}\",…'"
        ) from error
