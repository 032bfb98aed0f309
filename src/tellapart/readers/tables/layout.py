"""Detection of a table's layout, long or wide, and of its score columns, from the header and the first rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from tellapart.data.provenance import Remark
from tellapart.data.roles import (
    DATASETS_ELSE,
    ITEMS_ELSE,
    LABELS,
    QUESTIONS,
    RATERS_ELSE,
    ROLES,
    SLICE,
    TIMES,
    VOTE_ROLES,
)
from tellapart.foundation.errors import ReadError, nearest
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import NONE, TableRequest, assign, called, find, folded, snake_case, usual_role
from tellapart.readers.tables.places import requested_rows
from tellapart.readers.tables.raters import rater_under_another_name, times_beside
from tellapart.readers.tables.score_columns import (
    SystemColumns,
    holds_scores,
    is_one_system,
    judge_is_score,
    measured_systems,
    only_score,
    remark_on_judge,
    systems_of_pattern,
    systems_side_by_side,
)
from tellapart.readers.tables.table import Block, Table
from tellapart.readers.tables.values import is_number

_ANY_SCORE = frozenset(("score", "value"))
"""Names of a column of scores that do not say which score it is."""


@dataclass(frozen=True, eq=False)
class Layout:
    """How a table is laid out: role to column; in long form one score column per part, in wide form none."""

    table: Table
    roles: dict[str, str]
    parts: tuple[str, ...]
    measure: str | None
    names: tuple[str, ...]
    declared: bool
    """Whether the format said which column plays which role, so that names of columns mean nothing more."""
    side_by_side: SystemColumns | None = None
    """Whose scores each column of a wide table holds."""
    times: tuple[str, ...] = ()
    """Columns of a wide table that say when its rows were scored, and are no systems."""
    costs: tuple[str, ...] = ()
    """Other scores of a long table, such as latencies, beside the one that was taken."""
    stand_in: str | None = None
    """The column that names the items although it is not usually called so: a question, a dataset, the index."""

    @property
    def scored_as(self) -> str:
        """What its scores are, as far as that tells two tables apart: a rating and a score may be the same."""
        named = self.measure or "score"
        return "score" if folded(named) in ROLES["score"].columns else named

    @property
    def wide(self) -> bool:
        return not self.parts

    @cached_property
    def constants(self) -> dict[str, str]:
        """What all rows are called in roles that no column plays, because the source as a whole says it."""
        known = {"system": self.table.label} | self.table.facts.labels()
        return {role: name for role, name in known.items() if role not in self.roles}

    @cached_property
    def says(self) -> tuple[str, ...]:
        """The roles in which the rows of this table have a name."""
        named = (role.name for role in LABELS if role.name in self.roles or role.name in self.constants)
        # The systems of a wide row were all asked the same.
        slices = (role for role in self.roles if role.startswith(SLICE))
        return (*(name for name in named if name != "text" or not self.wide), *slices)

    def systems(self, block: Block) -> list[str]:
        """The systems of a wide block; a column that is met later is one more."""
        known = {} if self.side_by_side is None else self.side_by_side.columns
        late = [name for name in block.names if name not in self.names]
        more = [name for name in _free(late, self.roles, declared=self.declared) if name not in self.times]
        return [*(name for name in known if name not in self.times), *more]

    def column_of(self, system: str) -> str:
        """The column that holds the scores of a system."""
        return system if self.side_by_side is None else self.side_by_side.columns.get(system, system)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What the choice of columns leaves to say."""
        times = [Remark("time_left_out", {"column": name}) for name in self.times]
        others = () if self.side_by_side is None else self.side_by_side.left_out
        facts = [Remark("columns_left_out", {"columns": list(others)})] if others else []
        taken = {"measure": self.measure, "others": list(self.costs)}
        both = [*self.names, *(measured_systems(self.names) or {})] if self.measure else []
        judged = remark_on_judge(self.measure or "", both)
        return (*times, *facts, *([Remark("other_measures", taken)] if self.costs else []), *judged)

    @property
    def unused(self) -> list[str]:
        """The columns that play no role and hold no scores."""
        taken = {*self.roles.values(), *self.parts}
        free = [name for name in self.names if name not in taken]
        return [*self.times, *(n for n in free if snake_case(n) in DATASETS_ELSE)] if self.wide else free

    def refuse_late_role(self, block: Block) -> None:
        """A key with a role that is missing from all earlier lines would change what those lines mean."""
        new = set() if self.declared else set(block.names).difference(self.names)
        late = sorted(name for name in new if usual_role(name) not in {None, *self.roles})
        if late:
            raise ReadError(
                f"{self.table.place(block.lines[0])}: {late[0]!r} is missing from the lines before. Give every line the same keys"
            )


