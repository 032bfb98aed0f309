"""Inter-rater agreement: the verb `agreement`."""

from tellapart.verbs.agreement.question import AgreementQuestion
from tellapart.verbs.agreement.verb import agreement, measure_agreement, read_raters

__all__ = ["AgreementQuestion", "agreement", "measure_agreement", "read_raters"]
