"""The reference of the Python API, from what Python itself knows: signatures of verbs are made of their questions, and no parser sees those."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

import tellapart
from tellapart.answers.answer import Answer
from tellapart.answers.schema import words_of
from tellapart.foundation.surfaces import spell_marks

HEAD = """# Python API

Every public name of `tellapart`. Options have the names that the command line has, with underscores; all results are frozen and made of plain Python values.
"""


def page() -> str:
    """Functions first, then what they take and give."""
    names = [name for name in tellapart.__all__ if not name.startswith("_")]
    objects = {name: getattr(tellapart, name) for name in names}
    functions = {n: o for n, o in objects.items() if not inspect.isclass(o)}
    classes = {n: o for n, o in objects.items() if inspect.isclass(o)}
    parts = [HEAD, "## Functions", *(_function(n, o) for n, o in functions.items()), "## Classes", *(_class(n, o) for n, o in classes.items())]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _function(name: str, function: Any, level: str = "###") -> str:
    return f"{level} `{name}`\n\n```python\n{_signature(name.rpartition('.')[2], function)}\n```\n\n{_doc(function)}"


def _signature(name: str, function: Any) -> str:
    """One parameter per line, annotations without the modules that they come from."""
    signature = inspect.signature(function)
    shown = [_bare(str(parameter)) for parameter in signature.parameters.values() if parameter.name != "self"]
    returned = "" if signature.return_annotation is inspect.Signature.empty else f" -> {_bare(inspect.formatannotation(signature.return_annotation))}"  # fmt: skip
    if sum(map(len, shown)) < 80:
        return f"{name}({', '.join(shown)}){returned}"
    return f"{name}(\n" + "".join(f"    {one},\n" for one in shown) + f"){returned}"


def _bare(text: str) -> str:
    text = re.sub(r"\b(?:tellapart|collections|typing|concurrent|os|pathlib|types)(?:\.\w+)*\.(?=\w)", "", text)
    return text.replace("mappingproxy({})", "{}")


def _doc(thing: Any) -> str:
    """A docstring as Markdown: what runs is code."""
    text = spell_marks(inspect.getdoc(thing) or "", "python")
    return re.sub(r"(?:^>>> .*\n?(?:^(?!>>>)\S.*\n?|^\.\.\. .*\n?)*)+", lambda code: f"```pycon\n{code[0].rstrip()}\n```\n", text, flags=re.MULTILINE)  # fmt: skip


def _class(name: str, kind: type) -> str:
    own = _doc(kind) if not (kind.__doc__ or "").startswith(f"{name}(") else ""
    return "\n\n".join([f"### `{name}`", own, *_fields(kind), *_methods(name, kind)])


def _fields(kind: Any) -> Iterator[str]:
    if not (dataclasses.is_dataclass(kind) and issubclass(kind, Answer)):
        return
    words = words_of(kind)
    rows = [f"| `{f.name}` | {words[f.name].replace('|', chr(92) + '|')} |" for f in dataclasses.fields(kind)]
    yield "\n".join(["| field | meaning |", "| --- | --- |", *rows])


def _methods(name: str, kind: type) -> Iterator[str]:
    for member, found in sorted(inspect.getmembers(kind)):
        if member.startswith("_") or not inspect.getdoc(found) or not _is_ours(found):
            continue
        if inspect.isroutine(found):
            yield _function(f"{name}.{member}", found, "####")
        elif isinstance(found, property):
            yield f"#### `{name}.{member}`\n\n{_doc(found)}"


def _is_ours(found: Any) -> bool:
    made = found.fget if isinstance(found, property) else found
    return str(getattr(made, "__module__", "")).startswith("tellapart")
