"""What the fields of an answer mean, read from where they are defined: a schema repeats it, and nobody writes it twice."""

import ast
import dataclasses
import inspect
import itertools
import re
import textwrap

from tellapart.results.glossary import WORDS

_SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=[A-Z`])")


def words_of(kind: type) -> dict[str, str]:
    """Of every field what stands below it, else what the docstring of its class says of it, else what the glossary says."""
    below, sentences = _below(kind), _SENTENCE_END.split(" ".join((kind.__doc__ or "").split()))
    found = {f.name: below.get(f.name) or _about(f.name, sentences) for f in dataclasses.fields(kind)}
    return {
        name: words or WORDS.get(f"{kind.__name__}.{name}") or WORDS.get(name, "")
        for name, words in found.items()
    }


def _about(name: str, sentences: list[str]) -> str:
    return " ".join(sentence for sentence in sentences if f"`{name}`" in sentence)


def _below(kind: type) -> dict[str, str]:
    """Texts that stand right below a field, in the class or in those it inherits from."""
    found: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if dataclasses.is_dataclass(owner):
            for field, text in itertools.pairwise(_body(owner)):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    found[field.target.id] = _text(text)
    return found


def _body(owner: type) -> list[ast.stmt]:
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    return made.body if isinstance(made, ast.ClassDef) else []


def _text(node: ast.stmt) -> str:
    """What a statement says that is a text and nothing else."""
    said = node.value if isinstance(node, ast.Expr) else None
    return (
        " ".join(said.value.split()) if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""
    )
