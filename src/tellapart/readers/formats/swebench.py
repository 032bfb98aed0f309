import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, Facts, Log, OpenLog, Origin, Row
from tellapart.readers.naming import stem
from tellapart.readers.storage.csv_rows import csv_rows
from tellapart.readers.storage.json_objects import read_object
from tellapart.readers.storage.preview import Preview

RESOLVED = "resolved"
_TABLE = "instance_id,resolved"
_INSTANCE = re.compile(r"[\w.-]+__[\w.-]+-\d+")
# In this order: an id that is in several lists is what the first of them says.
_LISTS = {"resolved_ids": 1, "unresolved_ids": 0, "empty_patch_ids": 0, "error_ids": None, "incomplete_ids": None}


@FORMATS.add("swebench")
@dataclass(frozen=True)
class SweBench(Log):
    """SWE-bench: the report of a run, the report.json of each instance, or the list of what a submission resolved.

    An empty patch is a failure of the system, and 0; instances that were not judged are errors. A list of what was resolved
    does not say what was not: it needs to be told all instances. So do folders of which one has a log and no report: its harness
    failed, and instances with an empty patch leave no folder at all.
    """

    label = "SWE-bench reports"
    first_line = r"instance_id|run_instance\.log"
    program = "SWE-bench"
    items = "instance_id"
    unit = "instance"
    lists_only_solved = True

    def example(self) -> bytes:
        return (
            b'{"total_instances": 3, "submitted_instances": 3, "resolved_ids": ["django__django-1"], '
            b'"unresolved_ids": ["django__django-2"], "empty_patch_ids": [], "error_ids": [], "incomplete_ids": []}'
        )

    def recognises(self, origin: Origin) -> bool:
        return _shape(origin) is not None

    def summary_only(self, origin: Origin) -> str | None:
        if origin.preview.has("instance_id", "model_patch"):
            return "predictions of SWE-bench without a verdict; pass the report that its evaluation writes"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        shape = _shape(origin)
        if shape == "table":
            return OpenLog(Facts(primary=RESOLVED), _csv_table_rows(origin))
        if shape == "unreported":
            rows = iter([Row(1, _instance(origin), RESOLVED, None, ERROR, record=_instance(origin))])
            return OpenLog(replace(_named_after_folders(origin), solved_only=True), rows)
        found = read_object(origin)
        if shape == "report":
            return OpenLog(_named_after_file(origin), _report_rows(found))
        if shape == "list":
            facts = Facts(system=_submission(origin), primary=RESOLVED, solved_only=True)
            return OpenLog(facts, _list_rows(found))
        entries = {_instance(origin): found} if shape == "entry" else found
        return OpenLog(_named_after_folders(origin), _instance_rows(entries))

    def system_name(self, path: str) -> str:
        return stem(path).replace("__", "/", 1)

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return {"repo": record.rpartition("-")[0].replace("__", "/", 1)}


def _shape(origin: Origin) -> str | None:
    preview = origin.preview
    if origin.path.endswith("/run_instance.log") and _INSTANCE.fullmatch(_instance(origin)):
        return None if origin.neighbour("report.json") else "unreported"
    if preview.kind == "text":
        return "table" if origin.opening.lstrip("\ufeff \n").startswith(_TABLE) else None
    if preview.has("resolved_ids"):
        return "report"
    if preview.has(RESOLVED, "no_generation") or preview.has(RESOLVED, "no_logs") or _lists_instances(preview):
        return "list"
    if preview.has(RESOLVED, "patch_exists"):
        return "entry"
    first = next(iter(preview.first.values()), None) if preview.kind == "object" and preview.first else None
    return "instances" if isinstance(first, dict) and {"patch_exists", RESOLVED} <= first.keys() else None


def _lists_instances(preview: Preview) -> bool:
    """Whether what was resolved is a list, without more, of names such as django__django-11099."""
    found = preview.at(RESOLVED)
    return isinstance(found, list) and bool(found) and all(_INSTANCE.fullmatch(str(one)) for one in found)


def _named_after_file(origin: Origin) -> Facts:
    """A report is called after the model and the run."""
    name = re.sub(r"\.json$", "", re.sub(r"\.(gz|zst)$", "", origin.path.rpartition("/")[2]))
    model, dot, run = name.rpartition(".")
    system = (model if dot else name).replace("__", "/", 1)
    return Facts(system=system, primary=RESOLVED, settings={"run_id": run} if dot else {})


def _named_after_folders(origin: Origin) -> Facts:
    """logs/run_evaluation/<run>/<model>/<instance>/report.json"""
    folders = origin.folders
    if len(folders) < 3:
        return Facts(primary=RESOLVED)
    return Facts(
        system=folders[-2].replace("__", "/", 1),
        primary=RESOLVED,
        run="/".join(folders[:-1]),
        settings={"run_id": folders[-3]},
    )


def _submission(origin: Origin) -> str | None:
    """results/results.json lies in the folder of its submission."""
    folders = origin.folders
    return folders[-2] if len(folders) > 1 and folders[-1] == "results" else None


def _instance(origin: Origin) -> str:
    return origin.folders[-1] if origin.folders else origin.label


def _report_rows(found: dict[str, Any]) -> Iterator[Row]:
    said: dict[str, int | None] = {}
    # What was submitted and is in no list was not judged.
    for name, score in (*_LISTS.items(), ("submitted_ids", None), ("completed_ids", None)):
        for instance in _instances(found.get(name)):
            said.setdefault(instance, score)
    for number, (instance, score) in enumerate(said.items(), 1):
        yield Row(number, instance, RESOLVED, score, ERROR if score is None else "", record=instance)


def _list_rows(found: dict[str, Any]) -> Iterator[Row]:
    number = 0
    for name, score in ((RESOLVED, 1), ("no_generation", 0), ("no_logs", 0)):
        for instance in _instances(found.get(name)):
            number += 1
            yield Row(number, instance, RESOLVED, score, record=instance)


def _instance_rows(entries: dict[str, Any]) -> Iterator[Row]:
    for number, (instance, said) in enumerate(entries.items(), 1):
        if isinstance(said, dict):
            yield Row(number, instance, RESOLVED, said.get(RESOLVED), record=instance)


def _csv_table_rows(origin: Origin) -> Iterator[Row]:
    for lines, rows in csv_rows(origin, ",", exact=True):
        for line, row in zip(lines, rows, strict=True):
            if line > 1 and len(row) > 1:
                yield Row(line, row[0], RESOLVED, row[1], record=row[0])


def _instances(found: Any) -> Iterable[str]:
    return [str(one) for one in found] if isinstance(found, list) else []
