"""Errors for texts or labels passed as scores, with the command that computes a metric from them."""

import re
from collections.abc import Sequence
from itertools import islice

from tellapart.foundation.errors import ReadError
from tellapart.foundation.spelling import name_of
from tellapart.foundation.surfaces import option
from tellapart.metrics import METRICS
from tellapart.metrics.from_labels import LabelMetric
from tellapart.metrics.from_texts import TextMetric
from tellapart.readers.format import FORMATS, Certainty
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import usual_role

LOOKED_AT = 100
"""Lines from the top: enough to see of what kind a file is."""

COUNTED = {
    "texts": (" and ".join(TextMetric.counted_from), "bleu"),
    "predictions": (" and ".join(LabelMetric.counted_from), "accuracy"),
}
"""Formats of tables that hold no scores: what they hold, and a metric of it."""

FEWEST_WORDS = 3
"""Least number of blanks between letters that makes a line a sentence, or part of one."""

_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_](?=\s|$)")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{4}")
"""Thai, Lao, Khmer, Japanese and Chinese, which write without blanks."""

_BETWEEN_CELLS = re.compile(r"[,;\t]")


def advise_metric(error: ReadError, origins: Sequence[Origin], metric: object) -> ReadError:
    """The refusal of files as scores; of what has to be counted first, one that says by what."""
    named = name_of(str(metric))
    counted_from = METRICS[named].counted_from if named in METRICS else ()
    if origins and all(looks_like_text(origin) and not _known(origin) for origin in origins):
        meant = str(metric) if counted_from == TextMetric.counted_from else "bleu"
        return _of_text(error, origins[0].name, meant)
    if not origins or counted_from:
        return error
    kinds = {kind for origin in origins for kind in COUNTED if FORMATS[kind]().claim(origin) == Certainty.CERTAIN}
    return _of_columns(error, origins[0].name, kinds.pop()) if len(kinds) == 1 else error


def _of_text(error: ReadError, file: str, metric: str) -> ReadError:
    return ReadError(
        f"{file}: looks like text, one segment per line, and not like a table of scores. To compare what systems "
        f"wrote, name reference texts and a metric: {option('reference', 'FILE')} {option('metric', metric)}. As a "
        f"table it cannot be read: {error.message.removeprefix(f'{file}: ')}"
    )


def _of_columns(error: ReadError, file: str, kind: str) -> ReadError:
    made_of, metric = COUNTED[kind]
    return ReadError(
        f"{file}: holds columns of {made_of}, which a metric is counted from: {option('metric', metric)}. As scores they cannot be "
        f"read: {error.message.removeprefix(f'{file}: ')}"
    )


def looks_like_text(origin: Origin) -> bool:
    """Whether nearly all lines are sentences, and no header or steady number of cells makes them a table."""
    if origin.preview.kind != "text":
        return False
    lines = list(islice((line for line in origin.opening.splitlines() if line.strip()), LOOKED_AT))
    return bool(lines) and not _tabular(lines) and sum(map(_sentence, lines)) > 0.5 * len(lines)


def _known(origin: Origin) -> bool:
    """Whether the lines are known for what they are, such as those that begin with the signature of a metric."""
    return any(FORMATS[name]().claim(origin) == Certainty.CERTAIN for name in FORMATS if name not in COUNTED)


def _tabular(lines: Sequence[str]) -> bool:
    """Whether a column is called like a role, or all lines have as many cells, and more than one."""
    cells = [name.strip(" \t\"'") for name in _BETWEEN_CELLS.split(lines[0])]
    marks = {len(_BETWEEN_CELLS.findall(line)) for line in lines}
    steady = len(lines) > 1 and len(marks) == 1 and marks != {0}
    return steady or any(map(usual_role, cells))


def _sentence(line: str) -> bool:
    return len(_WORD.findall(line)) >= FEWEST_WORDS or _UNSPACED.search(line) is not None
