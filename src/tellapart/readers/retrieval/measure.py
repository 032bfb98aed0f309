"""Parsing of retrieval measures, as in ir-measures (`nDCG@10`, `AP(rel=2)`) or trec_eval (`ndcg_cut_10`)."""

import ast
import re
from typing import Any

from tellapart.foundation.errors import SpellingError, UsageError, nearest
from tellapart.foundation.surfaces import option

EXAMPLES = ("nDCG@10", "AP", "RR@10", "P@5", "R@100")
_SPELLED = re.compile(r"(?P<name>[^\W\d][\w.]*)\s*(?:\((?P<options>.*)\))?\s*(?:@\s*(?P<at>\S+))?", re.DOTALL)
_TREC_EVAL = {"map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "bpref": "Bpref"} | {
    "map_cut": "AP",
    "ndcg_cut": "nDCG",
    "recall": "R",
    "success": "Success",
}
_NUMBERED = re.compile(r"(?P<name>.+?)[_.](?P<at>\d+)")


def library() -> Any:
    """The library that computes measures."""
    try:
        import ir_measures  # noqa: PLC0415  (only runs with judgements need it)
    except ImportError:
        raise UsageError(
            "runs are scored by ir-measures, which is not installed: pip install 'tellapart[ir]'"
        ) from None
    return ir_measures


def measure_of(spelled: str | None) -> Any:
    """The measure of this spelling; its own spelling (`str`) is what answers call it."""
    if spelled is None:
        raise UsageError(
            f"{option('qrels')} also needs the measure to score runs by: {option('measure', EXAMPLES[0])}, or "
            f"{', '.join(EXAMPLES[1:])}"
        )
    known = library().measures.registry
    found = _SPELLED.fullmatch(spelled.strip())
    if found is None:
        raise SpellingError(
            f"measure {spelled!r} cannot be read; wanted a name, options in brackets and a cutoff, such as "
            f"{EXAMPLES[0]} or P(rel=2)@5"
        )
    name, at = _as_ir_measures(found["name"], found["at"], known)
    if name not in known:
        names = dict.fromkeys(str(one) for one in known.values())
        raise SpellingError(f"no measure is called {spelled!r}; {nearest(name, names)}")
    given = _options(spelled, found["options"] or "")
    if at is not None:
        given[known[name].AT_PARAM] = _value(spelled, at)
    return _checked(spelled, known[name], given)


def _as_ir_measures(name: str, at: str | None, known: Any) -> tuple[str, str | None]:
    """A name of trec_eval's, with its number, as ir-measures says it."""
    if name not in known:
        # Capitals are all that many people write differently; where two measures differ in no more, neither is meant.
        alike = {str(one) for one in known.values() if str(one).casefold() == name.casefold()}
        name = alike.pop() if len(alike) == 1 else name
    if name in known or at is not None:
        return name, at
    numbered = _NUMBERED.fullmatch(name)
    plain, number = (name, at) if numbered is None else (numbered["name"], numbered["at"])
    meant = _TREC_EVAL.get(plain, plain)
    return (meant, number) if meant in known else (name, at)


def _options(spelled: str, text: str) -> dict[str, Any]:
    try:
        call = ast.parse(f"f({text})", mode="eval").body
    except SyntaxError:
        call = None
    if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
        raise SpellingError(f"the options of measure {spelled!r} cannot be read; wanted name=value, such as P(rel=2)@5")
    return {
        str(keyword.arg): _value(spelled, ast.get_source_segment(f"f({text})", keyword.value) or "")
        for keyword in call.keywords
    }


def _value(spelled: str, text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise SpellingError(
            f"measure {spelled!r}: {text!r} is not a value; wanted a number, True, False or quoted text"
        ) from None


def _checked(spelled: str, kind: Any, given: dict[str, Any]) -> Any:
    """The measure with its options; what would crash the library, or mean nothing, is refused here."""
    known = kind.SUPPORTED_PARAMS
    for name, value in given.items():
        if name not in known:
            raise SpellingError(f"measure {spelled!r} has no option {name!r}; {nearest(name, known)}")
        if name in {"cutoff", "rel"} and not (type(value) is int and value >= 1):
            raise SpellingError(f"measure {spelled!r}: {name} is {value!r}; it should be a whole number of at least 1")
    # A whole number will do where any is wanted.
    floats = {name: float(value) for name, value in given.items() if known[name].dtype is float and type(value) is int}
    measure = kind(**given | floats)
    try:
        measure.validate_params()
    except AssertionError as error:
        raise SpellingError(f"measure {spelled!r}: {_lacking(kind, given) or error}") from None
    if type(measure.aggregator()).__name__ != "MeanAgg":
        raise SpellingError(
            f"{measure} is a count, not a score of a run; wanted a measure such as {', '.join(EXAMPLES)}"
        )
    return measure


def _lacking(kind: Any, given: dict[str, Any]) -> str:
    """The missing options of a measure."""
    lacking = [name for name, one in kind.SUPPORTED_PARAMS.items() if one.required and name not in given]
    if not lacking:
        return ""
    example = f"{kind}@10" if lacking == [kind.AT_PARAM] else f"{kind}({lacking[0]}=1)"
    return f"it needs {' and '.join(lacking)}, such as {example}"
