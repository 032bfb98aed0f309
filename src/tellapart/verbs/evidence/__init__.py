"""Evidence from past results, published or your own: selection, fitting, and use in plans."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.verbs.evidence.band import effect_note, evidence_notes, solve_with_band
    from tellapart.verbs.evidence.completion import complete
    from tellapart.verbs.evidence.fit import fit_evidence, fit_scores
    from tellapart.verbs.evidence.priors import Priors, known_evidence

__all__ = [
    "Priors",
    "complete",
    "effect_note",
    "evidence_notes",
    "fit_evidence",
    "fit_scores",
    "known_evidence",
    "solve_with_band",
]

__getattr__ = lazy_names(__name__)