def lay_out(table: Table, first: Block, wanted: TableRequest, *, alone: bool) -> Layout:
    """The layout of a table, given its first rows and whether it is the only one."""
    names = first.names
    roles = _roles(table, first, wanted)
    stand_in = _under_another_name(first, roles)
    roles = roles if stand_in is None else {"item": stand_in} | roles
    if wanted.parts == ("score",):
        # One file without a system column may be a wide table; several files are a system each, as is one that says whose it is.
        several = alone and table.facts.system is None
        sample = requested_rows(first, roles, wanted)
        if wanted.measure is not None and folded(wanted.measure) == folded(table.facts.measure or ""):
            wanted = replace(wanted, measure=None, measure_name=wanted.measure)
        scored = _score_columns(table.name, sample, roles, wanted, several=several)
    else:
        scored = ScoreColumns(_part_columns(table.name, names, wanted))
        _refuse_named(table.name, roles, wanted)
    parts = scored.parts
    measure = wanted.measure_name or scored.measure or table.facts.measure
    if "item" not in roles:
        stand_in = roles["item"] = _item_stand_in(table.name, first, roles, wide=not parts)
        # As an item the column no longer names datasets: each would hold one item, called like itself.
        roles = {role: column for role, column in roles.items() if (role, column) != ("dataset", stand_in)}
    roles = roles | _question(first, roles, wanted) if parts else roles
    systems = () if scored.systems is None else tuple(scored.systems.columns)
    if not parts and not systems:
        raise _no_scores(table.name, names)
    times = _times(list(systems), first, wanted)
    return Layout(table, roles, parts, measure, names, bool(first.roles), scored.systems, times, scored.costs, stand_in)


def _roles(table: Table, first: Block, wanted: TableRequest) -> dict[str, str]:
    roles, declared = assign(table.name, first, wanted), table.facts.cluster
    off = wanted.columns.get("cluster") == NONE
    roles = roles if off or declared not in first.names else {"cluster": declared} | roles
    if judge_is_score(table.name, first, roles, wanted):
        roles = {role: column for role, column in roles.items() if role != "rater"}
    if not _called(first.names, RATERS_ELSE):
        return roles
    rater = rater_under_another_name(first, roles, wanted)
    return roles if rater is None else roles | {"rater": rater}


def _times(systems: list[str], first: Block, wanted: TableRequest) -> tuple[str, ...]:
    """The columns of a wide table that are no systems because they say when its rows were scored."""
    if not systems or first.roles or not _called(systems, TIMES):
        return ()
    return times_beside(systems, first, wanted)


def _called(names: Iterable[str], known: Sequence[str]) -> bool:
    return not set(map(snake_case, names)).isdisjoint(known)


class ScoreColumns(NamedTuple):
    """Where the scores are: a column per part, or a column per system; what they are called, and other scores beside them."""

    parts: tuple[str, ...] = ()
    measure: str | None = None
    systems: SystemColumns | None = None
    costs: tuple[str, ...] = ()


