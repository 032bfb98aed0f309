"""Whatever is typed into a claim, the answer is in order or the error is one of ours."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart import Claim, audit
from tellapart.foundation.errors import DataError, TellapartError
from tellapart.foundation.surfaces import spell_marks

NUMBERS = st.one_of(
    st.floats(0.0, 1.0).map(lambda x: f"{x:.3f}"),
    st.floats(0.0, 100.0).map(lambda x: f"{x:.1f}"),
    st.integers(0, 400).map(str),
    st.sampled_from(["", "1", "0", "1.0", "0.5%", "100%", "-1", "nan", "1e5", "abc", "0.2:0.4", "<0.05", "1:2:3"]),
)
TEXTS = st.one_of(NUMBERS, st.text(max_size=6))
NAMES = (
    "discordance", "agreement", "correlation", "sd", "sd_a", "se", "se_difference", "systems", "seeds", "seed_sd", "reported_p",
    "effect", "decimals", "dataset",
)  # fmt: skip


@given(
    a=NUMBERS,
    b=NUMBERS,
    items=st.one_of(st.integers(0, 300).map(str), TEXTS),
    more=st.dictionaries(st.sampled_from(NAMES), TEXTS, max_size=3),
    unit=st.sampled_from([None, "fraction", "percent", "count"]),
)
def test_any_claim(a: str, b: str, items: str, more: dict[str, str], unit: str | None) -> None:
    """p-values come in order, verdicts follow from them, JSON stays strict; nothing else but our own errors is raised."""
    try:
        answer = audit(Claim(a=a, b=b, items=items, unit=unit, **more))  # type: ignore[arg-type]  # any text
    except TellapartError:
        return
    found = answer.claims[0]
    assert answer.to_json()
    if found.p_low is None:
        assert found.verdict == "impossible"
        return
    assert found.p_low_rounded is not None
    assert found.p_high_rounded is not None
    assert found.p_high is not None
    assert found.p_expected is not None
    assert 0.0 < found.p_low_rounded <= found.p_low <= found.p_expected
    assert found.p_expected <= found.p_high <= found.p_high_rounded <= 1.0


def test_a_table_without_a_single_claim_is_refused_in_a_page(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("system,item,score\n" + "a,q,1\n" * 300)
    with pytest.raises(DataError, match="none of the 300 rows") as refused:
        audit(tmp_path / "ratings.csv")
    lines = str(refused.value).splitlines()
    assert len(lines) == 22
    assert lines[-1] == "and 280 more"


def test_columns_under_other_names_are_said_to_be_why(tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text("Benchmark,n,Old acc,New acc\nA,1000,70.6,71.4\n")
    with pytest.raises(DataError) as refused:
        audit(tmp_path / "claims.csv")
    said = spell_marks(refused.value.message, "command line")
    assert "'Old acc', 'New acc'" in said
    assert "--column a=… --column b=…" in said
    named = audit(tmp_path / "claims.csv", columns={"a": "Old acc", "b": "New acc"})
    assert named.claims[0].effect == pytest.approx(0.008)
