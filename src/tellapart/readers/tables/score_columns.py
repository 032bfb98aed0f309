"""Detection of score columns and their systems by name, values and scale; an error where ambiguous."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.data.roles import JUDGES, PEOPLE, TIMES
from tellapart.foundation.errors import OpenScore, ReadError
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.tables.columns import TableRequest, folded, snake_case
from tellapart.readers.tables.table import Block, InvalidCell
from tellapart.readers.tables.values import advice_on, scores

# What the words in the name of a column say of it; the last one that is known decides, as in `score_time`.

Kind = Literal["score", "cost", "fact", "unknown"]

_SCORES = (
    "score scores accuracy acc correct correctness passed pass success successful em match f1 bleu rouge chrf comet bleurt meteor ndcg "
    "map mrr recall precision auc auroc reward win quality solved resolved hit hits faithfulness relevance relevancy similarity rating "
    "fluency adequacy helpfulness coherence judge human kappa iou dice ap rr wer cer ter loss error errors perplexity ppl brier rmse mse mae nll"
)
_COSTS = (
    "latency time cost costs price duration seconds secs ms runtime memory tokens usd dollars throughput speed elapsed"
)
_FACTS = (
    "difficulty level length len size count fold split seed category index idx position order rank turn turns step steps "
    "expected gold target label answer truth reference ref hops depth words chars characters temperature weight line row page num "
    "number age group bucket bin"
)
_FILLERS = (
    "is at k l n s mean avg average test total raw final exact normalized norm overall max min prompt question input output response "
    "context doc document text query title item sample problem token word char"
)
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_FACTS.split(), "fact"),
    **dict.fromkeys(_COSTS.split(), "cost"),
    **dict.fromkeys(_SCORES.split(), "score"),
}
_KNOWN = {*_KINDS, *_FILLERS.split()}
_WORD = re.compile(r"[a-z]+1?(?![a-z])|[a-z]+")
_BREAK = re.compile(r"[\s_./:-]+")
_IDENTIFIER = re.compile(r"(^|_)(id|idx|index)$|[a-z]Id$")


def kind_of(name: str) -> Kind:
    """What the name of a column says that it holds.

    >>> kind_of("is_correct"), kind_of("fit_time"), kind_of("answer_length"), kind_of("base"), kind_of("rouge_l")
    ('score', 'cost', 'fact', 'unknown', 'score')
    """
    words = _WORD.findall(folded(name))
    return next((_KINDS[word] for word in reversed(words) if word in _KINDS), "unknown")


def _says_a_fact(name: str) -> bool:
    """Whether every word of it is known, so that none is left for a system such as `ternary-weight`."""
    return kind_of(name) == "fact" and _KNOWN.issuperset(_WORD.findall(folded(name)))


def _is_time(name: str) -> bool:
    """Whether a column says when something was scored; how long it took is a cost."""
    return snake_case(name) in TIMES and folded(name) != "time"


def _names_a_measure(name: str) -> bool:
    """Whether every word of it is one of measures, so that none is left for a system."""
    words = _WORD.findall(folded(name))
    return bool(words) and _KNOWN.issuperset(words) and kind_of(name) in {"score", "cost"}


def holds_scores(column: Sequence[object]) -> bool:
    """Whether some cell is a score and all others are scores or missing."""
    try:
        return not bool(np.isnan(scores(column)).all())
    except InvalidCell:
        return False


def is_text(column: Sequence[object]) -> bool:
    """Whether all cells are words, and none of them looks like a number that is written otherwise."""
    cells = [cell for cell in column if cell is not None and str(cell).strip()]
    return bool(cells) and all(isinstance(cell, dict) or _is_word(cell) for cell in cells)


def _is_word(cell: Any) -> bool:
    if not isinstance(cell, str) or advice_on(cell.strip()) is not None:
        return False
    return not holds_scores([cell])


# One system: which of its columns is the score.


def only_score(source: str, first: Block, free: Sequence[str], *, named_system: bool) -> tuple[str, list[str]] | None:
    """The column of scores and the costs beside it; None where no column holds numbers, a refusal where several may be meant."""
    numeric = [name for name in free if not _IDENTIFIER.search(name) and holds_scores(first.column(name))]
    kinds: defaultdict[Kind, list[str]] = defaultdict(list)
    for name in numeric:
        kinds[_kind_of_column(name, first.column(name))].append(name)
    if not numeric:
        return None
    if len(kinds["score"]) == 1 and not kinds["unknown"]:
        return kinds["score"][0], kinds["cost"]
    offered = [*kinds["score"], *kinds["unknown"], *kinds["cost"]]
    if len(offered) == 1:
        return offered[0], []
    if not offered:
        raise _only_facts(source, numeric)
    whose = "" if named_system else " (of several files, each is one system)"
    raise OpenScore(
        f"{source}: several columns could be the score{whose}: {_listed(offered)}. Pick one with {option('measure', offered[0])}"
        f"{correct_judge(offered)}",
        tuple(offered),
    )


def is_one_system(first: Block, free: Sequence[str]) -> bool:
    """Whether the columns of a table are measures of the system that it is named after, where one is enough."""
    numeric = [name for name in free if not _IDENTIFIER.search(name) and holds_scores(first.column(name))]
    scored = [name for name in numeric if _kind_of_column(name, first.column(name)) != "fact"]
    return len(scored) == 1 or (bool(scored) and all(map(_names_a_measure, scored)))


def _only_facts(source: str, names: Sequence[str]) -> ReadError:
    return ReadError(
        f"{source}: no column holds scores: by their names, {_listed(names)} describe the items. If one of them is "
        f"the score, name it: {option('measure', names[0])}"
    )


def _kind_of_column(name: str, column: Sequence[Any]) -> Kind:
    said = "fact" if _is_time(name) else kind_of(name)
    truths = (cell for cell in column if cell is not None and cell != "")
    is_truth = all(isinstance(cell, bool) or str(cell).strip().casefold() in {"true", "false"} for cell in truths)
    return "score" if said == "unknown" and is_truth else said


def _listed(names: Sequence[str]) -> str:
    return first_of(names, 20, repr)


# Several systems side by side: which columns are systems, and which only say something of the items.


@dataclass(frozen=True)
class SystemColumns:
    """The column of each system, the measure that they are of where names say it, and the columns that were taken for none."""

    columns: Mapping[str, str]
    measure: str | None = None
    left_out: tuple[str, ...] = ()
    other_measures: tuple[str, ...] = ()


def systems_side_by_side(
    source: str, first: Block, free: Sequence[str], measure: str | None, named: frozenset[str]
) -> SystemColumns:
    """The systems of a table in which each has a column, or a column by each of several measures."""
    given = [name for name in free if name in named]
    if len(given) > 1:
        return SystemColumns({name: name for name in free})
    candidates = [
        name
        for name in free
        if name in named or _is_time(name) or not (_IDENTIFIER.search(name) or is_text(first.column(name)))
    ]
    grid = measured_systems(candidates)
    if grid is not None and (measure is not None or len(grid) > 1):
        return _of_measure(source, grid, candidates, measure)
    systems = [name for name in candidates if name in named or not _says_a_fact(name)]
    if not systems and candidates:
        raise _only_facts(source, candidates)
    if len(systems) > 1 and not given:
        _refuse_measures(source, systems)
        _refuse_other_scale(source, first, systems)
    return SystemColumns(
        {name: name for name in systems}, None, tuple(name for name in candidates if name not in systems)
    )


Grid = dict[str, dict[str, str]]
"""Of each measure the column of each system."""


def measured_systems(names: Sequence[str]) -> Grid | None:
    """Columns called <system>_<measure> or <measure>_<system>, of which at least two systems have a measure; None where there are none."""
    found = [grid for at_end in (True, False) if (grid := _split(names, at_end=at_end))]
    # Where both ways fit, the one that gives more columns a place; names that fit both alike are no grid.
    found.sort(key=lambda grid: -sum(map(len, grid.values())))
    if not found or (len(found) > 1 and sum(map(len, found[0].values())) == sum(map(len, found[1].values()))):
        return None
    return found[0]


def holds_system(names: Sequence[str], named: Collection[str]) -> bool:
    """Whether a table has a column of one of these systems."""
    grid = measured_systems(names) or {}
    return not {*names, *(system for columns in grid.values() for system in columns)}.isdisjoint(named)


def _split(names: Sequence[str], *, at_end: bool) -> Grid:
    grid: Grid = {}
    for name in names:
        breaks = list(_BREAK.finditer(name))
        parts = [(name[: one.start()], name[one.end() :]) for one in (breaks if at_end else breaks[::-1])]
        pairs = [pair if at_end else pair[::-1] for pair in parts]
        # The longest name of a measure that leaves something for the system.
        system, measure = next(
            ((who, what) for who, what in pairs if who and _names_a_measure(what) and not _names_a_measure(who)),
            ("", ""),
        )
        if system:
            grid.setdefault(measure, {})[system] = name
    return {measure: columns for measure, columns in grid.items() if len(columns) > 1}


def _of_measure(source: str, grid: Grid, names: Sequence[str], measure: str | None) -> SystemColumns:
    if measure is not None:
        asked = [one for one in grid if folded(one) == folded(measure)]
        if not asked:
            raise ReadError(f"{source}: no measure is called {measure!r}; known: {_listed(list(grid))}")
        return SystemColumns(grid[asked[0]], measure, ())
    placed = {column for columns in grid.values() for column in columns.values()}
    scored = [one for one in grid if kind_of(one) == "score"]
    others = [name for name in names if name not in placed and kind_of(name) != "fact"]
    if len(scored) == 1 and not others:
        facts = tuple(name for name in names if name not in placed)
        return SystemColumns(grid[scored[0]], scored[0], facts, tuple(one for one in grid if one != scored[0]))
    raise OpenScore(
        f"{source}: its columns are several measures of {_listed(list(next(iter(grid.values()))))}: {_listed(list(grid))}. Pick one with "
        f"{option('measure', (scored or list(grid))[0])}{correct_judge(grid)}",
        tuple(grid),
    )


def _refuse_measures(source: str, names: Sequence[str]) -> None:
    """Columns that are all called like measures are those of one system."""
    if all(map(_names_a_measure, names)):
        raise ReadError(
            f"{source}: {_listed(names)} look like measures of one system. To compare, pass the other system's file "
            f"too; if they are systems, name two with {option('a', names[0])} and {option('b', names[1])}"
        )


FEWEST, MOST = 10, 50
"""Rows from which on, and columns up to which, scales are looked at."""


def _refuse_other_scale(source: str, first: Block, names: Sequence[str]) -> None:
    """A column of other numbers beside systems that were right or wrong may say something of the items."""
    if len(first) < FEWEST or len(names) > MOST:
        return
    scored = (name for name in names if not _is_time(name) and holds_scores(first.column(name)))
    values = {name: scores(first.column(name)) for name in scored}
    known = {name: column[~np.isnan(column)] for name, column in values.items()}
    binary = [name for name, column in known.items() if np.isin(column, (0.0, 1.0)).all()]
    others = [name for name, column in known.items() if name not in binary and column.max() > 1.0]
    if len(binary) > 1 and others:
        raise ReadError(
            f"{source}: {_listed(binary)} are right or wrong, and {_listed(others)} {'is' if len(others) == 1 else 'are'} not: which of them are "
            f"systems? Name two with {option('a', binary[0])} and {option('b', binary[1])}, or more to rank with "
            f"{option('systems', ','.join(binary))}"
        )


# A judge's scores: a column of them is called like the people who judge, and a pattern may name a column per system.


def judge_and_people(names: Collection[str]) -> tuple[str, str] | None:
    """The names of a judge's score and of people's, where there is one of each.

    >>> judge_and_people(["latency", "model_graded_qa", "human"]), judge_and_people(["judge", "accuracy"])
    (('model_graded_qa', 'human'), None)
    """
    judges, people = [n for n in names if folded(n).startswith(JUDGES)], [n for n in names if folded(n) in PEOPLE]
    return (judges[0], people[0]) if judges and people else None


def correct_judge(names: Collection[str]) -> str:
    """How a judge's score is corrected by people's, where there is one of each."""
    both = judge_and_people(names)
    if both is None:
        return ""
    return f", or pass {option('judge', both[0])} {option('human', both[1])} to correct the judge by people ({verb('compare')})"


def remark_on_judge(measure: str, beside: Collection[str]) -> list[Remark]:
    """That people's score lies beside the judge's, where the judge's alone was taken."""
    both = judge_and_people([measure, *beside])
    return [] if both is None or both[0] != measure else [Remark("judge_alone", {"judge": both[0], "human": both[1]})]


