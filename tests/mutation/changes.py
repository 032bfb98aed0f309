"""Single changes of a source file that its tests should notice: another operator, constant, condition, return, or no statement.

Well-kept tools exist, and none suits: mutmut leaves out every decorated function, so every property and most plug-ins here; cosmic-ray
changes the working tree. Strings are left alone: what a message says is the business of golden pages.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

UNTOUCHED = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise, ast.Assert)
"""Nodes whose inside is never changed: imports, text, what is raised, and what is impossible anyway."""
UNTOUCHED_FIELDS = {"annotation", "returns", "decorator_list", "bases"}
LONGEST = 70

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OPPOSITES = {
    **{one: other for pair in (("min", "max"), ("minimum", "maximum"), ("floor", "ceil"), ("any", "all"))
       for one, other in (pair, pair[::-1])},
    "argmin": "argmax", "argmax": "argmin",
}  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """Names as Python qualifies them: of the function around ("" outside of all), and what a name defined here begins with."""

    function: str = ""
    prefix: str = ""

    def within(self, node: ast.AST) -> "Scope":
        if isinstance(node, ast.FunctionDef):
            name = self.prefix + node.name
            return Scope(name, f"{name}.<locals>.")
        if isinstance(node, ast.ClassDef):
            return Scope(self.function, f"{self.prefix}{node.name}.")
        return self


@dataclass(frozen=True)
class Place:
    """Where a node hangs in its tree, and the function around it."""

    parent: ast.AST
    field: str
    index: int | None
    function: str

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """A file with one change: where it is, what was there and is there now, and the whole text."""

    file: Path
    line: int
    function: str
    words: str
    text: str
    constant: str | None = None
    """The name of the module's value that the change is in, if it is in one."""


@dataclass(frozen=True)
class Change:
    """One node and what stands there instead."""

    file: Path
    tree: ast.Module
    place: Place
    node: ast.expr | ast.stmt
    instead: ast.AST

    @property
    def function(self) -> str:
        return self.place.function

    @property
    def words(self) -> str:
        before, after = (_shortened(ast.unparse(node)) for node in (self.node, self.instead))
        return f"{before}  ->  {after}"

    @property
    def within(self) -> str:
        """What the node stands in: of two equal changes in a function, the one that is meant."""
        return _shortened(ast.unparse(self.place.parent))

    def made(self) -> Mutant:
        """The change made; the tree, which all changes of a file share, is as before afterwards."""
        words = self.words
        self.place.put(self.instead)
        try:
            text = ast.unparse(ast.fix_missing_locations(self.tree))
        finally:
            self.place.put(self.node)
        return Mutant(self.file, self.node.lineno, self.function, words, text, self.constant)

    @property
    def constant(self) -> str | None:
        """The name that is given at the top of the module to what the node is part of."""
        for statement in self.tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                    if any(node is self.node for node in ast.walk(statement)):
                        return name
        return None


def changes(file: Path) -> Iterator[Change]:
    """Every change of a file, in the order of its text."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    to_be_found = {id(one) for call in ast.walk(tree) for one in _lengths_to_be_found(call)}
    for place, node in _nodes(tree, Scope()):
        if _is_last_axis(place, node):
            continue
        for instead in _alternatives(node):
            if not (id(node) in to_be_found and isinstance(instead, ast.Constant) and instead.value == 2):
                yield Change(file, tree, place, node, instead)


def _lengths_to_be_found(node: ast.AST) -> Iterator[ast.Constant]:
    """The 1 of `reshape(…, -1)`: numpy takes −2 as it takes −1."""
    match node:
        case ast.Call(func=ast.Attribute(attr="reshape"), args=args):
            for length in args:
                match length:
                    case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(1) as one):
                        yield one


def _nodes(parent: ast.AST, scope: Scope) -> Iterator[tuple[Place, ast.expr | ast.stmt]]:
    for field, value in ast.iter_fields(parent):
        if field in UNTOUCHED_FIELDS:
            continue
        # What stands in the head of a function is computed where it is defined: only the body is inside.
        here = scope.within(parent) if field == "body" else scope
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or isinstance(node, UNTOUCHED) or _is_assertion(node):
                continue
            if isinstance(node, ast.expr | ast.stmt):
                yield Place(parent, field, index, here.function), node
            yield from _nodes(node, here)


def _is_last_axis(place: Place, node: ast.AST) -> bool:
    """`axis=-1` and `shape[-1]`: without the sign they are the same axis of every table; the number itself is changed all the same."""
    match place.parent, node:
        case ast.keyword(arg="axis"), ast.UnaryOp(op=ast.USub(), operand=ast.Constant(1)):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape")), ast.UnaryOp(
            op=ast.USub(), operand=ast.Constant(1)
        ):
            return True
    return False


def _is_assertion(node: ast.AST) -> bool:
    """`strict=True` of a zip: lengths that differ are impossible, as with assert."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _alternatives(node: ast.AST) -> Iterator[ast.AST]:
    yield from _other_expressions(node)
    yield from _other_statements(node)
    if _can_go(node):
        yield ast.Pass()


def _other_expressions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BinOp() if type(node.op) in ARITHMETIC and not _is_text(node):
            yield _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.BoolOp():
            yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield node.operand
        case ast.Constant():
            yield from (ast.Constant(value) for value in _numbers(node.value))
        case ast.Name() | ast.Attribute():
            yield from _opposite(node)
        case ast.IfExp():
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.AugAssign() if type(node.op) in ARITHMETIC:
            yield _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.If() | ast.While():
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.Tuple(elts=[first, second, *rest])) if ast.dump(first) != ast.dump(second):
            yield ast.Return(ast.Tuple([second, first, *rest], ast.Load()))
        case ast.Return(value=ast.Constant(None) | ast.Tuple(elts=[_, _, *_])):
            return
        case ast.Return(value=ast.expr()):
            yield ast.Return(ast.Constant(None))


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for index, op in enumerate(node.ops):
        for other in COMPARISONS[type(op)]:
            yield _with(node, ops=[*node.ops[:index], other(), *node.ops[index + 1 :]])


def _numbers(value: object) -> tuple[float, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1)
    if isinstance(value, float):
        return tuple(sorted({value + 1.0, value / 2.0} - {value}))
    return ()


def _opposite(node: ast.Name | ast.Attribute) -> Iterator[ast.AST]:
    name = node.id if isinstance(node, ast.Name) else node.attr
    if name in OPPOSITES:
        yield _with(node, **{"id" if isinstance(node, ast.Name) else "attr": OPPOSITES[name]})


def _can_go(node: ast.AST) -> bool:
    """Whether the program still runs without this statement, which then should be missed."""
    match node:
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            return True
        case ast.If(orelse=[], body=[*_, ast.Raise() | ast.Return() | ast.Continue() | ast.Break()]):
            return True
    return False


def _is_text(node: ast.BinOp) -> bool:
    ends = (node.left, node.right)
    return any(
        isinstance(x, ast.JoinedStr) or (isinstance(x, ast.Constant) and isinstance(x.value, str))
        for x in ends
    )


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
