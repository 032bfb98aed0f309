"""How far raters agree."""

from tellapart.verbs.agreement.question import AgreementQuestion
from tellapart.verbs.agreement.verb import agreed, agreement

__all__ = ["AgreementQuestion", "agreed", "agreement"]
