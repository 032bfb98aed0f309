"""Which evidence answers a question: what the user named, else what was seen nearest to the accuracy."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tellapart.errors import ReadError, UsageError
from tellapart.evidence import EVIDENCE, Evidence, Gain, Overlap, gain_over, overlap_at
from tellapart.readers.files import locate
from tellapart.spelling import split

Named = Evidence | str | Sequence[Evidence | str] | None
"""Evidence as users give it: objects, spellings, or files that `evidence fit` wrote."""


@dataclass(frozen=True)
class Beliefs:
    """Evidence on overlap and on gains that the user named; the defaults speak where there is none."""

    named_overlap: Overlap | None = None
    named_gain: Gain | None = None

    @classmethod
    def of(cls, named: Named) -> "Beliefs":
        given = [e for item in _many(named) for e in _evidence(item)]
        overlaps = [e for e in given if isinstance(e, Overlap)]
        gains = [e for e in given if isinstance(e, Gain)]
        strays = [e for e in given if not isinstance(e, (Overlap, Gain))]
        if strays or len(overlaps) > 1 or len(gains) > 1:
            raise UsageError(
                f"evidence {', '.join(map(str, given))}: give at most one on overlap and one on gains; "
                "`tellapart evidence` lists them"
            )
        return cls(overlaps[0] if overlaps else None, gains[0] if gains else None)

    def overlap(self, accuracy: float) -> Overlap:
        """The evidence on discordance; the accuracy is that of the worse system."""
        return self.named_overlap or overlap_at(accuracy)

    def gain(self, baseline: float, dataset: str | None = None) -> Gain:
        return self.named_gain or gain_over(baseline, dataset)

    @property
    def named(self) -> str | None:
        """What was named, as it can be named again."""
        return ", ".join(str(e) for e in (self.named_overlap, self.named_gain) if e is not None) or None


def _many(named: Named) -> list[Evidence | str]:
    if named is None:
        return []
    given = list(named) if isinstance(named, Sequence) and not isinstance(named, str) else [named]
    for one in given:
        if not isinstance(one, str | Evidence):
            raise UsageError(
                f"evidence is {one!r}; wanted a spelling such as 'glue_overlap', or a file that `tellapart evidence fit` wrote"
            )
    return given


def _evidence(item: Evidence | str) -> list[Evidence]:
    if isinstance(item, Evidence):
        return [item]
    if item.strip().endswith(".json"):
        return _saved(item.strip())
    return [EVIDENCE.parse(part) for part in split(item)]


def _saved(path: str) -> list[Evidence]:
    """The evidence that `evidence fit --format json` wrote into a file."""
    try:
        with locate(path, path).text() as text:
            said = json.loads(text.read())
        spelled = [said[kind]["evidence"] for kind in ("overlap", "gain") if said.get(kind) is not None]
        schema = str(said["schema"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        schema, spelled = "", []
    if not schema.startswith("tellapart/evidence_fit/") or not all(isinstance(s, str) for s in spelled):
        raise ReadError(
            f"{path}: this is not evidence; wanted what `tellapart evidence fit FILE --format json` prints"
        )
    return [EVIDENCE.parse(text) for text in spelled]
