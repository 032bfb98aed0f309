"""What `tellapart schema` promises holds for every answer that is kept, and stays so under one version."""

import copy
import functools
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.golden.cases import ANSWERS

from tellapart import plan
from tellapart.answers.schema import kinds, schema_of, schema_of_all
from tellapart.answers.texts import add_text
from tellapart.cli import main
from tellapart.verbs.describe import describe, known_formats
from tellapart.verbs.store import contents

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
KEPT = GOLDEN / "schemas.json"
KINDS = kinds()


def strict(schema: Any) -> Any:
    """The same, with no field but those that it names; a plan's rows have the options of their population too."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(part) for key, part in schema.items()}
    closed = isinstance(schema.get("properties"), dict) and "type_m" not in schema["properties"]
    return {**made, "additionalProperties": False} if closed else made


def checker(kind: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(strict(schema_of(KINDS[kind])))


@functools.cache
def kept_answers() -> dict[str, Any]:
    """Every answer in the JSON that is kept of it, and of the kinds that no golden file has, one made now."""
    found = {name: json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")) for name in ANSWERS}
    found["calibration"] = json.loads((ROOT / "docs" / "calibration.json").read_text(encoding="utf-8"))
    for answer in (describe(str(ROOT / "examples" / "answers.csv")), known_formats()):
        found[answer.kind] = json.loads(add_text(answer).to_json())
    with tempfile.TemporaryDirectory() as folder:
        plan(
            "beta(mean=0.6, sd=0.1, correlation=0.5, effect=0.1)",
            items=20,
            replicates=100,
            test="paired_t",
            store=f"{folder}/a.db",
        )
        found["store"] = json.loads(add_text(contents(f"{folder}/a.db")).to_json())
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_schemas(kind: str) -> None:
    """By the standard's own schema; with a version, and a meaning beside every field."""
    schema = schema_of(KINDS[kind])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "urn:" + schema["properties"]["schema"]["const"].replace("/", ":")
    assert schema["$id"].rpartition(":")[2].isdigit()
    for owner, part in {kind: schema, **schema["$defs"]}.items():
        missing = [name for name, said in part["properties"].items() if not said.get("description")]
        assert missing == [], f"say below the fields of {owner} what they mean"


def test_every_kind_is_tried() -> None:
    """A new kind of answer needs one that is kept."""
    assert {answer["schema"].split("/")[1] for answer in kept_answers().values()} == set(KINDS)


@pytest.mark.parametrize("name", kept_answers())
def test_every_kept_answer_is_valid(name: str) -> None:
    answer = kept_answers()[name]
    problems = [f"{e.json_path}: {e.message[:120]}" for e in checker(answer["schema"].split("/")[1]).iter_errors(answer)]  # fmt: skip
    assert problems == []


def test_one_schema_for_all() -> None:
    """An answer is of one kind only."""
    every = jsonschema.Draft202012Validator(schema_of_all())
    for answer in kept_answers().values():
        assert every.is_valid(answer)
    assert not every.is_valid({"schema": "tellapart/comparison/2"})


def test_a_wrong_answer_is_not_valid() -> None:
    """Negative control: a field that is missing, of another type, of another word or unknown; and another version."""
    right = kept_answers()["compare_binary"]
    check = checker("comparison")
    assert check.is_valid(right)
    for change in (
        {"effect": "0.1"}, {"items": 1.5}, {"verdict": "maybe"}, {"schema": "tellapart/comparison/1"}, {"more": 1},
        {"a": {"name": "a"}}, {"notes": [{"code": 1, "values": {}, "text": ""}]},
    ):  # fmt: skip
        assert not check.is_valid({**right, **change}), change
    for name in ("pvalue", "schema", "interval"):
        wrong = copy.deepcopy(right)
        del wrong[name]
        assert not check.is_valid(wrong), name


def shapes(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every field with its type, without its words."""
    for owner, part in {"": schema, **schema["$defs"]}.items():
        for name, said in part["properties"].items():
            yield f"{owner}.{name}", json.dumps(without_words(said), sort_keys=True)


def without_words(shape: Any) -> Any:
    """A shape without its description, and without the choices of an enumeration: more of them may come."""
    if isinstance(shape, list):
        return [without_words(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    kept = {key: without_words(part) for key, part in shape.items() if key != "description"}
    return {**kept, "enum": "any"} if "enum" in shape else kept


def test_no_field_changes_under_a_version() -> None:
    """What a program was told it may rely on; new fields may come. `UPDATE_GOLDEN=1` adds those, and refuses all else."""
    now = {schema_of(kind)["$id"]: dict(shapes(schema_of(kind))) for kind in KINDS.values()}
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    broken = [
        f"{address} {field}: {shape} became {now[address].get(field)}"
        for address, fields in kept.items()
        if address in now
        for field, shape in fields.items()
        if now[address].get(field) != shape
    ]
    assert broken == [], "give the answer's schema another version"
    if os.environ.get("UPDATE_GOLDEN"):
        KEPT.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_prints_it(kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["schema", kind])
    assert stop.value.code == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(schema_of(KINDS[kind])))
    with pytest.raises(SystemExit):
        main(["schema", "--output", str(tmp_path / "s.json")])
    assert json.loads((tmp_path / "s.json").read_text(encoding="utf-8")) == json.loads(json.dumps(schema_of_all()))  # fmt: skip


def test_a_kind_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["schema", "comparision"])
    assert stop.value.code == 2
    assert "did you mean 'comparison'" in capsys.readouterr().err
