"""Archives that Inspect writes, and archives of many logs: what is opened of them, how often, and what they then say."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.foundation.errors import ReadError, TellapartError
from tellapart.readers import read
from tellapart.readers.storage.archive import ArchiveIndex
from tellapart.readers.storage.limits import Limits
from tellapart.verbs.compare import compare
from tellapart.verbs.convert import convert
from tellapart.verbs.describe import describe

WRITTEN = Path(__file__).parent / "inspect_ai"
"""Logs of made-up answers that inspect_ai 0.3.285 wrote with write_eval_log, and what its samples_df says of them."""
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}

ABOUT = {
    "task": "t",
    "model": "m",
    "dataset": {"name": "sums"},
    "config": {},
    "scorers": [{"name": "match"}],
}
HEADER = {"version": 2, "status": "success", "eval": ABOUT, "plan": {}}


def archive(**members: Any) -> bytes:
    """An .eval of these members, each JSON unless it is bytes."""
    with zipfile.ZipFile(out := io.BytesIO(), "w") as file:
        for name, content in members.items():
            file.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return out.getvalue()


def sample(number: int, value: Any, **more: Any) -> dict[str, Any]:
    return {"id": f"q{number}", "epoch": 1, "scores": {"match": {"value": value}}, "metadata": {}, **more}


def as_inspect_reads_them(system: str) -> dict[tuple[str, str, str], float | str]:
    """What samples_df says of every sample, epoch and measure: a score, that it is missing, or that the sample failed."""
    found: dict[tuple[str, str, str], float | str] = {}
    for item, epoch, scorer, value, failed in json.loads((WRITTEN / "samples_df.json").read_text("utf-8"))[system]:
        if scorer == "shape":
            values = json.loads(value or "{}")
            said = {f"shape/{key}": values.get(key) for key in ("brevity", "clear")}
        else:
            said = {scorer: LETTERS.get(value, value)}
        for measure, score in said.items():
            found[item, str(epoch), measure] = "error" if failed else "missing" if score is None else float(score)
    return found


@pytest.mark.parametrize("name", ["base.eval", "tuned.eval", "base.json"])
def test_every_value_is_that_of_inspect(name: str) -> None:
    """Letters, numbers, several values of a scorer, epochs, limits, failures and NaN: as samples_df has them."""
    content = convert([str(WRITTEN / name)], "rows.jsonl")
    rows = [json.loads(line) for line in content.decode().splitlines()]
    found = {
        (row["item"], row["run"], row["measure"]): row["score"] if row["status"] == "scored" else row["status"]
        for row in rows
        if not row["reducer"]
    }
    assert found == as_inspect_reads_them(f"lab/{name.partition('.')[0]}")
    assert {row["cluster"] for row in rows if not row["reducer"]} == {"t0", "t1", "t2", "t3"}


def test_the_list_of_an_archive_is_read_once(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many logs it holds: read for each of them it would take the square of their number."""
    calls: list[str] = []
    real = ArchiveIndex.of

    def counted(stream: BinaryIO, name: str, limits: Limits) -> ArchiveIndex:
        calls.append(name)
        return real(stream, name, limits)

    monkeypatch.setattr(ArchiveIndex, "of", counted)
    logs = {f"s{n}.json": written.inspect(f"s{n}", {"q1": 1.0, "q2": float(n % 2)}) for n in range(12)}
    assert len(describe([put("all.zip", archive(**logs))]).systems) == 12
    assert len(calls) == 1


def test_a_gzipped_archive_of_logs(put: Put) -> None:
    logs = {f"{name}.json": written.inspect(name, {"q1": 1.0, "q2": 0.0}) for name in "ab"}
    assert read(put("all.zip.gz", gzip.compress(archive(**logs)))).systems == ("a", "b")


def test_samples_of_a_killed_log_that_failed(put: Put) -> None:
    """Without summaries the samples are read, and one that failed is an error, not a score that is missing."""
    members: dict[str, Any] = {"_journal/start.json": HEADER | {"status": "started"}}
    members |= {f"samples/q{n}_epoch_1.json": sample(n, "C" if n % 2 else "I") for n in range(3)}
    members["samples/q3_epoch_1.json"] = sample(3, 1) | {"scores": {}, "error": {"message": "down"}}
    other = put("b.json", written.inspect("n", {f"q{n}": 1.0 for n in range(3)}))
    scores = read([put("a.eval", archive(**members)), other], measure="match", partial=True)
    assert scores.reading is not None
    (killed,) = [one for one in scores.reading.sources if one.system == "m"]
    assert (killed.scored, killed.missing, killed.errors) == (3, 0, 1)


