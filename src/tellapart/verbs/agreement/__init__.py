"""How far raters agree."""

from tellapart.verbs.agreement.question import AgreementQuestion
from tellapart.verbs.agreement.verb import agreed, agreement, given_by_raters

__all__ = ["AgreementQuestion", "agreed", "agreement", "given_by_raters"]
