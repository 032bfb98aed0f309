"""Choice of evidence for a question, named by the user or by default, and the list of all known evidence."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any

from tellapart.answers.evidence import EvidenceList, KnownEvidence
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.spelling import split
from tellapart.populations import evidence
from tellapart.populations.evidence.choice import DEFAULT_CONTRIBUTIONS, DEFAULT_GAIN, DEFAULT_OVERLAPS, DEFAULT_SPREAD
from tellapart.readers.storage.files import locate
from tellapart.verbs.signature import sign

Named = evidence.Evidence | str | Sequence[evidence.Evidence | str] | None
"""Evidence as users give it: objects, spellings, or files that `evidence fit` wrote."""


@dataclass(frozen=True)
class Priors:
    """Evidence that the user named, at most one on each question; the defaults speak where there is none."""

    named_overlap: evidence.Overlap | None = None
    named_gain: evidence.Gain | None = None
    named_sd: evidence.Spread | None = None
    named_correlation: evidence.Spread | None = None
    named_ratings: evidence.RatingSpreads | None = None
    named_contributions: evidence.Contributions | None = None

    @classmethod
    def of(cls, named: Named) -> "Priors":
        given = [e for item in _named_list(named) for e in _parsed_evidence(item)]
        overlaps = [e for e in given if isinstance(e, evidence.Overlap)]
        gains = [e for e in given if isinstance(e, evidence.Gain)]
        spreads = [e for e in given if isinstance(e, evidence.Spread)]
        # What says both an sd and a correlation leaves to others what these say.
        sds, correlations = (
            _first_named([e for e in spreads if getattr(e, name) is not None]) for name in ("sd", "correlation")
        )
        ratings = [e for e in given if isinstance(e, evidence.RatingSpreads)]
        contributions = [e for e in given if isinstance(e, evidence.Contributions)]
        kinds: tuple[list[Any], ...] = (overlaps, gains, sds, correlations, ratings, contributions)
        known = evidence.Overlap | evidence.Gain | evidence.Spread | evidence.RatingSpreads | evidence.Contributions
        strays = [e for e in given if not isinstance(e, known)]
        if strays or any(len(named) > 1 for named in kinds):
            raise UsageError(
                f"evidence {', '.join(map(str, given))}: give at most one on overlap, one on gains, one on an sd, one on a correlation, "
                "one on ratings and one on contributions; `tellapart evidence` lists them"
            )
        first = (named[0] if named else None for named in kinds)
        return cls(*first)

    def overlap(self, accuracy: float) -> evidence.Overlap:
        """The evidence on discordance; the accuracy is that of the worse system."""
        return self.named_overlap or evidence.overlap_at(accuracy)

    def gain(self, baseline: float, dataset: str | None = None) -> evidence.Gain:
        return self.named_gain or evidence.gain_over(baseline, dataset)

    @property
    def sd_source(self) -> evidence.Spread:
        """The evidence on the standard deviation of scores that are numbers."""
        return self.named_sd or DEFAULT_SPREAD

    @property
    def correlation_source(self) -> evidence.Spread:
        """The evidence on the correlation of such scores."""
        return self.named_correlation or DEFAULT_SPREAD

    def spread_saying(self, name: str) -> evidence.Spread:
        """The evidence on scores that says this number of them: what was named, where it does, else the default."""
        named = (
            (self.named_correlation, self.named_sd)
            if name == "correlation"
            else (self.named_sd, self.named_correlation)
        )
        return next((one for one in named if one is not None and getattr(one, name) is not None), DEFAULT_SPREAD)

    @property
    def contributions(self) -> evidence.Contributions:
        """The evidence on what items contribute to a corpus metric."""
        return self.named_contributions or DEFAULT_CONTRIBUTIONS

    @property
    def named(self) -> str | None:
        """The named evidence, spelled."""
        return ", ".join(dict.fromkeys(map(str, self._every))) or None

    def others_than(self, some: Collection[evidence.Evidence]) -> list[evidence.Evidence]:
        """The other named evidence."""
        return [one for one in self._every if one not in some]

    @property
    def _every(self) -> list[evidence.Evidence]:
        every = (getattr(self, one.name) for one in fields(self))
        return list(dict.fromkeys(one for one in every if one is not None))


def _first_named(spreads: list[evidence.Spread]) -> list[evidence.Spread]:
    """Those that say nothing else, if there are any: an sd named beside a piece that says it too is meant for itself."""
    single = [e for e in spreads if None in {e.sd, e.correlation}]
    return single or spreads


def _named_list(named: Named) -> list[evidence.Evidence | str]:
    if named is None:
        return []
    given = list(named) if isinstance(named, Sequence) and not isinstance(named, str) else [named]
    for one in given:
        if not isinstance(one, str | evidence.Evidence):
            raise UsageError(
                f"evidence is {one!r}; wanted a spelling such as 'glue_overlap', or a file that `tellapart evidence fit` wrote"
            )
    return given


def _parsed_evidence(item: evidence.Evidence | str) -> list[evidence.Evidence]:
    if isinstance(item, evidence.Evidence):
        return [item]
    if item.strip().endswith(".json"):
        return _saved(item.strip())
    return [evidence.EVIDENCE.parse(part) for part in split(item)]


def _saved(path: str) -> list[evidence.Evidence]:
    """The evidence that `evidence fit --format json` wrote into a file."""
    try:
        with locate(path, path).text() as text:
            said = json.loads(text.read())
        kinds = ("overlap", "gain", "spread", "contributions")
        spelled = [said[kind]["evidence"] for kind in kinds if said.get(kind) is not None]
        schema = str(said["schema"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        schema, spelled = "", []
    if not schema.startswith("tellapart/evidence_fit/") or not all(isinstance(s, str) for s in spelled):
        raise ReadError(f"{path}: this is not evidence; wanted what `tellapart evidence fit FILE --format json` prints")
    if not spelled:
        raise ReadError(
            f"{path}: nothing was fitted there, as its notes say; fit evidence to more systems or results, or name another"
        )
    return [evidence.EVIDENCE.parse(text) for text in spelled]


# The list of all evidence, made of the registry.


def known_evidence(spelling: str | None = None) -> EvidenceList:
    """Known results with source, range and uncertainty; each can be named to `plan` and `audit`.

    One spelling: that piece alone.
    """
    every = sorted((name for name in evidence.EVIDENCE if evidence.EVIDENCE[name].published), key=_kind_order)
    pieces = [evidence.EVIDENCE[name].examples[0] for name in every] if spelling is None else [spelling]
    rows = tuple(map(_known_row, map(evidence.EVIDENCE.parse, pieces)))
    signed = sign("evidence", f"{len(rows)} registered" if spelling is None else rows[0].example)
    return add_text(EvidenceList(rows, tuple(map(str, DEFAULT_OVERLAPS)), str(DEFAULT_GAIN), signed))


def _kind_order(name: str) -> tuple[int, str]:
    """Overlaps, gains, spreads, contributions, ratings: as questions need them."""
    return ("overlap", "gain", "spread", "contributions", "ratings").index(evidence.EVIDENCE[name].kind), name


def _known_row(piece: evidence.Evidence) -> KnownEvidence:
    low, high = piece.accuracies
    return KnownEvidence(
        piece.name, piece.kind, piece.about, str(piece), piece.seen_on, piece.coefficients, low, high,
        piece.uncertainty, piece.source, piece.caution,
    )  # fmt: skip
