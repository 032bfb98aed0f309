"""A published comparison as printed; its fields are command-line options and columns of a table of claims."""

import dataclasses
import re
from dataclasses import dataclass, fields
from typing import Any, get_args

from tellapart.claims.reported import FEW_POINTS, LONGEST, Reported, ReportedP, Text, Unit
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option

# Fields of what was reported: each is a flag of a command and a column of a table.


def column(help: str, *names: str, metavar: str | None = "V") -> Any:  # noqa: A002  (the word every door uses for it)
    """A field with its help, and the names that columns of tables have for it besides its own."""
    metadata = {"help": help, "metavar": metavar, "columns": names}
    return dataclasses.field(default=None, metadata=metadata)


def columns_of(kind: type) -> dict[str, tuple[str, ...]]:
    """A column of a table, and the other names it is known by."""
    return {f.name: f.metadata["columns"] for f in dataclasses.fields(kind)}


MOST_ITEMS = 10**7
"""Items up to which every number of right answers can be looked at one by one."""
MOST_COUNTED = 10**6
MOST_RUNS = 10**4
_SPREADS = ("sd", "sd_a", "sd_b", "se", "se_a", "se_b", "se_difference", "ci", "ci_a", "ci_b")
_BESIDE = f"in the unit of {option('a')} and {option('b')}"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One published comparison. Give numbers as text where they were printed: 0.70 has two decimals, 0.7 has one.

    `a` and `b` are accuracies (fractions, percentages or right answers) or, with an sd, se or interval, means of any score;
    `sd` and `se` are of each system's item scores and mean, `ci` is an interval of the difference b − a, `ci_a` and `ci_b` of
    each mean. `runs` says that accuracies are means over this many runs of every item. `discordance`, `agreement` and
    `correlation` may be ranges low:high.
    `systems` is how many were compared, `seeds` of how many runs the best was reported, `effect` a difference that is
    plausible beforehand and `seed_sd` the spread of runs, both in the unit of a and b.
    """

    a: Text | None = column(
        f"Accuracy of A as printed (0.714, 71.4, or right answers with {option('unit', 'count')}); a mean with "
        f"{option('sd')} or {option('se')}.",
        *("accuracy_a", "baseline", "previous_best", "score_a", "mean_a", "base", "sota", "previous", "theirs"),
    )
    b: Text | None = column(
        "Accuracy or mean of B.",
        *("accuracy_b", "new", "model_accuracy", "score_b", "mean_b", "ours", "our", "proposed"),
    )
    items: Text | None = column(
        "Number of items.",
        *(
            "n",
            "size",
            "test_size",
            "examples",
            "questions",
            "n_items",
            "num_items",
            "samples",
            "sample_size",
            "queries",
        ),
    )
    runs: Text | None = column(
        "Number of runs of every item that accuracies average.",
        *("samples_per_item", "n_runs", "num_runs", "number_of_runs"),
    )
    name: str | None = column("Name of the claim.", "claim", "paper", "model", "system")
    dataset: str | None = column("Name of the dataset; some have evidence on gains.", "task", "benchmark")
    correct_a: Text | None = column(f"Right answers of A, instead of {option('a')}.", "right_a", "count_a")
    correct_b: Text | None = column("Right answers of B.", "right_b", "count_b")
    discordance: Text | None = column(
        "Share of items only one of them got right, if reported; or a range low:high.", "disagreement"
    )
    agreement: Text | None = column("One minus that.", "overlap")
    correlation: Text | None = column(
        "Correlation of the two systems' item scores, if known; or a range low:high.", "rho", "r"
    )
    sd: Text | None = column(
        f"Standard deviation of each system's item scores (also {option('sd_a')}, {option('sd_b')}).", "std"
    )
    sd_a: Text | None = column("", "std_a")
    sd_b: Text | None = column("", "std_b")
    se: Text | None = column(
        f"Standard error of each system's mean (also {option('se_a')}, {option('se_b')}).",
        *("sem", "stderr", "standard_error"),
    )
    se_a: Text | None = column("", "sem_a", "stderr_a")
    se_b: Text | None = column("", "sem_b", "stderr_b")
    se_difference: Text | None = column("Standard error of the difference.", "se_diff")
    ci: Text | None = column(
        f"The reported interval of the difference B − A, low:high (also {option('ci_a')}, {option('ci_b')} of each "
        "mean): instead of an sd.",
        *("interval", "confidence_interval", "ci_difference"),
    )
    ci_a: Text | None = column("", "interval_a")
    ci_b: Text | None = column("", "interval_b")
    ci_level: Text | None = column("The level of those intervals (default 0.95).", "confidence_level")
    systems: Text | None = column("Number of systems compared: comparisons with each of the others share the level.")
    seeds: Text | None = column("Number of runs of which the best was reported.")
    seed_sd: Text | None = column(f"Standard deviation between runs, {_BESIDE}.")
    reported_p: Text | None = column("The p-value that was reported, such as 0.04 or <0.05.", "p", "p_value", "pvalue")
    effect: Text | None = column(f"A plausible difference, {_BESIDE} (default: from evidence).", "plausible_effect")
    unit: Unit | None = column("Unit of the accuracies, if they do not show it.", metavar=None)
    decimals: Text | None = column("Decimals printed, if trailing zeros were lost.")

    def __post_init__(self) -> None:
        if self.unit is not None and self.unit not in get_args(Unit):
            raise UsageError(f"unit is {self.unit!r}; it should be {' or '.join(get_args(Unit))}")

    @property
    def printed(self) -> dict[str, Text]:
        """The given values, by name."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in given.items() if value not in {None, ""}}

    @property
    def has_numbers(self) -> bool:
        """Whether it says anything of either system; without, it can only fill what others leave blank."""
        return any(getattr(self, name) is not None for name in ("a", "b", "correct_a", "correct_b"))

    @property
    def of_means(self) -> bool:
        """Whether it is about means of numbers rather than about right and wrong."""
        return any(getattr(self, name) is not None for name in _SPREADS)

    @property
    def of_counts(self) -> bool:
        """Whether it gives right answers rather than accuracies."""
        return self.correct_a is not None or self.correct_b is not None

    def number(self, name: str) -> Reported:
        if getattr(self, name) is None:
            raise UsageError(f"{name} is missing; give a and b, or correct_a and correct_b")
        return Reported.read(name, getattr(self, name))

    def positive_number(self, name: str) -> Reported | None:
        if getattr(self, name) is None:
            return None
        value = Reported.read(name, getattr(self, name))
        if value.value <= 0 or value.percent:
            raise UsageError(f"{name} is {value.text}; it should be a number above 0")
        return value

    def whole_number(self, name: str, least: int, most: int = MOST_COUNTED) -> int | None:
        if getattr(self, name) is None:
            return None
        text = str(getattr(self, name)).strip()
        # "1,000" and "1 000" have separators of thousands; "1,00" is ambiguous.
        text = re.sub(r"\D", "", text) if re.fullmatch(r"\d{1,3}([,\s'’_]\d{3})+", text) else text
        whole = re.fullmatch(r"(\d{1,12})(?:\.0*)?", text, re.ASCII)
        if whole is None or not least <= int(whole[1]) <= most:
            shown = text if len(text) <= 40 else f"{text[:40]}…"
            raise UsageError(f"{name} is {shown!r}; it should be a whole number from {least} to {most:,}")
        return int(whole[1])

    @property
    def number_of_items(self) -> int:
        items = self.whole_number("items", least=2, most=MOST_ITEMS)
        if items is None:
            raise UsageError("items is missing: on how many items were the systems compared?")
        return items

    @property
    def number_of_runs(self) -> int:
        """Over how many runs of every item the accuracies are means."""
        runs = self.whole_number("runs", least=1, most=MOST_RUNS)
        if runs is not None and runs * self.number_of_items > MOST_ITEMS:
            raise UsageError(
                f"{self.number_of_items:,} items in {runs:,} runs are more than {MOST_ITEMS:,} answers; that is more than can be counted"
            )
        return 1 if runs is None else runs

    @property
    def number_of_decimals(self) -> int | None:
        return self.whole_number("decimals", least=0, most=LONGEST)


