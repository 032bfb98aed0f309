"""Audits of published comparisons: the verb `audit`.

`verb` reads the claims and calls `accuracies` or `means` for each; `findings` is what they compute, `audited_claim` its part of the answer.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.readers.tables.reported import read_reported
    from tellapart.verbs.audit.question import AuditQuestion
    from tellapart.verbs.audit.verb import audit, audit_claims
    from tellapart.verbs.workers import add_worker_notes, use_workers

__all__ = ["AuditQuestion", "add_worker_notes", "audit", "audit_claims", "read_reported", "use_workers"]

__getattr__ = lazy_names(__name__)
