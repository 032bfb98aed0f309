"""Options of `plan`, shared by command line, Python and web."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from tellapart.compute.work import Budget, EngineName
from tellapart.foundation.arrays import FINEST, LARGEST
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Question, Range, setting
from tellapart.foundation.surfaces import option, verb
from tellapart.methods.significance import Procedure
from tellapart.numerics.null_laws.proportions import trials_for
from tellapart.numerics.null_laws.studentized_range import family_level
from tellapart.planning.study import ALPHAS, FEWER, LEVEL, MANY, Study, usual_replicates

_SHARE = Range(above=0, below=1)
_COST, _PRICE = Range(above=0), Range(least=0)


@dataclass(frozen=True)
class Prices:
    """What one rating, one item and one rater cost."""

    rating: float
    item: float
    rater: float

    def cost(self, ratings: int, items: int, raters: int) -> float:
        return self.rating * ratings + self.item * items + self.rater * raters


@dataclass(frozen=True)
class PlanQuestion(Question):
    """Two of items, effect (in the population) and power, the test, and what may be spent on the answer."""

    items: int | Iterable[int] | None = setting(None, "How many items.", metavar="N", many=int, range=Range(least=2))
    power: float | Iterable[float] | None = setting(
        None, "How often the effect should be found, such as 0.8.", metavar="P", many=float
    )
    test: Procedure | str | Iterable[Procedure | str] | None = setting(
        None,
        f"The test that will be run, by its spelling. Default: what {verb('compare')} will choose on such scores.",
        metavar="T",
        many=str,
    )
    alpha: float = setting(0.05, "Level of the test.", range=ALPHAS)
    comparisons: int = setting(1, "How many comparisons share alpha.", range=Range(least=1))
    systems: int | None = setting(
        None,
        "All pairs of so many systems share alpha, as in rank.",
        metavar="M",
        range=Range(least=2),
    )
    assurance: float | None = setting(
        None, "Probability that the power holds, as a pilot only estimates the spread.", range=_SHARE, group="pilot"
    )
    evidence: Any = setting(
        None,
        f"Past results for what you leave out, such as the overlap of systems: a name ({verb('evidence')}) or a file.",
        metavar="E",
        group="evidence",
    )
    budget: float | None = setting(
        None,
        "Budget for ratings and raters, or items and their runs: finds the best design within it.",
        range=_COST,
        group="costs",
    )
    cost_rating: float | None = setting(None, "What one rating costs.", range=_PRICE, group="raters")
    cost_item: float | None = setting(None, "What one item costs.", range=_PRICE, group="costs")
    cost_rater: float | None = setting(None, "What one rater costs.", range=_PRICE, group="raters")
    cost_run: float | None = setting(None, "What one run of both systems on an item costs.", range=_PRICE, group="runs")
    most_items: int | None = setting(
        None,
        "Most items, where runs are searched for: finds the fewest runs that detect the effect on them.",
        metavar="N",
        range=Range(least=2),
        group="runs",
    )
    most_runs: int = setting(100, "Most runs per item, where runs are searched for.", range=Range(least=1, most=1000))
    most_raters: int = setting(
        120, "Most raters, where raters are searched for.", range=Range(least=2, most=1000), group="raters"
    )
    looks: int | Iterable[int] | None = setting(
        None,
        "How many times the scores may be looked at.",
        metavar="K",
        many=int,
        range=Range(least=2, most=20),
        group="looks",
    )
    timing: str | None = setting(
        None,
        "When to look, as rising shares of the items, such as 0.25/0.6/1 (default: equally spaced).",
        metavar="S/S/1",
        group="looks",
    )
    spending: Literal["obf", "pocock"] = setting(
        "obf",
        "How alpha is spent over the looks: little at first (O'Brien–Fleming-type), or evenly (Pocock-type).",
        group="looks",
    )
    engine: EngineName | None = setting(None, "Compute power in this way only.", group="simulation")
    replicates: int | None = setting(
        None,
        f"Simulated evaluations (default: {MANY:,}; {FEWER:,} for a test that resamples each; fewer of very many items).",
        range=Range(least=1),
        group="simulation",
    )
    until: float | None = setting(
        None,
        f"Simulate until the 95 % interval of power is ± this, such as 0.005, in place of {option('replicates')}.",
        range=Range(least=0.0005, below=0.5),
        metavar="W",
        group="simulation",
    )
    seed: int = setting(0, "Seed of the simulation.", range=Range(least=0), group="simulation")
    save: Any = setting(
        None,
        "Save this design to a file before the data are seen, for compare, rank and gate to follow.",
        metavar="FILE",
        group="saved",
    )
    item_order: str | None = setting(
        None,
        f"Write the items of {option('universe')} to this file in the random order to run them in.",
        metavar="FILE",
        group="saved",
    )
    universe: str | None = setting(
        None, f"With {option('item_order')}: all items there are, one a line.", metavar="FILE", group="saved"
    )
    margin: float | None = setting(
        None,
        f"With {option('save')}: the largest loss that does not matter.",
        range=Range(above=0, least=FINEST, most=LARGEST, usual="in the units of the scores"),
        group="saved",
    )
    lower_is_better: bool = setting(
        default=False, help=f"With {option('save')}: lower scores are better.", group="saved"
    )
    measure: str | None = setting(None, flag=False)
    """With `save`: which score will be compared."""
    dataset: str | None = setting(None, flag=False)
    """With `save`: on which dataset."""
    rules: tuple[str, ...] = setting((), flag=False)
    """With `save`: the rules of a decision about several measures, such as `better=accuracy` and `not-worse=cost:5r%`."""
    executor: Any = setting(None, flag=False)
    """Who simulates: a number of threads (None: one per core), another spelling of workers, or a `concurrent.futures.Executor`."""
    mixed: bool = setting(default=False, flag=False)
    """Whether workers may be unlike this process, in versions or in what they compute."""
    store: Any = setting(None, flag=False)
    """A file in which finished blocks of what is simulated are kept, and from which those that it has are taken."""
    time_limit: Any = setting(None, flag=False)
    """Seconds, or a text such as "10m", after which the plan is answered from what is simulated by then."""
    progress: Any = setting(None, flag=False)
    """A function that hears how much is done, and of how much."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.systems is not None and self.comparisons > 1:
            raise UsageError(
                f"systems is {self.systems} and comparisons {self.comparisons}; give systems (all pairs) or comparisons"
            )
        self._refuse_unsaved()
        self._refuse_two_ends()

    def _refuse_two_ends(self) -> None:
        """How much is simulated is said once, and precision is that of a power that is asked for."""
        if self.until is None:
            return
        if self.replicates is not None:
            raise UsageError(
                f"{option('until')} simulates as much as needed, and {option('replicates')} a fixed number; leave one of them out"
            )
        if self.items is None or self.power is not None or self.evidence is not None:
            raise UsageError(
                f"{option('until')} is for the power to find a given effect: give {option('items')} and the effect, "
                f"and leave {option('power')} and {option('evidence')} out"
            )

    def _refuse_unsaved(self) -> None:
        """What a plan file alone would hold has no effect without one."""
        given = {name: getattr(self, name) for name in ("margin", "measure", "dataset")}
        idle = [name for name, value in given.items() if value is not None] + ["lower_is_better"] * self.lower_is_better
        idle += ["better"] * bool(self.rules)
        if idle and self.save is None:
            raise UsageError(
                f"{option(idle[0])} only goes into a plan file: name the file with {option('save')}, or leave it out"
            )

    def effort(self, study: Study) -> Budget:
        """What may be spent on the answer to a study."""
        if self.until is not None:
            return Budget(self.engine, trials_for(self.until, LEVEL), self.seed, self.until)
        return Budget(self.engine, self.replicates or usual_replicates(study), self.seed)

    @property
    def priced(self) -> bool:
        """Whether anything was said of costs."""
        return self.budget is not None or self.names_prices

    @property
    def prices(self) -> Prices:
        """Where no price was named, ratings are counted."""
        if not self.names_prices:
            return Prices(1.0, 0.0, 0.0)
        return Prices(*(one or 0.0 for one in self._named_prices))

    @property
    def names_prices(self) -> bool:
        """Whether anybody said what a rating, an item or a rater costs."""
        return any(one is not None for one in self._named_prices)

    @property
    def _named_prices(self) -> tuple[float | None, ...]:
        return self.cost_rating, self.cost_item, self.cost_rater

    @property
    def level(self) -> float:
        """The level of each test, so that all that share alpha keep it together."""
        if self.systems is None:
            return self.alpha / self.comparisons
        return self.alpha if self.systems == 2 else family_level(self.systems, self.alpha)


def several(value: Any) -> tuple[Any, ...]:
    """The values of an option that makes a grid: those given, or None alone where it was left out."""
    return value if isinstance(value, tuple) else (value,)
