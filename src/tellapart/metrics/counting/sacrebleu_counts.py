"""Statistics per segment from sacrebleu, checked against its public score; all calls of sacrebleu are here."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, UsageError
from tellapart.metrics.counting.texts import Segment

MOST_CHECKED, FEWEST_CHECKED, SHARE_CHECKED = 100, 20, 0.05
"""Segments on which counts are held against the public score, which counts them once more: enough to notice that another version
counts otherwise, and no more, for on all of them it would take as long again."""

INSTALL = "pip install 'tellapart[mt]'"


class Scoring(Protocol):
    """The metric as a function of counts."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray: ...


def checked_counts(scoring: Scoring, kind: str, options: dict[str, Any], segments: Sequence[Segment]) -> FloatArray:
    """Counts of sacrebleu of every segment, `(segment, part)`; what the metric makes of them is its public score."""
    metric = _metric(kind, options)
    # Per segment they are private, and unchanged since 2.0: some of them are scored by the public way too.
    found = np.asarray(metric._extract_corpus_statistics(*_text_streams(segments)), dtype=np.float64)  # noqa: SLF001
    checked = min(max(FEWEST_CHECKED, int(SHARE_CHECKED * len(segments))), MOST_CHECKED)
    places = np.unique(np.linspace(0, len(segments) - 1, checked).astype(np.int64))
    public = float(metric.corpus_score(*_text_streams([segments[place] for place in places])).score)
    ours = float(scoring.value(found[places].mean(axis=0), len(places)))
    if abs(ours - public) > 1e-7:
        raise DataError(
            f"sacrebleu's {kind} of {len(places)} segments is {public!r}, and {ours!r} by its counts: this version "
            "of sacrebleu differs from 2.4 to 2.6. Install one of those: pip install 'sacrebleu>=2.4,<3'"
        )
    return found


def signature(kind: str, options: dict[str, Any], references: int) -> str:
    """The signature that sacrebleu prints."""
    metric = _metric(kind, options)
    metric.num_refs = references
    return str(metric.get_signature().format())


def _metric(kind: str, options: dict[str, Any]) -> Any:
    try:
        from sacrebleu import metrics  # noqa: PLC0415  (only texts need it)
    except ImportError:
        raise UsageError(
            f"texts are counted by sacrebleu, which is not installed: {INSTALL}. A table that holds the counts as columns needs no library"
        ) from None
    try:
        return getattr(metrics, kind)(**options)
    except (ImportError, RuntimeError, OSError) as error:
        said = " ".join(str(error).split())
        raise UsageError(f"sacrebleu cannot be used with this tokenizer: {said}") from None


def _text_streams(segments: Sequence[Segment]) -> tuple[list[str], list[list[str]]]:
    """One list of hypotheses and one list per reference, as sacrebleu takes them."""
    references = zip(*(references for _, references in segments), strict=True)
    return [text for text, _ in segments], [list(stream) for stream in references]
