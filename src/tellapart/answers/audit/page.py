"""Page of an audit: one claim in full, or a table of claims."""

from tellapart.answers.audit import Audit, AuditedClaim
from tellapart.answers.audit.claim_texts import ClaimInAudit
from tellapart.answers.page import BLANK, Cell, Column, Grid, Page, Row, Tone
from tellapart.answers.parts import texts
from tellapart.foundation.formatting import amount, bare_pvalue, number, percent, signed_short, significant, thousands
from tellapart.foundation.spelling import name_of

_MOODS: dict[str, Tone] = {
    "certain": "good",
    "likely": "even",
    "undecidable": "open",
    "unlikely": "bad",
    "not significant": "bad",
    "impossible": "bad",
}

FEW = 12
"""Claims up to which every sentence is printed."""

LONG = 50
"""Characters from which a spelling is too long for a line of facts."""


def make_page(answer: Audit) -> Page:
    return _single_claim(answer, answer.claims[0]) if len(answer.claims) == 1 else _many_claims(answer)


def _single_claim(answer: Audit, claim: AuditedClaim) -> Page:
    return Page(
        headline=answer.headline,
        tone=_MOODS[claim.verdict],
        finding=_claim_finding(ClaimInAudit(answer, claim)),
        next_steps=_next_of_claim(claim),
        grids=(_audit_pvalues(claim, answer.alpha),) if claim.p_high is not None else (),
        facts=tuple((name, text) for name, text in _audit_facts(answer, claim) if text),
        remarks=(("Notes", texts((*claim.notes, *answer.notes))),),
        sentence=claim.sentence,
        signature=answer.signature,
    )


def _claim_finding(subject: ClaimInAudit) -> str:
    """The difference, and the p-values that the printed numbers allow."""
    claim = subject.claim
    said = f"{subject.difference(claim.effect)} on {thousands(claim.items)} items"
    if claim.p_expected is None or claim.p_high_rounded is None:
        return said
    low, high = subject.allowed()
    expected = subject.pvalue(claim.p_expected)
    if low == high:
        return f"{said}, {expected} ({claim.test_label})"
    return f"{said}, {expected} {subject.where}; {low} to {high} possible ({claim.test_label})"


def _next_of_claim(claim: AuditedClaim) -> tuple[str, ...]:
    """How many items would have shown a gain as large."""
    open_claim = claim.verdict not in {"certain", "impossible"} and claim.effect
    if not open_claim or claim.kind != "accuracy" or claim.runs > 1:
        return ()
    plan = f"tellapart plan --accuracy {claim.a:.6g} --effect {claim.effect:.4g}"
    return (f"how many items would detect a gain this large: {plan}",)


def _audit_pvalues(claim: AuditedClaim, alpha: float) -> Grid:
    reported = (claim.p_low, claim.p_expected, claim.p_high)
    rounded = (claim.p_low_rounded, None, claim.p_high_rounded)
    rows = (
        (Cell("at the printed values"), *(Cell(bare_pvalue(p, alpha), (p,)) for p in reported)),
        (Cell("with their rounding"), *(Cell(bare_pvalue(p, alpha), (p,)) for p in rounded)),
    )
    columns = (
        Column(f"p over {_audit_left_open(claim)}", "name"),
        Column("lowest", "number"),
        Column("expected", "number"),
        Column("highest", "number"),
    )
    return Grid(columns, rows)


def _audit_left_open(claim: AuditedClaim) -> str:
    """Facts that the printed numbers leave open besides their rounding."""
    if claim.supposed.basis in {"reported", "not needed"}:
        return "what was reported"
    return "every overlap" if claim.kind == "accuracy" else "every correlation"


def _audit_facts(answer: Audit, claim: AuditedClaim) -> list[tuple[str, str]]:
    supposed, subject = claim.supposed, ClaimInAudit(answer, claim)
    expected = f"{significant(supposed.expected, 3)} [{significant(supposed.low)}, {significant(supposed.high)}]  ({_short_claim(supposed.source)})"
    return [
        ("effect", f"{subject.difference(claim.effect)} on {thousands(claim.items)} items"),
        (supposed.kind, expected if supposed.basis != "not needed" else ""),
        ("detectable", _audit_detectable(subject)),
        ("plausible", _plausible_range(subject)),
        ("test", claim.test),
    ]


def _short_claim(source: str | None) -> str:
    """Evidence that spells out its numbers at length is told by its name."""
    text = source or ""
    return text if len(text) <= LONG else name_of(text)


def _audit_detectable(subject: ClaimInAudit) -> str:
    claim, power = subject.claim, percent(subject.audit.target_power)
    if claim.size is None:
        return ""
    if claim.detectable is None:
        return f"no effect with {power} power"
    if claim.detectable == 0.0:
        return "every effect, as there is no spread"
    times = "" if claim.ratio is None else f"; the claim is {significant(claim.ratio)} times that ({claim.size})"
    return f"an effect of {subject.size(claim.detectable)} with {power} power{times}"