COLUMNS = columns_of(Claim)

# What a claim says besides its two numbers: how it was chosen, what was tested, what could be expected.


@dataclass(frozen=True)
class Context:
    """Context that every claim may carry besides its numbers."""

    systems: int | None
    seeds: int | None
    seed_sd: float | None
    reported_p: ReportedP | None
    effect: float | None


def context(claim: Claim, unit: Unit | None) -> Context:
    """The context of a claim; `unit` is that of its accuracies, None for means."""
    return Context(
        claim.whole_number("systems", least=2),
        claim.whole_number("seeds", least=1),
        _reported_difference(claim, "seed_sd", unit),
        None if claim.reported_p is None else ReportedP.read(claim.reported_p),
        _reported_difference(claim, "effect", unit),
    )


def _reported_difference(claim: Claim, name: str, unit: Unit | None) -> float | None:
    """A difference in the unit of the answer, given in the unit of the two numbers it is about."""
    if getattr(claim, name) is None:
        return None
    value = Reported.read(name, getattr(claim, name))
    if value.value <= 0:
        raise UsageError(f"{name} is {value.text}; it should be above 0")
    if unit is None:
        return float(value.value)
    if value.percent or (unit == "percent" and value.value >= FEW_POINTS):
        return float(value.value) / 100.0
    if unit == "percent":
        raise UsageError(
            f"{name} is {value.text} beside accuracies in percent; write {value.text}% or {100 * float(value.value):g}%"
        )
    if value.value >= 1:
        raise UsageError(
            f"{name} is {value.text}; it should be below 1, for {value.text}% write {float(value.value) / 100:g}"
        )
    return float(value.value)
