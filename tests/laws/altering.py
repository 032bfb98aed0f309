"""What spoils the p-value of any test that it is mixed into."""

from dataclasses import replace
from typing import Any

import numpy as np

from tellapart.foundation.seeds import Generator
from tellapart.methods.significance import Outcome


class Alters:
    """A p-value made of the right one."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome: Outcome = super().apply(sample, rng)  # type: ignore[misc]  # that of the test it is mixed into
        return replace(outcome, pvalue=np.asarray(self.altered(outcome.pvalue)))

    def altered(self, pvalue: Any) -> Any:
        return pvalue


class Doubles(Alters):
    def altered(self, pvalue: Any) -> Any:
        return 2.0 * pvalue


class Halves(Alters):
    def altered(self, pvalue: Any) -> Any:
        return np.where(pvalue == 1.0, 1.0, 0.5 * pvalue)


class Dims(Alters):
    def altered(self, pvalue: Any) -> Any:
        return pvalue**0.1
