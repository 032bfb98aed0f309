"""The page of an audit: one claim in full, many as a table, and notes said once."""

from dataclasses import replace

import pytest

from tellapart import Audit, Claim, audit
from tellapart.answers.audit import LeaveOneOut
from tellapart.answers.audit.page import FEW, LONG, make_page
from tellapart.answers.parts import Note

ONE = audit(Claim(items=1000, a="0.706", b="0.714"))
CLAIM = ONE.claims[0]


def facts(**changes: object) -> dict[str, str]:
    return dict(make_page(replace(ONE, claims=(replace(CLAIM, **changes),))).facts)  # type: ignore[arg-type]  # fields by name


def many(count: int) -> Audit:
    claims = tuple(replace(CLAIM, name=f"c{i}", notes=()) for i in range(count))
    return replace(ONE, claims=claims, notes=())


@pytest.mark.parametrize(
    ("verdict", "tone"),
    [
        ("certain", "good"),
        ("likely", "even"),
        ("undecidable", "open"),
        ("unlikely", "bad"),
        ("not significant", "bad"),
        ("impossible", "bad"),
    ],
)
def test_moods(verdict: str, tone: str) -> None:
    """The tone of one claim is that of its verdict."""
    claim = replace(CLAIM, verdict=verdict)  # type: ignore[arg-type]  # one of the six
    assert make_page(replace(ONE, claims=(claim,))).tone == tone


def test_what_p_is_over() -> None:
    """Past results leave every overlap or correlation possible; a reported one leaves nothing."""

    def over(basis: str, kind: str) -> str:
        claim = replace(CLAIM, kind=kind, supposed=replace(CLAIM.supposed, basis=basis))  # type: ignore[arg-type]
        return make_page(replace(ONE, claims=(claim,))).grids[0].titles[0]

    assert over("evidence", "accuracy") == "p over every overlap"
    assert over("evidence", "mean") == "p over every correlation"
    assert over("reported", "mean") == "p over what was reported"
    assert make_page(replace(ONE, claims=(replace(CLAIM, p_high=None),))).grids == ()


def test_evidence_that_spells_its_numbers_is_told_by_name() -> None:
    """Up to fifty characters it is spelled out."""
    fits, long = f"e({'x' * (LONG - 3)})", f"e({'x' * LONG})"
    assert facts(plausible_source=fits)["plausible"].startswith(f"an effect of 2.3 points ({fits}): power 0.38")
    assert "(e): power" in facts(plausible_source=long)["plausible"]


def test_facts_that_are_not_known() -> None:
    """What cannot be detected, what always is, and what nobody supposed."""
    assert facts(detectable=None)["detectable"] == "no effect with 80 % power"
    assert facts(detectable=0.0)["detectable"] == "every effect, as there is no spread"
    assert "plausible" not in facts(power=None)
    assert "plausible" not in facts(plausible_effect=None)
    assert facts(type_m=None)["plausible"].endswith("power 0.38")
    assert "discordance" not in facts(supposed=replace(CLAIM.supposed, basis="not needed"))


def test_a_long_table_leaves_its_sentences_to_the_json() -> None:
    """Up to twelve claims are told one by one."""
    assert make_page(many(FEW)).remarks[0] == ("Claim by claim", (CLAIM.sentence,) * FEW)
    assert make_page(many(FEW + 1)).remarks[0] == ("Claim by claim", ())


def test_a_note_is_said_once() -> None:
    """With the claim it is about where only one has it; a claim without a name goes by its line."""
    shared, own = Note("shared", {}, "of both"), Note("own", {}, "of one")
    first, second = many(2).claims
    claims = (replace(first, notes=(shared,)), replace(second, name="", line=7, notes=(shared, own)))
    page = make_page(replace(many(2), claims=claims, notes=(Note("all", {}, "of all"),)))
    assert page.remarks[1] == ("Notes", ("of both", "line 7: of one", "of all"))
    nameless = replace(many(2), claims=(first, replace(second, name="", dataset="squad")))
    assert [row[0].text for row in make_page(nameless).grids[0].rows] == ["c0", "claim (squad)"]


def test_a_table_s_cells() -> None:
    """A range of p-values has both its ends or is blank."""
    none = replace(CLAIM, p_low_rounded=None, detectable=None)
    rows = make_page(replace(ONE, claims=(CLAIM, none))).grids[0].rows
    assert rows[0][4].text == "0.0039 – 0.74"
    assert (rows[1][4].text, rows[1][5].text) == ("", "")
    assert rows[0][6].text == "0.20"


def test_leave_one_out_is_told_where_there_is_one() -> None:
    """It takes a table long enough to predict from."""
    assert "leave-one-out" not in dict(make_page(many(2)).facts)
    for taken, words in ((True, "taken for plausible"), (False, "not taken")):
        left = LeaveOneOut(57, taken, 0.5, 0.01)
        summed = replace(many(2), summary=replace(ONE.summary, leave_one_out=left))
        fact = dict(make_page(summed).facts)["leave-one-out"]
        assert fact.startswith("57 gains predicted from the other claims (error 0.010, R² 0.50)")
        assert fact.endswith(words)
