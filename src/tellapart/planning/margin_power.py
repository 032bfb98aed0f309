"""How often t tests against a margin show what they claim, where the difference is normal."""

from tellapart.distributions.noncentral_t import equivalence_power, t_power
from tellapart.planning.study import Study
from tellapart.significance.margins import Equivalence, NonInferiority


def margin_power(study: Study, error: float, df: float) -> float:
    """The power of equivalence or non-inferiority by a t ratio with this standard error of the mean."""
    effect, test = study.population.known_effect, study.test
    if isinstance(test, Equivalence):
        within = float(equivalence_power(effect / error, test.known_margin / error, df, study.alpha))
        return min(within, 1.0)  # a sum of parts, which may round to above 1
    assert isinstance(test, NonInferiority)
    # B is shown to be above −margin, or below margin where lower is better.
    if test.alternative == "less":
        return float(t_power((effect - test.known_margin) / error, df, study.alpha, "less"))
    return float(t_power((effect + test.known_margin) / error, df, study.alpha, "greater"))
