"""Each note is made with exactly the values that its sentence takes.

A verb writes `Note("code", {"items": 3})`, and the function `code(answer, items)` of the answer's texts makes the sentence. Nothing but the names
ties the two, so this test reads every `Note(…)` and `Remark(…)` of the sources and holds its keys against the parameters of the sentence.
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

import tellapart
from tellapart import answers
from tellapart.answers.texts import NoteTexts

SOURCE = Path(tellapart.__file__).parent

Keys = frozenset[str]


class Unreadable(Exception):
    """An expression whose keys cannot be read off the source."""


@dataclass(frozen=True)
class Module:
    """One source file, with what it takes to follow a name to the dictionary that it stands for."""

    name: str
    tree: ast.Module
    being_read: list[ast.expr] = field(default_factory=list)

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}

    def notes(self) -> Iterator[tuple[ast.Call, ast.AST]]:
        """Every construction of a note, with the function around it; copies of remarks, which were checked when made, aside."""
        for scope in (*self.functions.values(), self.tree):
            for node in _own_nodes(scope):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    copied = node.args and isinstance(node.args[0], ast.Attribute)
                    if node.func.id in {"Note", "Remark"} and not copied:
                        yield node, scope

    def codes(self, node: ast.expr, scope: ast.AST) -> set[str]:
        """The strings that an expression can be."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return {node.value}
        if isinstance(node, ast.IfExp):
            return self.codes(node.body, scope) | self.codes(node.orelse, scope)
        if isinstance(node, ast.Name):
            return {code for value in self._values(node.id, scope) for code in self.codes(value, scope)}
        raise Unreadable(ast.unparse(node))

    def keys(self, node: ast.expr, scope: ast.AST) -> set[Keys]:
        """The sets of keys that the dictionary of an expression can have; none of one that is being read already."""
        if node in self.being_read:
            return set()
        self.being_read.append(node)
        try:
            return self._keys(node, scope)
        finally:
            self.being_read.pop()

    def _keys(self, node: ast.expr, scope: ast.AST) -> set[Keys]:
        match node:
            case ast.Dict():
                parts = [
                    self.keys(value, scope) if key is None else {frozenset(self.codes(key, scope))}
                    for key, value in zip(node.keys, node.values, strict=True)
                ]
                return {frozenset().union(*chosen) for chosen in product(*parts)}
            case ast.IfExp():
                return self.keys(node.body, scope) | self.keys(node.orelse, scope)
            case ast.BinOp(op=ast.BitOr()):
                pairs = product(self.keys(node.left, scope), self.keys(node.right, scope))
                return {left | right for left, right in pairs}
            case ast.Name():
                return {keys for value in self._values(node.id, scope) for keys in self.keys(value, scope)}
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
                return self._returned(name)
            case ast.Attribute(attr=name):
                return self._returned(name)
        raise Unreadable(ast.unparse(node))

    def _values(self, name: str, scope: ast.AST) -> list[ast.expr]:
        """What is assigned to a name in a function, or given to its parameter by the calls in this module."""
        values = [value for node in _own_nodes(scope) for value in _assigned(node, name)]
        if values:
            return values
        if isinstance(scope, ast.FunctionDef) and name in (parameters := [one.arg for one in scope.args.args]):
            place = parameters.index(name) - (parameters[0] in {"self", "cls"})
            values = [
                next((one.value for one in call.keywords if one.arg == name), None) or call.args[place]
                for call in ast.walk(self.tree)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == scope.name
            ]
        if not values:
            raise Unreadable(name)
        return values

    def _returned(self, name: str) -> set[Keys]:
        """The keys of what a function of this module returns."""
        if name not in self.functions:
            raise Unreadable(f"{name}()")
        scope = self.functions[name]
        returned = [node.value for node in _own_nodes(scope) if isinstance(node, ast.Return) and node.value is not None]
        return {keys for value in returned for keys in self.keys(value, scope)}


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, or of a module, without those of the functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef):
            yield child
            yield from _own_nodes(child)