def judge_is_score(source: str, first: Block, roles: Mapping[str, str], wanted: TableRequest) -> bool:
    """Whether a column that is taken for raters by the name of judge holds scores; asked back where no measure is named.

    It may where it holds numbers beside another column of scores, and no item of a system comes twice in the first rows.
    """
    column = roles.get("rater")
    if column is None or folded(column) != "judge" or "rater" in wanted.columns or first.roles:
        return False
    taken = {*roles.values()} - {roles.get("score")}
    others = [
        name
        for name in first.names
        if name not in taken and not _IDENTIFIER.search(name) and holds_scores(first.column(name))
    ]
    if not others or not holds_scores(first.column(column)) or _item_comes_twice(first, roles):
        return False
    if wanted.measure is not None:
        return True
    human = others[0] if len(others) == 1 else "…"
    judged = f"{option('judge', column)} {option('human', human)} to correct it by people's ({verb('compare')}, {verb('gate')})"
    raise OpenScore(
        f"{source}: column {column!r} holds numbers beside {_listed(others)}: scores of a judge, or who judged? Pick a score with "
        f"{option('measure', others[0])} or {option('measure', column)}, pass {judged}, or say that it names raters: "
        f"{option('column', f'rater={column}')}",
        (column, *others),
    )


def _item_comes_twice(first: Block, roles: Mapping[str, str]) -> bool:
    cells = [first.column(roles[role]) for role in ("dataset", "item", "system", "run") if role in roles]
    rows = list(zip(*(map(str, column) for column in cells), strict=True))
    return len(set(rows)) < len(rows)


def systems_of_pattern(source: str, first: Block, pattern: str, *, wide: bool) -> SystemColumns:
    """The columns that a pattern such as `*_human` names, each of the system that stands for the asterisk."""
    start, _, end = pattern.partition("*")
    shortest = len(start) + len(end)
    fitting = [name for name in first.names if len(name) > shortest and name.startswith(start) and name.endswith(end)]
    if not wide or "*" in end or len(fitting) < 2:
        found = _listed(fitting) if fitting else f"none of {_listed(first.names)}"
        raise ReadError(
            f"{source}: {pattern!r} should name a column per system, with one * where its name stands; it fits {found}"
            + ("" if wide else ", and here a column or the file says the system")
        )
    columns = {name[len(start) : len(name) - len(end)]: name for name in fitting}
    return SystemColumns(columns, _BREAK.sub(" ", f"{start} {end}").strip())