def test_a_member_that_is_no_text(put: Put) -> None:
    bad = archive(**{"header.json": json.dumps(HEADER).encode().replace(b"sums", b"s\xe4ms"), "summaries.json": []})
    with pytest.raises(ReadError, match=r"a\.eval:header\.json: found byte 0xe4"):
        read(put("a.eval", bad))


def test_reductions_are_opened_for_who_asks(put: Put) -> None:
    """A comparison of samples does not open them; who names a reducer does, and learns of the damage."""
    members = {"header.json": HEADER, "summaries.json": [sample(1, "C"), sample(2, "I")]}
    path = put("a.eval", archive(**members, **{"reductions.json": b"[{"}))
    paths = [path, put("b.json", written.inspect("n", {"q1": 1.0, "q2": 1.0}))]
    assert read(paths).values.tolist()[0] == [[[1.0]], [[0.0]]]
    with pytest.raises(TellapartError, match=r"a\.eval:reductions\.json"):
        read(paths, where={"reducer": "mean"})


def test_what_reducers_made_is_grouped_as_its_samples_are() -> None:
    """The cluster that a scorer declares holds for the reductions of its samples too."""
    paths = [str(WRITTEN / f"{name}.eval") for name in ("base", "tuned")]
    scores = read(paths, measure="letters", where={"reducer": "max"})
    assert scores.clusters is not None
    assert len(set(scores.clusters.tolist())) == 4


def test_a_log_that_was_scored_again(put: Put) -> None:
    """It carries the run of the first; given beside it, it is a system of its own, and a mere copy is told."""
    first, again = (json.loads((WRITTEN / "base.json").read_text("utf-8")) for _ in range(2))
    for one in again["samples"]:
        one["scores"].pop("letters", None)
        one["scores"] |= {"letters": {"value": "C"}} if one["scores"] else {}
    paths = [put("first.json", json.dumps(first)), put("again.json", json.dumps(again))]
    answer = compare(read(paths, measure="letters"))
    assert (answer.a.name, answer.b.name) == ("lab/base (first)", "lab/base (again)")
    assert answer.b.mean == 1.0
    copied = compare(read([paths[0], put("copy.json", json.dumps(first))], measure="letters"))
    assert "equal_records" in {note.code for note in copied.notes}


def test_archives_that_are_joined_or_cut(put: Put) -> None:
    """Of two archives in one file only the last would be read; of half a one there is nothing to unpack."""
    both = [(WRITTEN / f"{name}.eval").read_bytes() for name in ("base", "tuned")]
    with pytest.raises(ReadError, match="Pass each file by itself"):
        describe([put("both.eval", b"".join(both))])
    with pytest.raises(ReadError, match="Fetch or write it again"):
        describe([put("cut.eval", both[0][:5000])])


@pytest.mark.parametrize("packed", [bytes, gzip.compress, lzma.compress, bz2.compress], ids=["", "gz", "xz", "bz2"])
def test_other_archives_are_named(put: Put, packed: Callable[[bytes], bytes]) -> None:
    with tarfile.open(fileobj=(out := io.BytesIO()), mode="w") as tar:
        tar.add(WRITTEN / "base.json", "base.json")
    with pytest.raises(ReadError, match=r"archive; .* Unpack it and pass the files"):
        describe([put("logs", packed(out.getvalue()))])


@pytest.mark.parametrize(("measure", "key", "groups"), [("letters", "topic", 4), ("shape/clear", "level", 2)])
def test_a_measure_is_grouped_as_its_own_scorer_says(put: Put, measure: str, key: str, groups: int) -> None:
    """Where two scorers declare a key each, that of the other one is not taken."""
    found = json.loads((WRITTEN / "base.json").read_text("utf-8"))
    for metrics in found["eval"]["scorers"][1]["metrics"].values():
        metrics.append({"name": "stderr", "options": {"cluster": "level"}})
    other = json.dumps(found | {"eval": found["eval"] | {"model": "m"}})
    scores = read([put("a.json", json.dumps(found)), put("b.json", other)], measure=measure)
    assert scores.reading is not None
    assert scores.reading.cluster == key
    assert scores.clusters is not None
    assert len(set(scores.clusters.tolist())) == groups
