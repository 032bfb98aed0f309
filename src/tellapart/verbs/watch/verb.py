"""A watch over an endless stream: has B ever been worse than A by more than the margin?"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tellapart.answers.parts import Note
from tellapart.answers.watch import Watch, WatchSince
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import DataError, ReadError, TooFew
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.surfaces import option
from tellapart.numerics.null_laws.tails import positive
from tellapart.numerics.watch import evidence_number
from tellapart.verbs.anytime import score_limits
from tellapart.verbs.compare.systems import plain_scores, two_systems
from tellapart.verbs.given_scores import Grouping, on_given_scores
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.run_summaries import summarise_runs
from tellapart.verbs.signature import sign
from tellapart.verbs.watch.question import WatchQuestion
from tellapart.verbs.watch.state import (
    StartOfGroup,
    WatchState,
    locked_state,
    read_state,
    refuse_other_question,
    watched_groups,
)
from tellapart.verbs.watch.stream import BEGINNING, WatchStream, watch_stream


def watched(scores: Any, question: WatchQuestion) -> Watch:
    """Was B ever shown to be worse than A by more than the margin, at any moment of an endless stream?

    Scores are taken in the order of their rows. `state` names a file of what was seen: the next call watches what came since. An alarm is
    raised at most once in 1/alpha watches in which there is no such loss, however long they last, and stands until `restart`.

    >>> scores = Scores.from_arrays({"old": [0, 1] * 300, "new": [0, 0] * 300})
    >>> watched(scores, WatchQuestion(margin=0.1)).verdict
    'alarm'
    """
    plain = scores if isinstance(scores, Scores) else plain_scores(scores, "watch", fixed=question.raters_as == "fixed")
    names = two_systems(plain, question.a, question.b)
    plain = summarise_runs(plain, question.runs_as, question.missing)
    question = question.facing(plain).turned_by(question.aggregation(plain))
    stream = watch_stream(plain, names, lower_is_better=question.lower_is_better, drop=question.missing == "drop")
    if not stream.items and question.state is None:
        raise TooFew("no item was completed by both systems, so there is nothing to watch. Check the item ids")
    asked, path = question.asked(names, plain.measure), question.state
    if path is not None:
        refuse_unwritable(Path(path))
    with nullcontext() if path is None else locked_state(path):
        before = _state_before(question, asked)
        fresh = _not_just_seen(stream, before) if question.new else _unseen(stream, before, path or "")
        after = _advanced(before, fresh, question)
        if path is not None and after != before:
            write_whole(Path(path), after.to_json())
    return _watch_answer(after, fresh, question)


def _state_before(question: WatchQuestion, asked: dict[str, Any]) -> WatchState:
    found = None if question.state is None else read_state(question.state)
    if found is None:
        return WatchState(asked)
    if question.restart:
        return found.begun_anew(asked)
    refuse_other_question(found, asked, question.state or "")
    return found


def _not_just_seen(stream: WatchStream, before: WatchState) -> WatchStream:
    """Nothing of rows that the state ends with, where a start stands before them: the same file came twice."""
    first = before.rows - len(stream.items)
    links = (stream.chain(start.chain)[-1] for start in before.starts if start.row == first)
    if stream.items and before.chain in links:
        return stream.part(slice(0))
    if _begins_the_same(stream, before):
        raise ReadError(f"these rows were watched already; where the file holds all rows, leave {option('new')} out")
    return stream


def _begins_the_same(stream: WatchStream, before: WatchState) -> bool:
    """Whether the first group of the state, or all that it has seen, are the first rows here."""
    links = stream.chain(BEGINNING)
    seen = [*((start.row, start.chain) for start in before.starts[1:2]), (before.rows, before.chain)]
    return any(0 < row < len(links) and links[row] == chain for row, chain in seen)


def _unseen(stream: WatchStream, before: WatchState, path: str) -> WatchStream:
    """What comes after the rows that were seen, which must be as they were."""
    if before.rows == 0:
        return stream
    if len(stream.items) < before.rows:
        only_new = "" if _begins_the_same(stream, before) else f", or only new ones with {option('new')}"
        raise ReadError(
            f"{before.rows} rows were watched, and {len(stream.items)} are there: pass all rows{only_new} ({path})"
        )
    links = stream.part(slice(before.rows)).chain(BEGINNING)
    if links[-1] != before.chain:
        checked = [*((one.row, one.chain) for one in before.starts), (before.rows, before.chain)]
        place = next(i for i, (row, link) in enumerate(checked) if links[row] != link)
        low = checked[place - 1][0] + 1 if place else 1
        raise ReadError(
            f"rows that were already watched have changed, the first of them between rows {low} and {checked[place][0]}. Restore them; to watch other "
            f"rows name another state than {path}"
        )
    return stream.part(slice(before.rows, None))


def _advanced(before: WatchState, fresh: WatchStream, question: WatchQuestion) -> WatchState:
    """The state after the new rows."""
    if not fresh.items:
        return before
    low, high = score_limits(question.range)
    _refuse_outside(fresh, low, high)
    width, rows = high - low, before.rows
    starts, labels = _new_starts(before, fresh, question)
    null = question.margin / width
    process, evidence, logs = before.process.after(-fresh.differences / width, null, np.array(starts, dtype=np.int64))
    totals = np.cumsum(np.concatenate([[before.total], fresh.differences]))
    links = fresh.chain(before.chain)
    ends = [*(place - 1 for place in starts if place > 0), len(fresh.items) - 1]
    known = [*before.starts, *(
        StartOfGroup(label, rows + place, tuple(log), float(totals[place]), links[place])
        for place, label, log in zip(starts, labels, logs.tolist(), strict=True)
    )]  # fmt: skip
    first_touched = len(before.starts) - (1 if before.starts and (not starts or starts[0] > 0) else 0)
    for number, end in enumerate(ends, first_touched):
        known[number] = replace(known[number], evidence=float(evidence[end]))
    most = float(evidence.max()) if before.most is None else max(before.most, float(evidence.max()))
    return replace(
        before,
        rows=rows + len(fresh.items),
        chain=links[-1],
        total=float(totals[-1]),
        logs=tuple(process.logs.tolist()),
        weights=tuple(process.weights.tolist()),
        starts=tuple(known),
        most=most,
        alarm=before.alarm or _first_alarm(evidence, known, rows, question.alpha),
    )


def _new_starts(before: WatchState, fresh: WatchStream, question: WatchQuestion) -> tuple[list[int], list[str]]:
    """The places among the new rows at which a fresh watch begins, and the groups that begin there."""
    if question.period is not None:
        seen = before.rows - before.first
        starts = list(range(-seen % question.period, len(fresh.items), question.period))
        return starts, [f"item {before.rows + place + 1}" for place in starts]
    if fresh.labels is None:
        raise DataError(f"nothing says the {question.by} of an item; name a column that does: {option('by')}")
    last = before.starts[-1].group if before.starts else None
    previous: Sequence[str | None] = [last, *fresh.labels[:-1]]
    starts = [place for place, (one, label) in enumerate(zip(previous, fresh.labels, strict=True)) if one != label]
    return starts, [fresh.labels[place] for place in starts]


def _refuse_outside(fresh: WatchStream, low: float, high: float) -> None:
    outside = ((fresh.scores < low) | (fresh.scores > high)).any(axis=1)
    if outside.any():
        place = int(outside.argmax())
        raise DataError(
            f"item {fresh.items[place]!r} has scores {' and '.join(f'{x:g}' for x in fresh.scores[place])}, not all within {low:g} to {high:g}. Say what "
            f"scores can be: {option('range', '…')}"
        )


def _first_alarm(evidence: FloatArray, known: list[StartOfGroup], rows: int, alpha: float) -> dict[str, Any] | None:
    reached = rejects(np.exp(-evidence), alpha)
    if not reached.any():
        return None
    row = rows + int(reached.argmax())
    group = next(one.group for one in reversed(known) if one.row <= row)
    return {"item": row + 1, "group": group}


def _watch_answer(state: WatchState, fresh: WatchStream, question: WatchQuestion) -> Watch:
    groups = watched_groups(state, evidence_number)
    if not groups:
        raise TooFew(
            "nothing came since the watch was begun anew, so there is nothing to say yet. Come back with new rows"
        )
    most, alarm, first = state.most or 0.0, state.alarm or {}, state.starts[0]
    return Watch(
        verdict="alarm" if alarm else "quiet",
        a=state.question["a"],
        b=state.question["b"],
        measure=state.question["measure"],
        margin=question.margin,
        alpha=question.alpha,
        items=state.rows - state.first,
        new_items=len(fresh.items),
        by=question.by,
        every=question.period,
        evidence=groups[-1].evidence,
        most_evidence=evidence_number(most),
        pvalue=min(1.0, float(positive(np.exp(-most)))),
        since=_clearest_start(state),
        effect=(state.total - first.total) / (state.rows - first.row),
        alarm_group=alarm.get("group"),
        alarm_item=alarm.get("item"),
        lower_is_better=question.lower_is_better,
        state=question.state,
        groups=groups,
        notes=tuple(_watch_notes(state, fresh, question)),
        signature=_watch_signature(state, question),
        restarts=state.restarts,
    )


def _clearest_start(state: WatchState) -> WatchSince:
    """The start with the most weighted evidence, and the mean difference since then."""
    start = state.starts[state.process.strongest_start(np.array([one.logs for one in state.starts]))]
    items = state.rows - start.row
    return WatchSince(start.group, items, (state.total - start.total) / items)


def _watch_signature(state: WatchState, question: WatchQuestion) -> str:
    return sign(
        "watch",
        f"sha256:{state.chain[:16]}",
        margin=question.margin,
        alpha=question.alpha,
        range=question.range,
        by=question.by,
        every=question.period,
        lower_is_better=question.lower_is_better or None,
    )


def _watch_notes(state: WatchState, fresh: WatchStream, question: WatchQuestion) -> Iterator[Note]:
    if fresh.waiting:
        yield Note("items_waiting", {"items": fresh.waiting, "first": fresh.first_waiting})
    if state.alarm is not None:
        yield Note("since_chosen")
        if question.state is not None:
            yield Note("alarm_stands")
    if state.restarts:
        yield Note("watched_before", {"restarts": state.restarts})
    if question.state is None:
        yield Note("unwatched_state")


watch = python_verb(
    "watch",
    WatchQuestion,
    on_given_scores(watched, lambda asked: (asked.a, asked.b), lambda asked: Grouping(asked.by)),
)
