"""A claim as its sentences need it: in its own units, at the level and power that were asked for."""

from dataclasses import dataclass
from decimal import Decimal

from tellapart.results.audit import Audit, AuditedClaim
from tellapart.wording import bare_pvalue, points, pvalue, signed, significant


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
