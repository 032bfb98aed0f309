"""What is said of tables that do not go together, and of a cell that is no score."""

from tellapart.doors import option
from tellapart.errors import ReadError
from tellapart.readers.layout import Layout
from tellapart.readers.table import Block, Unfit
from tellapart.roles import LABELS


def refuse_unlike(layout: Layout, other: Layout) -> None:
    """Tables that are to be one must identify their items alike and score the same measure."""
    for role in (role.name for role in LABELS if role.everywhere):
        if (role in layout.says) != (role in other.says):
            has, lacks = (layout, other) if role in layout.says else (other, layout)
            place = f" ({has.roles[role]!r})" if role in has.roles else ""
            raise ReadError(
                f"{lacks.table.name}: there is no column for the {role}, and in {has.table.name} there is{place}. "
                "Add it here, or remove it there"
            )
    if layout.scored_as != other.scored_as:
        mine, theirs = (repr(x.measure or "score") for x in (layout, other))
        raise ReadError(
            f"{layout.table.name} scores {mine} and {other.table.name} {theirs}. Rename both columns to 'score' if "
            "they are the same measure"
        )


def refusal_of_cell(layout: Layout, block: Block, column: str, cell: Unfit) -> ReadError:
    place, advice = layout.table.place(block.lines[cell.row]), cell.advice or _advice(layout, column)
    shown = repr(cell.found)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
    return ReadError(f"{place}: found {shown} in column {column!r}; wanted {cell.wanted}. {advice}")


def _advice(layout: Layout, column: str) -> str:
    """What to do about a cell that nothing is known of: the column may have been mistaken for scores."""
    if not layout.wide:
        return f"Correct it, or name the column of scores: {option('column', 'score=…')}"
    known = [role for role in LABELS if role.absent is not None and role.columns]
    first, *others = sorted(known, key=lambda role: not role.groups)
    return (
        f"If {column!r} is no system, drop it, give it a role ({option('column', f'{first.name}={column}')}, or "
        f"{', '.join(role.name for role in others)}) or name those that are, two with {option('a')} and {option('b')} or more to rank with {option('systems')}; "
        f"if each row is about one system, name its column: {option('column', 'system=…')}"
    )