def _assigned(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """The value that a statement assigns to this name."""
    pairs: list[tuple[ast.expr, ast.expr]]
    if isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        pairs = [(node.target, node.value)]
    elif isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    else:
        return
    for target, value in pairs:
        if isinstance(target, ast.Name) and target.id == name:
            yield value
        elif isinstance(target, ast.Tuple):
            for place, one in enumerate(target.elts):
                if isinstance(one, ast.Name) and one.id == name:
                    if not isinstance(value, ast.Tuple):
                        raise Unreadable(f"{name} of {ast.unparse(value)}")
                    yield value.elts[place]


def sentences() -> dict[str, list[Callable[..., str]]]:
    """Every sentence of a note, by its code."""
    found: dict[str, list[Callable[..., str]]] = {}
    for module in pkgutil.walk_packages(answers.__path__, "tellapart.answers."):
        for texts in vars(importlib.import_module(module.name)).values():
            if isinstance(texts, NoteTexts):
                for code in texts:
                    found.setdefault(code, []).append(texts[code])
    return found


def mismatch(code: str, keys: Keys, known: dict[str, list[Callable[..., str]]]) -> str | None:
    """What is wrong with a note of this code and these values, or None."""
    if code not in known:
        return f"{code} has no sentence"
    if any(_takes(sentence, keys) for sentence in known[code]):
        return None
    return f"{code} has {sorted(keys)}, and its sentence is {code}{inspect.signature(known[code][0])}"


def _takes(sentence: Callable[..., str], keys: Keys) -> bool:
    if sentence.__module__.startswith("tellapart.answers.plan."):
        keys -= {"rows"}  # the rows of a plan that a note is about are named before its sentence
    _, *parameters = inspect.signature(sentence).parameters.values()
    named = [one for one in parameters if one.kind is not one.VAR_KEYWORD]
    needed = {one.name for one in named if one.default is one.empty}
    return needed <= keys and (len(named) < len(parameters) or keys <= {one.name for one in named})


def problems(modules: list[Module], known: dict[str, list[Callable[..., str]]]) -> Iterator[str]:
    for module in modules:
        for call, scope in module.notes():
            where = f"{module.name}:{call.lineno}"
            try:
                values = module.keys(call.args[1], scope) if len(call.args) > 1 else {Keys()}
                if module.name.startswith("metrics/"):
                    values = {keys | {"system"} for keys in values}  # the verb adds whose scores these are
                made = list(product(module.codes(call.args[0], scope), values))
            except Unreadable as error:
                yield f"{where}: cannot read {error}; write the dictionary out, or in a function of this module"
                continue
            for code, keys in made:
                if wrong := mismatch(code, keys, known):
                    yield f"{where}: {wrong}"


MODULES = [
    Module(str(path.relative_to(SOURCE)), ast.parse(path.read_text(encoding="utf-8")))
    for path in sorted(SOURCE.rglob("*.py"))
]


def test_values_of_notes_fit_their_sentences() -> None:
    assert list(problems(MODULES, sentences())) == []


def test_every_sentence_belongs_to_a_note() -> None:
    """A sentence that no note needs is left over from one that was renamed or removed."""
    made = {code for module in MODULES for call, scope in module.notes() for code in module.codes(call.args[0], scope)}
    assert set(sentences()) - made == set()


def test_a_wrong_note_is_found() -> None:
    """Negative control: a misspelt key, one too few, one too many, and a code without a sentence."""
    source = """
def notes(few):
    yield Note("pvalue_method", {"metod": 1, "error": 2})
    yield Note("pvalue_method", {"method": 1})
    values = {"method": 1, "error": 2}
    yield Note("pvalue_method", {**values, "more": 3})
    yield Note("no_such_note" if few else "opposite_directions")
    yield Note("pvalue_method", values)
"""
    found = list(problems([Module("made up", ast.parse(source))], sentences()))
    assert [line.split(":")[1] for line in found] == ["3", "4", "6", "7"]
