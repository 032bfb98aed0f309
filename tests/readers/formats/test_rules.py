"""What is asked of logs, one rule at a time: choices, names, runs, clusters, what is missing, folders and archives."""

import gzip
import io
import json
import os
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.foundation.errors import DataError, ReadError, TellapartError, UsageError
from tellapart.readers import read
from tellapart.readers.tables.sides import read_sides
from tellapart.verbs.compare import compare
from tellapart.verbs.convert import convert
from tellapart.verbs.describe import describe
from tellapart.verbs.slice_columns import slice_masks

A = {f"q{n}": float(n % 2) for n in range(10)}
B = {f"q{n}": float(n % 3 == 0) for n in range(10)}


def refused(*sources: str, **asked: Any) -> str:
    with pytest.raises(DataError) as error:
        compare(read(list(sources) if len(sources) > 1 else sources[0], **asked))
    return error.value.message_for("command line")


def log(model: str, scores: dict[str, Any], **changes: Any) -> bytes:
    """An Inspect log; `changes` reach into it by dotted paths written with double underscores."""
    found = json.loads(written.inspect(model, scores))
    for path, value in changes.items():
        *folders, last = path.split("__")
        inner = found
        for key in folders:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return json.dumps(found).encode()


def lm(scores: dict[str, Any], **changes: Any) -> bytes:
    records = [json.loads(line) | changes for line in written.lm_eval("m", scores).splitlines()]
    return written.lines(records)


def test_an_open_measure_lists_all(put: Put) -> None:
    """Measures without scores of single items are listed as such, and refused where they are asked for."""
    pairs = [json.loads(line) for line in lm(A, f1=[1, 0]).splitlines()]
    content = written.lines([record | {"metrics": ["acc", "f1", "acc_norm"], "acc_norm": 1.0} for record in pairs])
    paths = [put(f"{name}/samples_t.jsonl", content) for name in ("a", "b")]
    message = refused(*paths)
    assert "'acc', 'f1' (no scores of single items), 'acc_norm'. Pick one with --measure acc" in message
    assert "is a pair, a list or a word here" in refused(*paths, measure="f1")
    assert "did you mean 'acc" in refused(*paths, measure="acu")


def test_filters_are_picked(put: Put) -> None:
    """A filter is picked by --where, or in the spelling of the program; else it is asked for."""
    paths = [
        put(f"{name}/samples_t.jsonl", lm(scores, filter="strict") + lm(B, filter="loose"))
        for name, scores in (("a", A), ("b", B))
    ]
    assert "several values of filter: 'strict', 'loose'. Pick one: --where filter=strict" in refused(*paths)
    one, other = read(paths, where={"filter": "strict"}), read(paths, measure="acc,strict")
    assert (one.values == other.values).all()
    assert "filter is nowhere 'x'" in refused(*paths, where={"filter": "x"})
    with pytest.raises(UsageError, match="no field of that name varies here"):
        read(paths, where={"split": "x"})


def test_equal_names_get_what_differs(put: Put) -> None:
    """Two files of one model are two systems, called after the settings that differ, or after the files."""
    paths = [put(f"{t}.json", log("m", s, plan__config={"temperature": t})) for t, s in ((0.0, A), (0.7, B))]
    assert read(paths).systems == ("m (temperature=0.0)", "m (temperature=0.7)")
    alike = [put("one.json", log("m", A)), put("two.json", log("m", B))]
    assert read(alike).systems == ("m (one)", "m (two)")


def test_runs_of_one_system_in_a_folder(put: Put, tmp_path: Path) -> None:
    """Nobody guesses what two runs of one system are: the caller says it."""
    for number, scores in enumerate((A, B)):
        created = f"2026-01-0{number + 1}"
        put(f"logs/{number}.json", log("m", scores, eval__created=created, plan__config={"seed": number}))
    put("logs/other.json", log("n", A))
    folder = str(tmp_path / "logs")
    message = refused(folder)
    assert all(f"--same-system {mode}" in message for mode in ("separate", "repeat", "latest"))
    assert read(folder, same_system="separate").systems == ("m (seed=0)", "m (seed=1)", "n")
    assert read(folder, same_system="repeat").values.shape == (2, 10, 2, 1)
    assert read(folder, same_system="latest").values[0, :, 0, 0].tolist() == list(B.values())


