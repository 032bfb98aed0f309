from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tellapart.data.roles import ITEMS_ELSE, QUESTIONS, ROLES
from tellapart.readers.format import FORMATS, Log, Origin, Row, scalars, text_of
from tellapart.readers.storage.json_objects import nested_value, numbered_records, objects_in
from tellapart.readers.tables.columns import snake_case

HUMAN, JUDGE = "human", "judge"


@FORMATS.add("annotations")
@dataclass(frozen=True)
class AnnotationExports(Log):
    """Records of Argilla (to_json) and tasks of Label Studio (JSON): what people answered is `human`, what a model suggested `judge`.

    Of several questions measures are called `helpfulness/human`. Metadata or data name the system and the item; without an
    item it is the prompt, else the record. Drafts, discarded and cancelled answers do not count.
    """

    label = "annotation exports"
    program = "Argilla, Label Studio"
    items = "item, prompt or id"
    unit = "record"

    def example(self) -> bytes:
        one = '{"id": "%d", "fields": {"prompt": "%s", "response": "x"}, "metadata": {"model": "base"}, "suggestions": {"rating": {"value": %d, "agent": "m"}}, '
        rest = '"responses": {"rating": [%s]}}'
        person = '{"value": 1, "user_id": "ann"}'
        return f"[{one % (1, 'p', 1) + rest % person}, {one % (2, 'q', 0) + rest % ''}]".encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        return preview.has("fields", "suggestions", "responses") or preview.has("data", "annotations", "predictions")

    def rows(self, origin: Origin) -> Iterator[Row]:
        records = [(number, record, [*_answers(record)]) for number, record in numbered_records(origin)]
        questions = list(dict.fromkeys(one.question for _, _, answers in records for one in answers)) or [""]
        for number, record, answers in records:
            names = {snake_case(name): value for name, value in self.record_keys(record).items()}
            item, system = _first(names, _ITEMS) or record.get("id"), text_of(_first(names, ROLES["system"].columns))
            # A question that no model answered is a missing score; one that nobody answered says nothing.
            open_ones = [_Answer(one, JUDGE) for one in questions if (one, JUDGE) not in {each[:2] for each in answers}]
            for question, kind, rater, value in (*answers, *open_ones):
                measure = kind if len(questions) == 1 else f"{question}/{kind}"
                yield Row(
                    number,
                    item,
                    measure,
                    value,
                    system=system,
                    rater=rater,
                    record=record,
                    text=_first(names, QUESTIONS),
                )

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        parts = [scalars("", record.get(part)) for part in ("data", "fields", "metadata")]
        return {name.removeprefix("."): value for part in parts for name, value in part.items()}


_IDS = (name for name in (*ROLES["item"].columns, *ITEMS_ELSE) if name == "item" or name.endswith("_id"))
_ITEMS = (*_IDS, *QUESTIONS)


def _first(names: Mapping[str, Any], wanted: tuple[str, ...]) -> Any:
    return next((names[name] for name in wanted if names.get(name) not in {None, ""}), "")


class _Answer(NamedTuple):
    """What a person, or a model, said to a question about a record."""

    question: str
    kind: str
    rater: str = ""
    value: Any = None


def _answers(record: dict[str, Any]) -> Iterator[_Answer]:
    """Of Argilla by question; of Label Studio in the results of annotations and predictions."""
    for question, one in _by_name(record.get("suggestions")):
        yield _Answer(question, JUDGE, text_of(nested_value(one, "agent")), nested_value(one, "value"))
    for question, given in _by_name(record.get("responses")):
        for one in objects_in(given) or objects_in([given]):
            if one.get("status") not in {"draft", "discarded"}:
                yield _Answer(question, HUMAN, text_of(one.get("user_id")), one.get("value"))
    for kind, field, who in ((HUMAN, "annotations", "completed_by"), (JUDGE, "predictions", "model_version")):
        for one in objects_in(record.get(field)):
            by = one.get(who)
            rater = text_of(nested_value(by, "email") or nested_value(by, "id") if isinstance(by, dict) else by)
            for said in objects_in(one.get("result")) if not one.get("was_cancelled") else ():
                value = nested_value(said, "value", text_of(said.get("type")))
                yield _Answer(text_of(said.get("from_name")), kind, rater, value[0] if _lone(value) else value)


def _by_name(found: Any) -> Iterator[tuple[str, Any]]:
    yield from found.items() if isinstance(found, dict) else ()


def _lone(value: Any) -> bool:
    """Whether a list holds one choice."""
    return isinstance(value, list) and len(value) == 1
