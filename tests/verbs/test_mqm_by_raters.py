"""MQM logs: raters are kept also where no segment has two, and documents, which are clusters, are not passed over in silence."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart import Ratings, compare, rank, read
from tellapart.cli import main
from tellapart.foundation.errors import Unsuitable
from tellapart.verbs.describe import describe

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
SHARED = Path(__file__).parents[3] / "shared" / "data" / "format-samples" / "wmt_mqm"


def log(path: Path, rater_of: Callable[[str, int], list[str]], systems: str = "ab", documents: int = 6) -> str:
    """Five segments per document; r2 finds an error more than the others wherever they look."""
    rng = np.random.default_rng(2)
    rows = [HEAD]
    for segment in range(5 * documents):
        for system in systems:
            for rater in rater_of(system, segment):
                errors = 1 + int(rng.integers(0, 3)) + (rater == "r2")
                row = f"{system}\td{segment // 5}\t1\t{segment}\t{rater}\tx\ty\tFluency/Grammar\tMinor"
                rows += [row] * errors
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def alone(system: str, segment: int) -> list[str]:
    """One rater per segment and system, in turn, not the same for both systems."""
    return [f"r{(segment + 2 * (system == 'b')) % 3}"]


def everybody(system: str, segment: int) -> list[str]:
    return ["r0", "r1", "r2"]


def test_raters_are_kept_where_no_segment_has_two(tmp_path: Path) -> None:
    """How hard each of them judges is then part of the model, and not a merit of the system that they met."""
    given = read(log(tmp_path / "alone.tsv", alone), columns={"cluster": "none"})
    assert isinstance(given, Ratings)
    assert given.raters == ("r0", "r1", "r2")
    found = compare(given).ratings
    assert found is not None
    assert (found.mode, found.pairs) == ("single", 0)


def test_one_rater_in_all_gives_scores(tmp_path: Path) -> None:
    answer = compare(log(tmp_path / "one.tsv", lambda *_: ["r1"]))
    assert answer.ratings is None
    assert "one_rater" in {note.code for note in answer.notes}
    assert answer.clusters == 6


def test_every_way_out_of_documents_works(tmp_path: Path) -> None:
    """The refusal names the key and three options; each of them answers what it promises."""
    path = log(tmp_path / "all.tsv", everybody)
    with pytest.raises(Unsuitable) as refused:
        compare(path)
    said = str(refused.value)
    for option in ("{'cluster': 'none'}", "raters_as='fixed'", "{'item': 'doc', 'run': 'item'}"):
        assert option in said
    assert "30 items come in 6 clusters (doc)" in said
    assert compare(read(path, columns={"cluster": "none"})).items == 30
    assert compare(path, raters_as="fixed").clusters == 6
    documents = compare(read(path, columns={"item": "doc", "run": "item"}))
    assert documents.items == 6
    assert documents.ratings is not None
    assert documents.ratings.ratings == 2 * 3 * 6


def test_a_pilot_has_two_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Spreads are fitted to items as independent, if that is asked for; raters cannot be fixed in a plan."""
    path = log(tmp_path / "all.tsv", everybody)
    said: dict[str, tuple[int, str]] = {}
    for more in ("", "--cluster none"):
        with pytest.raises(SystemExit) as stop:
            main(["plan", "pilot", path, "--effect", "0.5", "--items", "30", *more.split()])
        said[more] = int(stop.value.code or 0), capsys.readouterr().err
    assert said["--cluster none"] == (0, "")
    code, refusal = said[""]
    assert code == 2
    assert "--cluster none" in refusal
    assert "raters-as" not in refusal


def commands(path: str) -> list[list[str]]:
    return [command.split() for command in describe(path).commands]


def test_what_describe_tells_to_type_is_not_refused(tmp_path: Path) -> None:
    """Clusters are switched off for raters, ranks are of these raters, and agreement is asked only where two rated the same."""
    shared, single = log(tmp_path / "all.tsv", everybody, "abc"), log(tmp_path / "alone.tsv", alone)
    told = commands(shared)
    assert [words[1] for words in told] == ["compare", "rank", "agreement"]
    assert told[0][3:5] == ["--cluster", "none"]
    assert told[1][3:5] == ["--raters-as", "fixed"]
    assert [words[1] for words in commands(single)] == ["compare"]
    assert compare(read(shared, columns={"cluster": "none"}), "a", "b").items == 30
    assert len(rank(shared, raters_as="fixed").systems) == 3
    one = commands(log(tmp_path / "lone.tsv", everybody, "a"))
    assert [words[1] for words in one] == ["convert", "agreement"]


@pytest.mark.skipif(not SHARED.exists(), reason="the samples of WMT lie beside the checkout")
def test_samples_of_wmt() -> None:
    """TED talks: 4 raters, one per system and segment; side by side: several per segment."""
    ted = read(SHARED / "mqm_ted_ende_two_talks.tsv.gz")
    assert isinstance(ted, Ratings)
    assert len(ted.raters) == 4
    answer = compare(ted, "Online-W", "Facebook-AI")
    assert answer.ratings is not None
    assert answer.ratings.mode == "single"
    assert isinstance(read(SHARED / "sxs_mqm_zhen_first200.tsv.gz"), Ratings)
