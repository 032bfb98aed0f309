"""Python code that reproduces a web question, with files named by their labels.

Every value is written by `repr`, so that no name can be more than a name.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from tellapart.claims import Claim
from tellapart.cli.flags import comma_values, key_values
from tellapart.foundation.spelling import Option, Spelled, name_of, options, read_value
from tellapart.populations import POPULATIONS
from tellapart.verbs.plan import PlanQuestion
from tellapart.web.request_parsing import WebQuestion, is_flag, repeats
from tellapart.web.served_verbs import FILES, PILOT

_READ = {"column": "columns", "name": "names", "where": "where", "rescale": "rescale", "as_": "format"}
"""Options of reading that Python has as one mapping, or under another name."""
_READING = frozenset(
    (
        "measure",
        "measure_name",
        "blank",
        "dataset",
        "unretrieved",
        "errors",
        "partial",
        "same_system",
        "documents",
        "qrels",
        "universe",
    )
)
_VERBS_FILES = frozenset(("plan", "evidence"))
"""Files that a verb is given, and not those that scores are read from."""


def python(question: WebQuestion, *, rated: bool = False) -> str:
    """The Python code with the same answer; `rated` says that a pilot turned out to be one of ratings."""
    verb = question.offer.verb
    if verb == "plan":
        return _pilot(question, rated=rated) if name_of(question.population) == PILOT else _plan(question)
    if verb == "audit":
        return _audit(question)
    if verb == "fit":
        one = not question.fields and len(question.files) == 1
        return _printed(f"add_text(fit_evidence({question.files[0].label!r}))", _FIT, _TELL) if one else ""
    return "" if verb == "evidence" else _on_files(question)


_FIT = "from tellapart.verbs.evidence.fit import fit_evidence"
_TELL = "from tellapart.answers.texts import add_text"


def _printed(call: str, *imports: str) -> str:
    return "\n".join([*(imports or ("import tellapart",)), "", f"print({call})", ""])


def _plan(question: WebQuestion) -> str:
    given = [repr(question.population)] if question.population else []
    named = _named(_plan_values(question, question.fields) | _verbs_files(question))
    return _printed(f"tellapart.plan({', '.join([*given, *named])})")


def _pilot(question: WebQuestion, *, rated: bool) -> str:
    """The pair of a file, what it is like, and a plan for each effect."""
    asked = {one.name for one in options(PlanQuestion)}
    own = _named(_plan_values(question, [name for name in question.fields if name in asked]))
    if rated and any("," in text for name in _NUMBERS for text in question.fields.get(name, ())):
        return ""  # a fit for each number of raters is a program, and no line
    imports, pair = _pair(question)
    made, kind = _rated(question) if rated else _scored(question)
    effects = [part for text in question.fields.get("effect", ("none",)) for part in comma_values("effect", text)]
    pilots = [f"pilot.with_effect({_effect(one, rated=rated)})" for one in effects]
    return "\n".join(
        [
            "import tellapart",
            f"from tellapart.populations.{kind}",
            *imports,
            "",
            f"scores = {_read(question)}",
            f"pair = {pair}",
            made,
            f"pilots = [{', '.join(pilots)}]",
            f"print(tellapart.plan({', '.join(['pilots', *own])}))",
            "",
        ]
    )


def _effect(text: str, *, rated: bool) -> str:
    if text == "observed":
        return "own" if rated else "pilot.observed_effect"
    return "None" if text == "none" else repr(float(text))


def _pair(question: WebQuestion) -> tuple[list[str], str]:
    """The two systems of a pilot; where they are not both named, they are those that the command line takes."""
    a, b = ((question.fields.get(name) or (None,))[0] for name in ("a", "b"))
    missing = [repr(text) for text in question.fields.get("missing", ())]
    if a is not None and b is not None:
        return [], f"scores.pair({', '.join([repr(a), repr(b), *missing])})"
    systems = f"*two_of(scores.systems, {a!r}, {b!r})"
    imports = ["from tellapart.verbs.compare.systems import two_of"]
    return imports, f"scores.pair({', '.join([systems, *missing])})"


def _scored(question: WebQuestion) -> tuple[str, str]:
    metric = [] if _names_measure(question) else [f"metric={one!r}" for one in question.fields.get("metric", ())]
    return f"pilot = Pilot.from_pair({', '.join(['pair', *metric])})", "pilot import Pilot"


_NUMBERS = ("raters", "per_item")


def _rated(question: WebQuestion) -> tuple[str, str]:
    numbers = [f"{name}={int(question.fields[name][0])}" for name in _NUMBERS if name in question.fields]
    return (
        f"pilot, own = PilotRatings.fitted_to({', '.join(['pair', *numbers])})",
        "pilot_ratings import PilotRatings",
    )


def _audit(question: WebQuestion) -> str:
    """One claim, or a table and what counts for its blank cells."""
    own = {field.name for field in fields(Claim)}
    claim = {name: texts[0] for name, texts in question.fields.items() if name in own}
    asked = _values(question, (name for name in question.fields if name not in own and name != "column"))
    asked |= _verbs_files(question)
    table = [one.label for one in question.files if one.field == FILES]
    if not table:
        given = f"tellapart.Claim({', '.join(_named(claim))})"
    else:
        given = repr(table[0])
        asked |= {"defaults": claim} if claim else {}
        columns = key_values("column", question.fields.get("column", ()), "role=name", "items=N")
        asked |= {"columns": columns} if columns else {}
    return _printed(f"tellapart.audit({', '.join([given, *_named(asked)])})")


def _on_files(question: WebQuestion) -> str:
    if question.offer.verb == "describe":
        said = ", ".join([_source(question), *_named(_reading(question))])
        return _printed(f"add_text(describe({said}))", "from tellapart.verbs.describe import describe", _TELL)
    if "labels" in question.fields:
        return _on_labelled(question)
    measured = {"metric"} if _names_measure(question) else set()
    left = {*_READ, *_READING, "cluster", *measured}
    own = _values(question, (name for name in question.fields if name not in left)) | _verbs_files(question)
    call = f"tellapart.{question.offer.verb}({', '.join(['scores', *_named(own)])})"
    return f"import tellapart\n\nscores = {_read(question)}\nprint({call})\n"


def _on_labelled(question: WebQuestion) -> str:
    """Files with a label each are given as they are, because labels are no part of what was read; where more is said of how to read them, nothing is shown."""
    own = _values(question, question.fields) | _verbs_files(question)
    known = {FILES, *_VERBS_FILES}
    plain = not {*_READ, *_READING, "cluster"} & set(own) and all(one.field in known for one in question.files)
    call = f"tellapart.{question.offer.verb}({', '.join([_source(question), *_named(own)])})"
    return _printed(call) if plain else ""


def _read(question: WebQuestion) -> str:
    return f"tellapart.read({', '.join([_source(question), *_named(_reading(question))])})"


def _source(question: WebQuestion) -> str:
    files = [one.label for one in question.files if one.field == FILES]
    return repr(files[0]) if len(files) == 1 else repr(files)


def _names_measure(question: WebQuestion) -> bool:
    """With judgements a metric is the measure that runs are scored by."""
    return any(one.field == "qrels" for one in question.files) and question.fields.get("metric", ("mean",)) != ("mean",)


def _reading(question: WebQuestion) -> dict[str, Any]:
    """The arguments of `read`."""
    found: dict[str, Any] = {}
    for name, texts in question.fields.items():
        for key, value in _read_with(question, name, texts).items():
            found[key] = {**found.get(key, {}), **value} if isinstance(value, dict) else value
    references = [one.label for one in question.files if one.field == "reference"]
    found |= {"references": references} if references else {}
    apart = {FILES, "reference", *_VERBS_FILES}
    found |= {one.field: one.label for one in question.files if one.field not in apart}
    both = [text for name in ("a", "b") for text in question.fields.get(name, ())]
    return found | ({"systems": both} if len(both) == 2 and "by" not in question.fields else {})


def _read_with(question: WebQuestion, name: str, texts: tuple[str, ...]) -> dict[str, Any]:
    """The argument of `read` for an option, if it has one."""
    if name == "cluster":
        return {"columns": {"cluster": texts[0]}}
    if name == "as_":
        return {"format": texts[0]}
    if name == "metric":
        return {"measure" if _names_measure(question) else name: texts[0]}
    if name in _READ:
        return {_READ[name]: key_values(name, texts, "key=value", "a=b")}
    return {name: _value(question.offer.by_name[name], texts)} if name in {*_READING, "by"} else {}


def _verbs_files(question: WebQuestion) -> dict[str, str]:
    return {one.field: one.label for one in question.files if one.field in _VERBS_FILES}


def _values(question: WebQuestion, names: Iterable[str]) -> dict[str, Any]:
    known = question.offer.by_name
    return {name: _value(known[name], question.fields[name]) for name in names}


def _plan_values(question: WebQuestion, names: Iterable[str]) -> dict[str, Any]:
    kind = POPULATIONS[name_of(question.population)] if question.population else None
    own = {} if kind is None else {one.name: one for one in options(kind)}
    known = question.offer.by_name | own
    return {
        name: _plan_value(known[name], question.fields[name][0]) if not is_flag(known[name]) else True for name in names
    }


def _plan_value(option: Option, text: str) -> Any:
    values = [_plain(read_value("plan", option, part)) for part in comma_values(option.name, text)]
    return values[0] if len(values) == 1 else values


def _value(option: Option, texts: tuple[str, ...]) -> Any:
    if is_flag(option):
        return True
    if repeats(option):
        return list(texts)
    return _plain(read_value("", option, texts[0])) if _is_number(option) else texts[0]


def _is_number(option: Option) -> bool:
    return option.type in {int, float, int | None, float | None}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Spelled) else value


def _named(values: dict[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in values.items()]
