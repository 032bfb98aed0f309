"""Whoever names a format for a file of another kind is answered or refused in words, never by a fault of ours."""

from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.readers import FORMATS

ALIEN = {
    "scores.csv": b"system,item,score\na,q1,1\nb,q1,0\n",
    "claims.csv": b"name,a,b\nx,0.1,0.2\n",
    "list.json": b"[1, 2, 3]",
    "object.json": b'{"a": {"b": [1]}}',
    "lines.jsonl": b'{"x": 1}\n{"x": 2}\n',
    "words.txt": b"no table at all\n",
    "status.csv": b"Status,Score\nPASS,1\n",
}


@pytest.mark.parametrize("name", ALIEN)
@pytest.mark.parametrize("kind", list(FORMATS))
def test_a_file_of_another_kind_is_no_fault_of_ours(
    kind: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(ALIEN[name])
    with pytest.raises(SystemExit) as left:
        main(["compare", str(tmp_path / name), "--as", kind])
    assert left.value.code in {0, 2, 3}, capsys.readouterr().err


def test_a_sheet_without_systems_is_told_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "claims.csv").write_bytes(ALIEN["claims.csv"])
    with pytest.raises(SystemExit) as left:
        main(["compare", str(tmp_path / "claims.csv"), "--as", "question_columns"])
    assert left.value.code == 3
    assert "no column names the systems; found 'name', 'a', 'b'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "wanted"), [("chat_arena", "winner or winner_model_a"), ("side_by_side", "choice or")]
)
def test_a_table_without_winners_is_told_what_it_lacks(
    kind: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "claims.csv").write_bytes(ALIEN["claims.csv"])
    with pytest.raises(SystemExit) as left:
        main(["compare", str(tmp_path / "claims.csv"), "--as", kind])
    assert left.value.code == 3
    said = capsys.readouterr().err
    assert f"no column says who won; found 'name', 'a', 'b'; wanted {wanted}" in said
    assert f"leave --as {kind} out" in said
