"""How unlike datasets are, beside what they say together."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HeterogeneityResult:
    """How much the effect varies between datasets beyond chance; `tau` is the standard deviation of true effects."""

    q: float
    pvalue: float
    i_squared: float
    tau: float