def test_copies(put: Put, tmp_path: Path) -> None:
    """A copy in a folder is refused; two named files of equal records are answered, with a note; a path twice is refused."""
    content = written.ragas("", A)
    one, other = put("d/one.json", content), put("d/two.json", content)
    assert "the same records as in" in refused(str(tmp_path / "d"))
    assert "equal_records" in codes(compare(read([one, other])).notes)
    assert "given twice" in refused(one, one)


def test_direction(put: Put) -> None:
    """From the file where it says so, else assumed and said; flags win, and do not contradict each other."""
    results = {"results": {}, "higher_is_better": {"t": {"acc": False}}, "model_name": "m", "config": {}}
    date = "2026-01-01T00-00-00.1"
    for name, scores in (("a", A), ("b", B)):
        put(f"{name}/samples_t_{date}.jsonl", lm(scores))
        put(f"{name}/results_{date}.json", json.dumps(results | {"model_name": name}))
    paths = [str(Path(put(f"{name}/x", "")).parent) for name in "ab"]
    answer = compare(read(paths))
    assert answer.lower_is_better
    assert answer.to_dict()["direction"] == {"better": "lower", "source": "file"}
    flagged = compare(read(paths), higher_is_better=True).to_dict()
    assert flagged["direction"] == {"better": "higher", "source": "flag"}
    assert not flagged["lower_is_better"]
    assumed = compare(read([put("m.json", log("m", A)), put("n.json", log("n", B))]))
    assert assumed.to_dict()["direction"] == {"better": "higher", "source": "assumed"}
    assert "direction_assumed" in codes(assumed.notes)
    with pytest.raises(UsageError, match="contradict"):
        compare(read(paths), higher_is_better=True, lower_is_better=True)
    with pytest.raises(DataError, match="best of all"):
        compare(read(paths, errors="zero"))


