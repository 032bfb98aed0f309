"""Results that a store has are taken from it, the others are computed and kept; all come in the order of the calls."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from tellapart.workers.work import Call, Filing, Result, Work

if TYPE_CHECKING:
    from tellapart.store import Store

Computing = Callable[[Work[Result]], Generator[Result, None, None]]


def filed_in_order(
    store: "Store", work: Work[Result], filing: Filing[Result], computing: Computing[Result]
) -> Generator[Result, None, None]:
    calls = list(work.calls)
    places = [filing.filed(call) for call in calls]
    wanted = {place.study: place.wanted for place in places}
    there = {study: store.blocks(study, number) for study, number in wanted.items()}
    known = [(place.block, place.size) in there[place.study] for place in places]
    missing = [call for call, found in zip(calls, known, strict=True) if not found]

    def keep(call: Call, found: Result) -> None:
        place = filing.filed(call)
        store.keep(place.study, (place.block, place.size), filing.written(found))
        work.tell(call, found)

    lacking = replace(work, calls=missing, count=len(missing), heard=keep, filing=None)
    with closing(computing(lacking)) as results:
        for place, found in zip(places, known, strict=True):
            if found:
                yield filing.read(there[place.study][place.block, place.size])
            else:
                yield next(results)