def _score_columns(
    source: str, first: Block, roles: dict[str, str], wanted: TableRequest, *, several: bool
) -> ScoreColumns:
    """The column of scores, or in wide form, which a table of several systems may have, a column per system."""
    declared, scored = bool(first.roles), set(map(folded, wanted.scored))
    meant = set(_free(first.names, roles, declared=declared)) | {n for n in first.names if folded(n) in scored}
    free = [name for name in first.names if name in meant]
    wide = several and "system" not in roles
    if wanted.measure is not None and "measure" not in roles:
        return _of_measure(source, first, roles, wanted, wide=wide)
    if "score" in roles:
        said = not first.roles and folded(roles["score"]) not in _ANY_SCORE
        return ScoreColumns((roles["score"],), roles["score"] if said else None)
    if wide and first.roles:
        return ScoreColumns(systems=SystemColumns({name: name for name in free}))
    named = not wanted.named.isdisjoint(free)
    if wide and (named or not wanted.alone or not is_one_system(first, free)):
        found = systems_side_by_side(source, first, free, None, wanted.named)
        return ScoreColumns((), found.measure, found, found.other_measures)
    only = only_score(source, first, free, named_system="system" in roles)
    if only is None:
        raise _no_scores(source, first.names)
    return ScoreColumns((only[0],), only[0], None, tuple(only[1]))


def _of_measure(source: str, first: Block, roles: dict[str, str], wanted: TableRequest, *, wide: bool) -> ScoreColumns:
    """The column that is called like a measure, or a column per system and measure."""
    assert wanted.measure is not None
    if "score" in wanted.columns and not called([roles["score"]], wanted.measure):
        raise ReadError(
            f"{source}: {option('column', 'score=' + roles['score'])} and {option('measure', wanted.measure)} name two columns; leave one out"
        )
    free = _free(first.names, roles, declared=bool(first.roles))
    if "*" in wanted.measure:
        found = systems_of_pattern(source, first, wanted.measure, wide=wide)
        return ScoreColumns((), found.measure, found)
    if wide and not called(free, wanted.measure) and measured_systems(free):
        found = systems_side_by_side(source, first, free, wanted.measure, wanted.named)
        return ScoreColumns((), found.measure, found)
    return ScoreColumns((_named_score(source, first, roles, wanted.measure),), wanted.measure)


def _named_score(source: str, first: Block, roles: dict[str, str], measure: str) -> str:
    """The column of scores that is called so; a measure picks one, and gives none another name."""
    taken = {column for role, column in roles.items() if role != "score"}
    names = [name for name in first.names if name and name not in taken]
    alike = called(names, measure)
    if len(alike) == 1:
        return alike[0]
    likely = alike or [name for name in names if holds_scores(first.column(name))]
    lone = f". {option('measure_name', measure)} names whatever scores are there" if len(likely) < 2 else ""
    raise ReadError(f"{source}: no column of scores is called {measure!r}; {nearest(measure, likely)}{lone}")


def _no_scores(source: str, names: Sequence[str]) -> ReadError:
    return ReadError(
        f"{source}: no column holds scores; {_found(names)}. Name one: {option('column', 'score=…')}{_hint(names)}"
    )


def _part_columns(source: str, names: Sequence[str], wanted: TableRequest) -> tuple[str, ...]:
    needed = {part: wanted.columns.get(part, part) for part in wanted.parts}
    known = {folded(name) for name in names}
    missing = [part for part, column in needed.items() if folded(column) not in known]
    if missing:
        raise ReadError(
            f"{source}: the metric needs columns {', '.join(needed)}; missing: {', '.join(missing)}; {_found(names)}. "
            f"Name them: {option('column', f'{missing[0]}=…')}; if a column holds the score itself, leave {option('metric')} out and "
            f"pick it with {option('measure')}"
        )
    return tuple(find(source, names, column) for column in needed.values())


def _refuse_named(source: str, roles: dict[str, str], wanted: TableRequest) -> None:
    """A measure where a metric makes the score of several columns, and no column says what rows are scores of."""
    if wanted.measure is not None and "measure" not in roles:
        raise ReadError(
            f"{source}: {option('metric')} makes the scores, so {option('measure', wanted.measure)} picks none. Leave it out"
        )