def test_clusters(put: Put) -> None:
    """Declared ones are taken, others asked for by key, and `none` switches them off."""
    declared = [{"name": "match", "metrics": [{"name": "stderr", "options": {"cluster": "g"}}]}]

    def grouped(model: str, scores: dict[str, float]) -> bytes:
        found = json.loads(log(model, scores, eval__scorers=declared))
        for place, sample in enumerate(found["samples"]):
            sample["metadata"] = {"g": str(place // 2), "h": str(place % 5)}
        return json.dumps(found).encode()

    paths = [put("a.json", grouped("m", A)), put("b.json", grouped("n", B))]
    answer = compare(read(paths)).to_dict()
    assert (answer["clusters"], answer["cluster"]) == (5, "g")
    off = compare(read(paths, columns={"cluster": "none"})).to_dict()
    assert (off["clusters"], off["cluster"]) == (None, None)
    assert compare(read(paths, columns={"cluster": "metadata.h"})).to_dict()["cluster"] == "metadata.h"
    assert "no record has a key 'x'" in refused(*paths, columns={"cluster": "x"})
    assert {(one.key, one.groups, one.declared) for one in describe(paths).clusters} == {
        ("metadata.g", 5, True),
        ("metadata.h", 5, False),
    }


def test_slices_are_keys_of_records(put: Put, tmp_path: Path) -> None:
    """By their full name or the last part of it, lists as tags, and what rows say of themselves; a task without the key has no slice."""

    def about(content: bytes, under: str) -> bytes:
        records = [json.loads(line) for line in content.splitlines()]
        for place, record in enumerate(records):
            record[under] |= {"subject": "law" if place < 5 else "art", "tags": ["hard", "long"][: place % 3]}
        return written.lines(records)

    paths = [put(f"{name}/samples_t.jsonl", about(lm(scores), "doc")) for name, scores in (("a", A), ("b", B))]
    for name, scores in (("a", A), ("b", B)):
        put(f"{name}/samples_u.jsonl", lm(scores))
    found = read([str(tmp_path / name) for name in "ab"], slices=("subject", "doc.tags", "dataset"))
    masks = {column: slice_masks(found, column, "|") for column in found.slices}
    counted = {column: {name: int(mask.sum()) for name, mask in one.items()} for column, one in masks.items()}
    assert counted == {
        "subject": {"art": 5, "law": 5},
        "doc.tags": {"hard": 6, "long": 3},
        "dataset": {"t": 10, "u": 10},
    }
    answer = compare(paths, slices=("subject", "tags"), slice_least=2)
    assert [(one.column, one.items) for one in answer.slices or () if one.slice in {"law", "long"}] == [
        ("subject", 5),
        ("tags", 3),
    ]
    assert "no record has a key 'subjct'; did you mean" in refused(*paths, slices=("subjct",))


@pytest.mark.parametrize("key", ["topic", "metadata.topic"])
def test_slices_of_inspect_and_promptfoo(put: Put, key: str) -> None:
    """Metadata of samples and of test cases is handed over alike."""

    def told(content: bytes, samples: str) -> bytes:
        found = json.loads(content)
        for place, sample in enumerate(found["results"]["results"] if samples == "results" else found[samples]):
            sample["metadata"] = {"topic": ["x", "y"][place % 2 : place % 2 + 1] if place else ["x", "y"]}
        return json.dumps(found).encode()

    for name, samples in (("inspect", "samples"), ("promptfoo", "results")):
        paths = [
            put(f"{name}-{system}.json", told(written.WRITERS[name](system, scores), samples))
            for system, scores in (("m", A), ("n", B))
        ]
        answer = compare(paths, slices=(key,), slice_least=2)
        assert {one.slice: one.items for one in answer.slices or ()} == {"x": 5, "y": 6}


def test_slices_of_helm_are_what_its_scenario_was_asked_for(put: Put, tmp_path: Path) -> None:
    for model, every in (("m", 2), ("n", 4)):
        for subject, scores in (("law", A), ("art", B)):
            folder = f"runs/mmlu:subject={subject},model={model}"
            spec = {
                "name": f"mmlu:subject={subject},model={model}",
                "scenario_spec": {"args": {"subject": subject}},
                "adapter_spec": {"model": model},
            }
            put(f"{folder}/run_spec.json", json.dumps(spec))
            put(
                f"{folder}/per_instance_stats.json",
                written.helm("", scores | {f"q{n}": 1.0 for n in range(0, 10, every)}),
            )
    answer = compare(str(tmp_path / "runs"), slices=("subject",), slice_least=2)
    assert {one.slice: (one.items, one.effect) for one in answer.slices or ()} == {"law": (10, -0.2), "art": (10, -0.1)}


def test_failures(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    """What failed is no score and no 0, until the caller says so; the refusal names the flag."""

    def broken(model: str) -> bytes:
        found = json.loads(log(model, A))
        found["samples"][0] |= {"error": {"message": "x"}, "scores": {}}
        found["samples"][1] |= {"limit": "message"}
        return json.dumps(found).encode()

    paths = [put("a.json", broken("m")), put("b.json", log("n", B))]
    with pytest.raises(SystemExit) as stop:
        main(["compare", *paths])
    assert stop.value.code == 3
    assert "--errors zero" in capsys.readouterr().err
    dropped = compare(read(paths), missing="drop")
    assert dropped.items == 9
    assert "failures_left_out" in codes(dropped.notes)
    assert dropped.sources is not None
    assert [(s.rows, s.scored, s.missing, s.errors) for s in dropped.sources] == [
        (10, 9, 0, 1),
        (10, 10, 0, 0),
    ]
    counted = compare(read(paths, errors="zero"))
    assert (counted.items, counted.a.mean) == (10, 0.5)
    assert "failures_as_zero" in codes(counted.notes)


@pytest.mark.parametrize("status", ["started", "error", "cancelled"])
def test_unfinished_logs(put: Put, status: str) -> None:
    """They are refused, naming the flag that reads them; the answer then says so."""
    paths = [put("a.json", log("m", A, status=status)), put("b.json", log("n", B))]
    assert "--partial" in refused(*paths)
    assert "unfinished_source" in codes(compare(read(paths, partial=True)).notes)
    withdrawn = [put("c.json", log("m", A, invalidated=True)), paths[1]]
    assert "invalidated" in refused(*withdrawn)


def test_no_final_report(put: Put) -> None:
    """OpenAI evals without a final report did not come to their end."""
    cut = b"\n".join(line for line in written.openai_evals("m", A).splitlines() if b"final_report" not in line)
    assert "--partial" in refused(put("a.jsonl", cut), put("b.jsonl", written.openai_evals("n", B)))


def archive(model: str, scores: dict[str, Any], *, header: bool = True) -> bytes:
    found = json.loads(log(model, scores))
    samples = found.pop("samples")
    with zipfile.ZipFile(out := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_journal/start.json", json.dumps({"version": 2, "eval": found["eval"]}))
        if header:
            file.writestr("header.json", json.dumps(found))
            file.writestr("summaries.json", json.dumps([{k: s[k] for k in ("id", "epoch", "scores")} for s in samples]))
        for sample in samples:
            file.writestr(f"samples/../{sample['id']}/x_epoch_1.json", json.dumps(sample))
    return out.getvalue()


def test_archives(put: Put) -> None:
    """An .eval is read from its summaries, samples only for what those lack; a killed one is refused in words."""
    paths = [put("a.eval", archive("m", A)), put("b", gzip.compress(archive("n", B)))]
    assert compare(read(paths)).a.mean == 0.5
    assert read(paths, columns={"cluster": "g"}).clusters is not None
    alone = zipped(**{"_journal/start.json": b'{"version": 2, "eval": {"task": "t", "model": "m"}}'})
    assert "killed" in refused(put("d.eval", alone), paths[1])
    assert "killed" in refused(put("c.eval", archive("m", A, header=False)), paths[1], measure="match", partial=False)


def zipped(**members: bytes) -> bytes:
    with zipfile.ZipFile(out := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_strange_archives(put: Put) -> None:
    """Logs zipped together are read; what is encrypted, doubled, cut or an archive in an archive is refused in words."""
    both = zipped(**{"a.json": log("m", A), "sub/b.json": log("n", B), "notes.txt": b"x"})
    assert read(put("all.zip", both)).systems == ("m", "n")
    assert "inside an archive" in refused(put("in.zip", zipped(**{"x.zip": both})))
    flagged = bytearray(both)
    entry = both.index(b"PK\x01\x02")
    struct.pack_into("<H", flagged, entry + 8, 1)
    assert "encrypted" in refused(put("e.zip", bytes(flagged)))
    assert "zip archive that cannot be read" in refused(put("cut.zip", both[:-40]))
    with zipfile.ZipFile(out := io.BytesIO(), "w") as file:
        for _ in range(2):
            file.writestr("header.json", b"{}")
    assert "2 times" in refused(put("twice.eval", out.getvalue()))


def test_resolved_lists_need_a_universe(put: Put, tmp_path: Path) -> None:
    """Whatever is not resolved is 0 once it is said which items there are."""
    solved = [["d__d-1", "d__d-2", "d__d-3"], ["d__d-1"]]
    paths = [
        put(
            f"sub{n}/results/results.json",
            json.dumps({"no_generation": ["d__d-9"], "no_logs": [], "resolved": ids}),
        )
        for n, ids in enumerate(solved)
    ]
    assert "--universe" in refused(*paths)
    scores = read(paths, universe=10)
    assert scores.systems == ("sub0", "sub1")
    assert compare(scores).a.mean == pytest.approx(0.3)
    ids = "\n".join(f"d__d-{n}" for n in range(1, 21))
    assert compare(read(paths, universe=put("ids.txt", ids))).b.mean == pytest.approx(0.05)
    assert "give at least that many" in refused(*paths, universe=2)
    assert "is not among its 1 items" in refused(*paths, universe=put("few.txt", "d__d-1\n"))


def test_one_id_for_two_texts(put: Put) -> None:
    """Items of one number and two hashes are refused; items may be called by their hash too."""
    paths = [put(f"{name}/samples_t.jsonl", lm(A, doc_hash=name)) for name in "ab"]
    assert "--column text=none" in refused(*paths)
    shifted = written.lines(
        [json.loads(line) | {"doc_id": n + 1} for n, line in enumerate(written.lm_eval("", B).splitlines())]
    )
    mixed = [put("c/samples_t.jsonl", lm(A)), put("d/samples_t.jsonl", shifted)]
    assert compare(read(mixed, columns={"item": "doc_hash"})).b.mean == pytest.approx(0.4)


def test_mixed_formats(put: Put) -> None:
    """A table and a log pair by item where measure and names agree."""
    table = put("base.csv", "item,recall\n" + "".join(f"{item},{score}\n" for item, score in A.items()))
    answer = compare(read([table, put("new.json", written.ragas("", B))], measure="recall"))
    assert (answer.a.name, answer.b.name, answer.items) == ("base", "new", 10)


def test_folders(put: Put, tmp_path: Path) -> None:
    """Links out, pipes and files of no format are skipped and named; patterns are expanded."""
    for name, scores in (("a", A), ("b", B)):
        put(f"logs/{name}/log.json", log(name, scores))
    put("logs/readme.txt", "hello")
    outside = put("outside.json", log("c", A))
    (tmp_path / "logs" / "out").symlink_to(outside)
    (tmp_path / "logs" / "loop").symlink_to(tmp_path / "logs")
    os.mkfifo(tmp_path / "logs" / "pipe")
    answer = describe(str(tmp_path / "logs"))
    assert {system.name for system in answer.systems} == {"a", "b"}
    assert {(one.what, one.count) for one in answer.skipped} == {
        ("links", 2),
        ("pipes and devices", 1),
        ("files", 1),
    }
    assert read(str(tmp_path / "logs" / "*" / "log.json")).systems == ("a", "b")


def test_depth_and_entries(put: Put, tmp_path: Path) -> None:
    """A folder is walked as deep as allowed, and not without end."""
    put("x/" + "d/" * 9 + "log.json", log("a", A))
    assert "too deep" in refused(str(tmp_path / "x"))
    for number in range(5):
        put(f"y/{number}", "x")
    assert "a folder of more than 3 files" in refused(str(tmp_path / "y"), limits={"entries": 3})


def test_bombs(put: Put) -> None:
    """What unpacks to far more than it is worth is refused early, and so are records without end."""
    bomb = gzip.compress(b'[{"instruction": "' + b"a" * (80 << 20), 9)
    assert "ratio" in refused(put("bomb.json.gz", bomb), limits={"ratio": 10})
    endless = put("endless.json", b'{"version": 2, "eval": {"task": "t", "model": "m"}, "x": "' + b"a" * (1 << 20))
    assert "a record of more than" in refused(endless, limits={"record": 1 << 16})
    deep = (
        json.dumps({"eval": {"task": "t", "model": "m"}, "samples": []})[:-1]
        + ', "plan": '
        + "[" * 300
        + "]" * 300
        + "}"
    )
    assert "nested 300 deep" in refused(put("deep.json", deep))


def test_overflow_is_an_error(put: Put) -> None:
    """A number beyond all floats is refused with its place; NaN and Infinity are missing."""
    text = written.ragas("", A).decode()
    assert "row 1" in refused(put("a.json", text.replace("0.0", "1e400", 1)), put("b.json", written.ragas("", B)))
    bare = read([put("a.json", text.replace("0.0", "NaN", 1)), put("b.json", text.replace("1.0", "-Infinity", 1))])
    assert [source.missing for source in bare.reading.sources] == [1, 1]


def test_encodings(put: Put) -> None:
    """A log in UTF-16 with its mark, or in Latin-1, is read; in what may be several encodings it is refused."""
    content = log("m", A).decode()
    assert read([put("a.json", content.encode("utf-16")), put("b.json", log("n", B))]).systems == ("m", "n")
    latin, other = (written.ragas("", A).decode().replace('"r"', f'"{letter}"') for letter in "é€")
    assert len(read([put("c.json", latin.encode("latin-1")), put("d.json", written.ragas("", B))]).systems) == 2
    assert "UTF-8" in refused(put("c.json", other.encode("cp1252")), put("d.json", written.ragas("", B)))


def test_a_format_by_name(put: Put) -> None:
    """Bare numbers are no format until one is named; a name that is none is refused with the nearest."""
    paths = [put(f"{name}.slb", "".join(f"{n}.5\n" for n in range(10 + k, 20 + k))) for k, name in enumerate("ab")]
    with pytest.raises(TellapartError):
        read(paths)
    assert read(paths, format="sacrebleu_segments").measure == "score"
    with pytest.raises(UsageError, match="sacrebleu_segments"):
        read(paths, format="sacrebleu")


def test_two_sure_formats_are_an_error(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names both, and the flag that decides."""
    from tellapart.readers import FORMATS, Certainty  # noqa: PLC0415

    monkeypatch.setattr(
        FORMATS["py_irt"], "claim", lambda _, origin: Certainty.CERTAIN if origin.head else Certainty.NONE
    )
    message = refused(put("a.json", log("m", A)), put("b.json", log("n", B)))
    assert "'inspect' and 'py_irt'" in message
    assert "--as inspect" in message


def test_aggregates_are_refused_with_the_way_out(put: Put) -> None:
    """A results file holds no items: what to pass instead is said."""
    message = refused(put("r.json", json.dumps({"results": {"t": {"acc,none": 0.5}}, "configs": {}})))
    assert "holds no items" in message
    assert "samples_*.jsonl" in message
    with pytest.raises(ReadError, match="holds no items"):
        describe(put("r.json", json.dumps({"results": {"t": {}}, "configs": {}})))


def test_perturbations_and_trials(put: Put) -> None:
    """HELM: unperturbed instances unless one is picked; trials are runs."""

    def stats(scores: dict[str, float], wrong: float) -> bytes:
        plain = json.loads(written.helm("", scores))
        again = [{**one, "train_trial_index": 1} for one in plain]
        other = json.loads(written.helm("", dict.fromkeys(scores, wrong)))
        return json.dumps(plain + again + [{**one, "perturbation": {"name": "typos"}} for one in other]).encode()

    paths = [
        put(f"{name}/per_instance_stats.json", stats(scores, wrong))
        for name, scores, wrong in (("a", A, 0.0), ("b", B, 1.0))
    ]
    scores = read(paths)
    assert scores.values.shape == (2, 10, 2, 1)
    assert "default_axis" in codes(compare(scores).notes)
    assert compare(read(paths, where={"perturbation": "typos"})).b.mean == 1.0


def test_repeats_of_promptfoo(put: Put) -> None:
    """Equal vars under other numbers are runs; only failureReason 2 is an error."""
    found = json.loads(written.promptfoo("a", A))
    rows = found["results"]["results"]
    rows += [{**row, "testIdx": row["testIdx"] + 10, "score": 1.0} for row in rows]
    rows[0] |= {"failureReason": 2, "error": "boom", "score": 0.0}
    rows[1] |= {"failureReason": 1, "error": "assertion failed"}
    other = json.loads(written.promptfoo("b", B))["results"]["results"]
    found["results"]["results"] += other
    scores = read(put("out.json", json.dumps(found)), measure="score")
    assert scores.systems == ("[a] q", "[b] q")
    assert scores.values.shape[2] == 2
    assert [source.errors for source in scores.reading.sources] == [1, 0]


def test_several_raters_keep_the_direction_of_their_file(put: Put) -> None:
    """MQM by several raters is judged as ratings, and lower weights stay the better ones."""
    head = written.wmt_mqm("x", {}).decode().splitlines()[0]
    rows = [
        row.replace("\tr1\t", f"\t{rater}\t")
        for rater, scores in (("r1", A), ("r2", B), ("r3", dict(zip(A, reversed(B.values()), strict=True))))
        for row in (
            *written.wmt_mqm("worse", scores).decode().splitlines()[1:],
            *written.wmt_mqm("fine", dict.fromkeys(A, 0.0)).decode().splitlines()[1:],
        )
    ]
    answer = compare(read(put("sxs.tsv", "\n".join([head, *rows])), columns={"cluster": "none"}))
    assert answer.lower_is_better
    assert answer.to_dict()["direction"] == {"better": "lower", "source": "file"}


def two_keys(system: str, lucky: int) -> bytes:
    """A log whose two scorers declare different groups of the same samples."""
    scorers = [
        {"name": name, "metrics": [{"name": "stderr", "options": {"cluster": key}}]}
        for name, key in (("match", "topic"), ("judge", "author"))
    ]
    samples = [
        {
            "id": n,
            "epoch": 1,
            "metadata": {"topic": f"t{n % 5}", "author": f"a{n % 8}"},
            "scores": {"match": {"value": (n * lucky) % 7 % 2}, "judge": {"value": (n * lucky) % 11 / 10}},
        }
        for n in range(40)
    ]
    about = {"task": "t", "model": system, "dataset": {"name": "d"}, "config": {}, "scorers": scorers}
    return json.dumps({"version": 2, "status": "success", "eval": about, "plan": {}, "samples": samples}).encode()


@pytest.mark.parametrize("name", ["all.csv", "all.jsonl", "all.parquet"])
@pytest.mark.parametrize(("measure", "key", "groups"), [("match", "topic", 5), ("judge", "author", 8)])
def test_two_scorers_that_declare_different_clusters(put: Put, name: str, measure: str, key: str, groups: int) -> None:
    paths = [put(f"{system}.json", two_keys(system, lucky)) for system, lucky in (("a", 3), ("b", 5))]
    converted = put(name, convert(paths, name))
    answers = [compare(read(source, measure=measure)).to_dict() for source in (paths, converted)]
    assert [(one["cluster"], one["clusters"]) for one in answers] == [(key, groups)] * 2
    assert [one["pvalue"] for one in answers] == [answers[0]["pvalue"]] * 2


def test_a_declared_key_that_no_sample_has(put: Put) -> None:
    paths = [
        put(f"{s}.json", two_keys(s, n).replace(b'"author": "a', b'"writer": "a')) for s, n in (("a", 3), ("b", 5))
    ]
    with pytest.raises(ReadError, match="no record has a key 'author'"):
        convert(paths, "all.csv")


def test_instances_without_a_report_need_a_universe(put: Put, tmp_path: Path) -> None:
    """A failed harness leaves a log and no report, an empty patch not even a folder: both are unresolved, as in the harness's summary."""
    for model, solved in (("base", 17), ("new", 18)):
        for n in range(46):
            folder = f"logs/run_evaluation/r1/{model}/d__d-{n}"
            put(f"{folder}/run_instance.log", "Error response from daemon: no such image\n")
            if n < 41:
                put(f"{folder}/report.json", json.dumps({f"d__d-{n}": {"patch_exists": True, "resolved": n < solved}}))
    said = refused(str(tmp_path / "logs"))
    assert "d__d-41/run_instance.log: no report lies beside it" in said
    assert "--universe" in said
    answer = compare(read(str(tmp_path / "logs"), universe=50))
    assert answer.items == 50
    assert [answer.a.mean, answer.b.mean] == pytest.approx([17 / 50, 18 / 50])


def test_sides_that_name_other_instances_have_one_universe(put: Put, tmp_path: Path) -> None:
    """What only one side names is unresolved on the other, whether or not a folder of its own says so."""
    for model, names in (("base", range(20)), ("new", range(5, 30))):
        for n in names:
            report = json.dumps({f"d__d-{n}": {"patch_exists": True, "resolved": n % 2 == 0}})
            put(f"{model}/d__d-{n}/report.json", report)
    both = [str(tmp_path / model) for model in ("base", "new")]
    together, by_side = compare(read(both, universe=40)), compare(read_sides(*both, universe=40))
    assert together.items == by_side.items == 40
    assert together.effect == by_side.effect == pytest.approx((12 - 10) / 40, rel=1e-12, abs=0.0)
    with pytest.raises(ReadError, match="already name 30 items"):
        read_sides(*both, universe=26)


def test_folders_of_this_month_without_a_report(shared: Path) -> None:
    folder = shared / "logs-2026-11/swebench_5/logs"
    answer = compare(read(str(folder), universe=50))
    assert [answer.a.mean, answer.b.mean] == pytest.approx([17 / 50, 18 / 50])
