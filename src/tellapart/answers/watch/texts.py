"""Sentences about a watch: quiet or alarm, and since when."""

from dataclasses import replace

from tellapart.answers.reading_texts import READING
from tellapart.answers.texts import NoteTexts
from tellapart.answers.watch import Watch
from tellapart.foundation.formatting import amount, minus, one_line, significant, thousands
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[Watch] = NoteTexts(READING)

ENDLESS = 100_000
"""Evidence beyond which no number is written."""
ROUND = 100
"""Evidence from which on it is written in whole numbers."""


def with_texts(answer: Watch) -> Watch:
    return replace(
        answer,
        headline=_watch_headline(answer),
        sentence=_watch_sentence(answer),
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _watch_headline(answer: Watch) -> str:
    if answer.verdict == "quiet":
        loss = f"no loss larger than {answer.margin:g}" if answer.margin else "no loss"
        return f"quiet: {loss} is shown in {_watched_span(answer)}"
    by = f" by more than {answer.margin:g}" if answer.margin else ""
    since = one_line(answer.since.group)
    return f"alarm: {one_line(answer.b)} is worse than {one_line(answer.a)}{by}, most clearly since {since}"


def _watched_span(answer: Watch) -> str:
    items = amount(answer.items, "item")
    return items if answer.by is None else f"{amount(len(answer.groups), one_line(answer.by))} ({items})"


def _watch_sentence(answer: Watch) -> str:
    lower = ", counted towards better" if answer.lower_is_better else ""
    found = (
        f"Over {_watched_span(answer)} of {one_line(answer.measure)}, {one_line(answer.b)} − {one_line(answer.a)} is "
        f"{_signed(answer.effect)} on average{lower}."
    )
    line = f"{evidence_words(answer.most_evidence)}, and {answer.line:g} raises the alarm, falsely at most once in {answer.line:g} watches"
    if answer.verdict == "quiet":
        return f"{found} The largest evidence of a loss so far is {line}."
    return (
        f"{found} The alarm was raised at item {thousands(answer.alarm_item or 0)} ({one_line(answer.alarm_group or '')}): evidence came to {line}. "
        f"Since {one_line(answer.since.group)} the difference is {_signed(answer.since.effect)} ({amount(answer.since.items, 'item')})."
    )


def evidence_words(evidence: float) -> str:
    """Evidence, of which nobody needs many digits."""
    if evidence >= ENDLESS:
        return f"more than {thousands(ENDLESS)}"
    return significant(evidence) if evidence < ROUND else thousands(round(evidence))


def _signed(effect: float) -> str:
    return f"+{significant(effect, 3)}" if effect > 0.0 else minus(significant(effect, 3))


NOTES.plain(
    since_chosen="the group that the loss is clearest since was chosen because it is extreme: the difference since then looks larger than it is",
    alarm_stands=f"an alarm stays until the watch begins anew: {option('restart')}",
    unwatched_state=f"nothing was kept: name a file with {option('state')}, and only what is new is watched next time",
)


@NOTES
def items_waiting(_: Watch, items: int, first: str) -> str:
    return (
        f"{amount(items, 'item')} came after {one_line(first)!r}, which only one system has, and {'wait' if items > 1 else 'waits'} for it; "
        f"{option('missing', 'drop')} goes on without"
    )


@NOTES
def watched_before(_: Watch, restarts: int) -> str:
    return f"this watch was begun anew {'once' if restarts == 1 else f'{restarts} times'}: each beginning may raise one false alarm in as many"
