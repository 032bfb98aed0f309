"""Other people's numbers."""

from tellapart.verbs.audit.question import AuditQuestion
from tellapart.verbs.audit.verb import audit, audit_claims

__all__ = ["AuditQuestion", "audit", "audit_claims"]
