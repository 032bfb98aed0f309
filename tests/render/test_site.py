"""The files of a published board: whole, safe and small, of few systems and of two thousand."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, rank
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.published_page import MOST_PAIRS, board_tables
from tellapart.cli import main
from tellapart.render.site import SITE_FILES, badge, site_files


def exit_code(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*words])
    return int(ended.value.code or 0)


EXAMPLES = Path(__file__).parents[2] / "examples"


def board(systems: int, items: int, **more: Any) -> Leaderboard:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(items, 1)) + rng.normal(size=(items, systems)) + np.linspace(0, 2, systems)
    return rank(Scores.from_arrays({f"s{i}": scores[:, i].round(3).tolist() for i in range(systems)}), **more)


@pytest.mark.parametrize("file", ["answers.csv", "votes.csv"])
def test_the_command_writes_every_file(file: str, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "board"
    assert exit_code("rank", str(EXAMPLES / file), "--site", str(folder), "--title", "A & B") == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(SITE_FILES)
    told = json.loads((folder / "board.json").read_text(encoding="utf-8"))
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "A &amp; B" in page
    assert all(f">{one['name']}</a>" in page for one in told["systems"])
    assert (folder / "board.csv").read_text(encoding="utf-8").count("\n") == 1 + len(told["systems"])
    again = ["rank", str(EXAMPLES / file), "--site", str(folder), "--since", str(folder / "board.json")]
    assert exit_code(*again) == 0
    assert "before</th>" in (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["{}", "[]", "x", '{"systems": [{"name": "a"}]}', None])
def test_what_is_no_board_is_refused(content: str | None, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    if content is not None:
        old.write_text(content, encoding="utf-8")
    asked = ["rank", str(EXAMPLES / "answers.csv"), "--since", str(old)]
    assert exit_code(*asked) == 2
    assert exit_code(*asked, "--site", str(tmp_path / "site")) == 3
    assert not (tmp_path / "site" / "index.html").exists()


def test_a_place_that_is_taken_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert exit_code("rank", "absent.csv", "--site", str(tmp_path / "file")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_pairs_of_a_large_board_are_letters() -> None:
    """Above the limit the outcome of each pair is one letter in its place of the triangle, and is that of the answer."""
    answer = board(520, 40, resamples=200)
    (table,) = board_tables(answer)
    assert len(answer.pairs) > MOST_PAIRS
    place = {s.name: i for i, s in enumerate(answer.systems)}
    rows, n = iter(table.outcomes), len(place)
    letters = {(i, j): next(rows) for i in range(n) for j in range(i + 1, n)}
    for pair in answer.pairs[::97]:
        a, b = place[pair.a], place[pair.b]
        better = {"b better": b, "a better": a}.get(pair.verdict)
        wanted = "=" if better is None else "+" if better == max(a, b) else "-"
        assert letters[min(a, b), max(a, b)] == wanted
    assert len(site_files(answer)["index.html"]) < 1_500_000


def test_a_badge_is_a_picture_whatever_it_says() -> None:
    root = ET.fromstring(badge("<b>&\x1b" * 40))  # noqa: S314  (made a line above)
    assert root.tag.endswith("svg")
    assert int(root.attrib["width"]) < 520
