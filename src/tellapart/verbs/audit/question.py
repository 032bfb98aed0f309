"""Options of `audit`, shared by command line, Python and web."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tellapart.claims.reported import Text
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Range, setting
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.methods.significance.procedure import Procedure
from tellapart.verbs.evidence.priors import Named, Priors
from tellapart.verbs.judging_options import ALPHA
from tellapart.verbs.work_options import ExecutorOptions


@dataclass(frozen=True)
class Criterion:
    """The standard for a claim: a test, its level, and sufficient power."""

    test: McNemar
    alpha: float
    power: float

    def among(self, comparisons: int) -> "Criterion":
        """The criterion with the level shared by this many comparisons."""
        return replace(self, alpha=self.alpha / comparisons)


@dataclass(frozen=True)
class AuditQuestion(ExecutorOptions):
    """The test, its level, the power that is enough, and the evidence that speaks where a claim is silent."""

    evidence: Named = setting(None, "Evidence by name (tellapart evidence), or a file of evidence fit.", metavar="E")
    test: McNemar | str = setting("mcnemar(variant=mid_p)", "A variant of mcnemar.", metavar="T")
    alpha: float = setting(0.05, "Level of the test.", range=ALPHA)
    power: float = setting(0.8, "The power that is enough.", range=Range(above=0, below=1, usual="usually 0.8"))
    defaults: Mapping[str, Text] | None = setting(
        None, "The value for blank cells of a table, by the name of their column.", flag=False
    )

    columns: Mapping[str, str] | None = setting(None, "The column for a role, if its name does not say so.", flag=False)
    limits: Mapping[str, float | str] | None = setting(
        None, "Raise limits on the table: bytes, line, columns.", flag=False
    )

    criterion: Criterion = field(init=False)
    priors: Priors = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.power <= self.alpha:
            raise UsageError(
                f"power is {self.power:g}; it should lie between alpha ({self.alpha:g}) and 1, usually 0.8"
            )
        object.__setattr__(self, "criterion", Criterion(_looks_at_tables(self.test), self.alpha, self.power))
        object.__setattr__(self, "priors", Priors.of(self.evidence))


def _looks_at_tables(named: McNemar | str) -> McNemar:
    test = Procedure.parse(named)
    if isinstance(test, McNemar) and test.variant != "unconditional" and test.alternative == "two-sided":
        return test
    raise UsageError(
        f"an audit cannot use {test}; it looks at every table with the reported margins by mcnemar, two-sided, with variant "
        "mid_p, exact, asymptotic or corrected"
    )
