"""Options of `agreement`, shared by command line, Python and web."""

from dataclasses import dataclass

from tellapart.foundation.spelling import Range, setting
from tellapart.methods.reliability import COEFFICIENTS
from tellapart.verbs.work_options import ExecutorOptions


@dataclass(frozen=True)
class AgreementQuestion(ExecutorOptions):
    """Which coefficients, who is the reference, and how sure the intervals are."""

    reference_raters: tuple[str, ...] = setting(
        (),
        "Human raters, with whom every other rater is compared as a judge. May be repeated.",
        metavar="RATER",
    )
    coefficient: tuple[str, ...] = setting(
        (),
        f"A coefficient, in place of all that fit: {', '.join(COEFFICIENTS)}. May be repeated.",
        metavar="C",
    )
    level: float = setting(0.95, "Level of the intervals.", range=Range(above=0, below=1, usual="usually 0.95"))
    resamples: int = setting(
        1000, "Bootstrap resamples of units, for the intervals.", range=Range(least=99, most=1_000_000)
    )
    seed: int = setting(0, "Seed of the resamples.", range=Range(least=0))
