"""Other people's numbers."""

from tellapart.verbs.audit.question import AuditQuestion
from tellapart.verbs.audit.verb import audit, audited

__all__ = ["AuditQuestion", "audit", "audited"]