def _plausible_range(subject: ClaimInAudit) -> str:
    claim = subject.claim
    if claim.plausible_effect is None or claim.power is None:
        return ""
    errors = "" if claim.type_m is None else f", type M {claim.type_m:.2f}, type S {significant(claim.type_s)}"
    return f"an effect of {subject.size(claim.plausible_effect)} ({_short_claim(claim.plausible_source)}): power {significant(claim.power)}{errors}"


def _many_claims(answer: Audit) -> Page:
    return Page(
        headline=answer.headline,
        tone="even",
        finding=_table_finding(answer),
        next_steps=_next_of_table(answer),
        grids=(_claims(answer),),
        facts=tuple(_audit_summary_facts(answer)),
        remarks=(("Claim by claim", _sentences(answer)), ("Notes", _shared_notes(answer))),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _table_finding(answer: Audit) -> str:
    told = answer.summary
    sized = told.below + told.borderline + told.above
    if not sized:
        return ""
    are = "is" if told.below == 1 else "are"
    return f"{told.below} of {amount(sized, 'gain')} {are} smaller than {'its' if sized == 1 else 'their'} items can reliably detect"


def _next_of_table(answer: Audit) -> tuple[str, ...]:
    """The first claim that is not certain, by itself."""
    left = (one for one in answer.claims if one.verdict not in {"certain", "impossible"} and one.kind == "accuracy")
    first = next((one for one in left if one.runs == 1), None)
    if first is None:
        return ()
    command = f"tellapart audit --a {first.printed_a} --b {first.printed_b} --items {first.items}"
    return (f"{_claim_name(first)} in full: {command}",)


def _sentences(answer: Audit) -> tuple[str, ...]:
    """A long table is read as a table; its sentences are in the JSON."""
    return tuple(c.sentence for c in answer.claims) if len(answer.claims) <= FEW else ()


COLUMNS = (
    Column("claim", "name"),
    Column("items", "number"),
    Column("effect", "number"),
    Column("p expected", "number"),
    Column("p possible", "interval"),
    Column("detectable", "number"),
    Column("× detectable", "number"),
    Column("power", "number"),
    Column("verdict", "words"),
)


def _claims(answer: Audit) -> Grid:
    return Grid(COLUMNS, tuple(_claim_row(claim, answer.alpha) for claim in answer.claims))


def _claim_row(claim: AuditedClaim, alpha: float) -> Row:
    return (
        Cell(f"{_claim_name(claim)} ({claim.dataset})" if claim.dataset else _claim_name(claim)),
        Cell(thousands(claim.items), (claim.items,)),
        Cell(signed_short(claim.effect), (claim.effect,)),
        Cell(bare_pvalue(claim.p_expected, alpha), (claim.p_expected,)),
        _audit_possible(claim, alpha),
        *(BLANK if x is None else Cell(significant(x), (x,)) for x in (claim.detectable, claim.ratio, claim.power)),
        Cell(claim.verdict),
    )


def _audit_possible(claim: AuditedClaim, alpha: float) -> Cell:
    low, high = claim.p_low_rounded, claim.p_high_rounded
    if low is None or high is None:
        return BLANK
    return Cell(f"{bare_pvalue(low, alpha)} – {bare_pvalue(high, alpha)}", (low, high))


def _claim_name(claim: AuditedClaim) -> str:
    return claim.name or (f"line {claim.line}" if claim.line is not None else "claim")


def _audit_summary_facts(answer: Audit) -> list[tuple[str, str]]:
    told, left = answer.summary, answer.summary.leave_one_out
    said = [
        ("× detectable", f"{told.below} claims below 1, {told.borderline} from 1 to 1.5, {told.above} above"),
        ("powered", f"{told.powered} of {told.claims} for a plausible effect"),
    ]
    if left is not None:
        taken = "taken for plausible" if left.taken else "no better than their mean, and not taken"
        error = f"error {significant(left.prediction_error)}, R² {number(left.r_squared, 2)}"
        said.append(("leave-one-out", f"{left.claims} gains predicted from the other claims ({error}): {taken}"))
    return said


def _shared_notes(answer: Audit) -> tuple[str, ...]:
    """The notes of the claims, each once, with the claim it is about where only one has it."""
    about: dict[str, list[str]] = {}
    for claim in answer.claims:
        for note in claim.notes:
            about.setdefault(note.text, []).append(_claim_name(claim))
    told = [note if len(names) > 1 else f"{names[0]}: {note}" for note, names in about.items()]
    return (*told, *texts(answer.notes))
