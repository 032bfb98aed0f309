"""Archives as programs pack them: folders listed before their files, files that lie in no folder; files given twice."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.foundation.errors import ReadError
from tellapart.readers import read
from tellapart.verbs.compare import compare
from tellapart.verbs.describe import describe

A = {f"q{n}": float(n % 2) for n in range(10)}
B = {f"q{n}": float(n % 3 == 0) for n in range(10)}
DATE = "2026-11-15T08-14-34.122549"


def packed(files: Mapping[str, bytes], *, folders: tuple[str, ...] = ()) -> bytes:
    with zipfile.ZipFile(out := io.BytesIO(), "w") as archive:
        for folder in folders:
            archive.writestr(f"{folder}/", b"")
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_a_folder_that_was_packed(put: Put) -> None:
    """`zip -r` lists the folder first: no other file stands before the archive for that."""
    both = {"runs/a.jsonl": written.ir_measures("", A), "runs/b.jsonl": written.ir_measures("", B)}
    answer = compare(read(put("runs.zip", packed(both, folders=("runs",)))))
    plain = compare(read([put(name, content) for name, content in both.items()]))
    assert (answer.a.name, answer.b.name) == ("a", "b")
    assert (answer.pvalue, answer.effect) == (plain.pvalue, plain.effect)


def test_names_of_packed_files_leave_the_archive_out(put: Put) -> None:
    """A file in no folder of an archive is called as it is outside."""
    report = json.dumps({"total_instances": 2, "resolved_ids": ["r__r-1"], "unresolved_ids": ["r__r-2"]})
    files = {
        "a.jsonl": written.ir_measures("", A),
        "b_eval_results.json": written.evalplus("", A),
        f"samples_gsm_8k_{DATE}.jsonl": written.lm_eval("", A),
        f"results_{DATE}.json": json.dumps({"model_name": "org/m", "results": {}}).encode(),
        "lab__x.run1.json": report.encode(),
    }
    for archive in ("x.zip", "x"):
        answer = describe([put(archive, packed(files))])
        assert {system.name for system in answer.systems} == {"a", "b", "org/m", "lab/x"}
        assert [dataset for dataset in answer.datasets if dataset] == ["gsm_8k"]


def test_two_archives_with_files_of_one_name(put: Put) -> None:
    paths = [
        put(f"{name}.zip", packed({"r.jsonl": written.ir_measures("", scores)}))
        for name, scores in (("one", A), ("two", B))
    ]
    answer = compare(read(paths))
    assert answer.a.name.endswith("one.zip:r.jsonl")
    assert answer.b.name.endswith("two.zip:r.jsonl")


def test_a_folder_and_a_file_in_it(put: Put) -> None:
    """The file was given twice: nobody finds a second one to remove."""
    first = put("runs/a.jsonl", written.ir_measures("", A))
    put("runs/b.jsonl", written.ir_measures("", B))
    with pytest.raises(ReadError, match=r"runs.a\.jsonl: this file is given twice"):
        read([str(Path(first).parent), first])
