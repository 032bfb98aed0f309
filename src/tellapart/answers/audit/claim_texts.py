"""Sentences about inconsistent claims: why the printed numbers of a claim cannot all be right."""

from dataclasses import dataclass
from decimal import Decimal

from tellapart.answers.audit import Audit, AuditedClaim
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import bare_pvalue, points, pvalue, signed, significant, thousands
from tellapart.foundation.surfaces import option

# A claim as its sentences need it: in its own units, at the level and power that were asked for.


@dataclass(frozen=True)
class ClaimInAudit:
    """One claim of an audit, and the ways of writing what it is about."""

    audit: Audit
    claim: AuditedClaim

    @property
    def of_means(self) -> bool:
        return self.claim.kind == "mean"

    @property
    def overlap(self) -> str:
        return "correlation" if self.of_means else "overlap"

    @property
    def where(self) -> str:
        """At which overlap p-values are expected ones."""
        if self.claim.supposed.basis == "reported":
            return f"at the reported {self.overlap}"
        if self.claim.supposed.basis == "not needed":
            return "at the reported spread of the difference"
        if self.claim.supposed.basis == "nothing known":
            return f"halfway between the least and the most {self.overlap} that is possible"
        usual = "usual among" if self.claim.supposed.measured else "expected of"
        return f"at the {self.overlap} {usual} {self.claim.supposed.among}"

    @property
    def whatever(self) -> str:
        """Over what a certain claim is certain."""
        told = self.claim.supposed.basis in {"reported", "not needed"}
        return self.where if told else f"whatever the {self.overlap}"

    @property
    def at_most(self) -> str:
        """Before an expected p-value: past pairs are single runs, which scatter more than means over several."""
        return "at most " if self.claim.runs > 1 else ""

    def difference(self, value: float) -> str:
        """A signed difference: points of accuracy, or the units of a mean."""
        scaled = value if self.of_means else points(value)
        shown = signed(scaled, _decimals(scaled))
        return f"Δ = {shown}" if self.of_means else f"{shown} points"

    def size(self, value: float) -> str:
        """A difference without sign."""
        return significant(value) if self.of_means else f"{significant(points(value))} points"

    def pvalue(self, value: float | None) -> str:
        """A p-value with its relation."""
        assert value is not None, "only claims that some table fits have p-values to speak of"
        return pvalue(value, self.audit.alpha)

    def allowed(self) -> tuple[str, str]:
        """The least and the greatest p-value over all that the numbers allow, rounding included."""
        low, high = self.claim.p_low_rounded, self.claim.p_high_rounded
        return bare_pvalue(low, self.audit.alpha), bare_pvalue(high, self.audit.alpha)


def _decimals(value: float) -> int:
    """Decimals that show six digits, as far as they are not zeros."""
    exponent = Decimal(f"{value:.6g}").normalize().as_tuple().exponent
    return max(-int(exponent), 1)


IMPOSSIBLE: NoteTexts[AuditedClaim] = NoteTexts()
_READINGS = {
    "in fractions": "in fractions beside percentages",
    "in percent": "in percent beside fractions",
    "of A - B": "of A − B",
    "half a width": "what to add on either side",
}


@IMPOSSIBLE
def no_whole_number_of_right_answers(claim: AuditedClaim, accuracy: str, answers: int, enough_runs: int | None) -> str:
    of = (
        thousands(claim.items)
        if claim.runs == 1
        else f"{thousands(answers)} ({claim.runs} runs of {thousands(claim.items)} items)"
    )
    runs = "" if enough_runs is None else f" (with {enough_runs} they are possible)"
    return (
        f"not possible as counts of {of}: no whole number of right answers rounds to {accuracy}. Means over several "
        f"runs of every item: give {option('runs')}{runs}; a score other than accuracy: give its {option('sd')}, "
        f"{option('se')} or {option('ci')}; else other items, or a misprint"
    )


@IMPOSSIBLE
def no_table_with_this_overlap(_: AuditedClaim, least_discordance: float, most_discordance: float) -> str:
    least, most = (significant(x, 3) for x in (least_discordance, most_discordance))
    return f"impossible as printed: no table has these accuracies and this overlap; they leave a discordance between {least} and {most}"


@IMPOSSIBLE
def no_correlation_gives_this_spread(_: AuditedClaim, sd_difference: float, least_sd: float, most_sd: float) -> str:
    return (
        f"impossible as printed: no correlation gives differences an sd of {significant(sd_difference, 3)} (from the "
        f"reported difference) with the sds of the two systems, which allow {significant(least_sd, 3)} to "
        f"{significant(most_sd, 3)}"
    )


@IMPOSSIBLE
def interval_without_its_number(
    claim: AuditedClaim, role: str, interval: str, reading: str | None, instead: str | None
) -> str:
    numbers = {
        "ci": f"the difference of {claim.printed_b} and {claim.printed_a}",
        "ci_a": claim.printed_a,
        "ci_b": claim.printed_b,
    }
    return (
        f"impossible as printed: {numbers[role]} does not lie in the interval {interval}, rounding allowed for; another interval, other "
        f"numbers, or a mistake{read_otherwise(role, reading, instead)}"
    )


def read_otherwise(role: str, reading: str | None, instead: str | None) -> str:
    """Another reading of the interval, and how to ask for it."""
    return "" if reading is None else f"; if it is {_READINGS[reading]}, give {option(role, instead)}"