def _item_stand_in(source: str, first: Block, roles: dict[str, str], *, wide: bool) -> str:
    """The column that identifies the rows where none is called an item: one dataset each, or the unnamed index of a wide table."""
    if "dataset" in roles:
        return roles["dataset"]
    if wide and "" in first.names[:1]:
        return ""
    _refuse_votes(source, first)
    hint = _hint(first.names)
    # Of a table without scores, or perhaps without a header, a name of the item would lead no further.
    scored = not hint and any(holds_scores(first.column(name)) for name in first.names)
    likely = (_likely_item(first, roles) if scored else None) or "…"
    hint = hint or "; if there is none, add one: rows are not paired by their position"
    raise ReadError(
        f"{source}: no column names the items; {_found(first.names)}; wanted one called {', '.join(ROLES['item'].columns[:3])}, …. "
        f"Say which it is: {option('column', f'item={likely}')}{hint}"
    )


def _refuse_votes(source: str, first: Block) -> None:
    """Two columns of systems in each row are those of votes, whose winner has another name."""
    known = {snake_case(name): name for name in first.names}
    sides = zip(VOTE_ROLES["a"].columns[1:], VOTE_ROLES["b"].columns[1:], strict=True)
    found = next(([known[a], known[b]] for a, b in sides if a in known and b in known), None)
    if found is not None:
        others = [name for name in first.names if name not in found]
        winner = others[0] if len(others) == 1 else "…"
        raise ReadError(
            f"{source}: columns {found[0]!r} and {found[1]!r} name two systems in each row, as votes do, and no column says who won. Say which it is: "
            f"{option('column', f'winner={winner}')}"
        )


def _under_another_name(first: Block, roles: dict[str, str]) -> str | None:
    """The column of items that is called like one elsewhere; None where there is a usual name, or the format says all."""
    if "item" in roles or first.roles:
        return None
    free = {snake_case(name): name for name in first.names if name not in roles.values()}
    return next((free[name] for name in ITEMS_ELSE if name in free), None)


def _question(first: Block, roles: dict[str, str], wanted: TableRequest) -> dict[str, str]:
    """The column of texts beside the ids of items, which may be positions; none where the item is its own text."""
    if first.roles or "text" in wanted.columns or snake_case(roles["item"]) in QUESTIONS:
        return {}
    free = {snake_case(name): name for name in first.names if name not in roles.values()}
    texts = (free[name] for name in QUESTIONS if name in free)
    found = next((name for name in texts if not holds_scores(first.column(name))), None)
    return {} if found is None else {"text": found}


def _likely_item(first: Block, roles: dict[str, str]) -> str | None:
    """The first column without a role whose texts are no scores and tell the rows of every system apart."""
    whose = first.column(roles["system"]) if "system" in roles else [""] * len(first.lines)
    for name in _free(first.names, roles, declared=False):
        cells = first.column(name)
        hashable = all(isinstance(cell, str | int) for cell in cells)
        if hashable and len(set(zip(whose, cells, strict=True))) == len(cells) and not holds_scores(cells):
            return name
    return None


def _free(names: Sequence[str], roles: dict[str, str], *, declared: bool) -> list[str]:
    """The named columns that no role has and that, where names decide, are not called like one."""
    taken = set(roles.values())
    return [name for name in names if name and name not in taken and (declared or usual_role(name) is None)]


def _found(names: Sequence[str]) -> str:
    return f"found {first_of(names, 8, repr) or 'no columns'}"


def _hint(names: Sequence[str]) -> str:
    if names and names[0].startswith("#"):
        return ". Remove the comment lines above the header"
    if len(names) == 1:
        return ". Columns are told apart by commas, semicolons or tabs, or by blanks where all lines have as many fields as the header"
    return ". If the first line holds data, add a header line above it" if any(map(is_number, names)) else ""
