"""Would the tests notice? Random single changes of a room, and those that no test of it minds.

    make mutate ROOM=significance COUNT=60 SEED=1
    make mutate ROOM=planning/probit
    make mutate ROOM=planning MINUTES=8           # then the same with SKIP=23 for the rest, as it says

Every change is made in a copy of the source; the room's own tests and the laws run against it, those that enter the changed function.
Changes listed in `equivalent.toml`, each with its reason, alter nothing that can be seen, and do not count. What tests enter is kept
in `build/mutation` for the next run.

Exit codes: 0 at least 95 % of the changes were noticed, 1 fewer, 2 usage, 3 there was no time for all of them.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.mutation.changes import Change, Mutant, changes
from tests.mutation.crew import Crew, at_work
from tests.mutation.equivalent import noticeable
from tests.mutation.reach import Entered
from tests.mutation.records import files_of_tests, recorded
from tests.mutation.trial import PACKAGE, ROOT, Bench, Verdict
from tests.mutation.witnesses import in_order, reaching

ROOMS = ("significance", "intervals", "distributions", "planning", "multiplicity")
WITNESSES = {
    "distributions": ("significance", "intervals"),
    "planning": ("agreement",),
    "render": ("golden",),
    "records": ("test_scores.py", "readers"),
    "scores": ("readers",),
}
"""Other folders of tests in which the numbers of a room are checked."""
ENOUGH = 0.95
NOT_NOTICED = {
    "survived": "survived",
    "unreached": "no test comes here",
    "undecided": "neither failed nor ended, on a machine that may be busy",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", default=ROOMS)
    parser.add_argument("--count", type=int, default=60, help="changes per room (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="which of them (default 0)")
    parser.add_argument("--skip", type=int, default=0, help="so many of them were judged before (default 0)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing later")
    parser.add_argument("--processes", type=int, default=2, help="copies of the source (default 2)")
    parser.add_argument(
        "--tests", nargs="+", default=(), metavar="PATH", help="these tests instead of the room's"
    )
    asked = parser.parse_args()
    codes = []
    with at_work(asked.processes, time.monotonic() + 60.0 * asked.minutes) as crew:
        for room in asked.rooms:
            sample = chosen(room, asked.count, asked.seed)[asked.skip :]
            codes.append(_judge(crew, room, sample, asked.tests or witnesses(room)))
    return max(codes)


def _judge(crew: Crew, room: str, sample: Sequence[Mutant], tests: Sequence[str]) -> int:
    """Tell each change of a sample that nothing noticed, and the share of the others."""
    entered = _entered(crew, files_of_tests(tests))
    if entered is None:
        _say(f"{room}: no time to see what all its tests enter; what was seen is kept for the next run")
        return 3

    def judged(bench: Bench, mutant: Mutant) -> Verdict:
        asked = in_order(mutant, reaching(mutant, entered))
        return bench.judged(mutant, asked) if asked else "unreached"

    found: Counter[Verdict] = Counter()
    for mutant, verdict in zip(sample, crew.each(judged, sample), strict=True):
        if verdict is not None:
            found[verdict] += 1
        if verdict in NOT_NOTICED:
            _say(_told(mutant, NOT_NOTICED[verdict]))
    return _summed_up(room, found, len(sample))


def _entered(crew: Crew, files: Sequence[str]) -> list[Entered] | None:
    """What each test enters; nothing if there was no time to find that out."""
    seen = list(crew.each(lambda bench, file: recorded(file, bench.record), files))
    if None in seen:
        return None
    return [entered for one in seen if one is not None for entered in one]


def _summed_up(room: str, found: Counter[Verdict], wanted: int) -> int:
    judged, noticed = found.total(), found["noticed"] + found["hung"]
    hung = f", {found['hung']} of them by never ending" if found["hung"] else ""
    share = noticed / judged if judged else 1.0
    _say(f"{room}: {noticed} of {judged} changes noticed ({share:.1%}){hung}")
    if judged < wanted:
        _say(f"{room}: no time for {wanted - judged} more; add {judged} to what is skipped to go on")
        return 3
    return int(share < ENOUGH)


def chosen(room: str, count: int, seed: int) -> list[Mutant]:
    """So many changes of a room, or all there are, without those known to change nothing."""
    place = PACKAGE / room
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    every = list(noticeable(change for file in files for change in changes(file)))
    sample = random.Random(seed).sample(every, min(count, len(every)))  # noqa: S311  (a sample, not a secret)
    return [change.made() for change in sample]


def key(change: Change | Mutant) -> tuple[str, str, str]:
    return str(change.file.relative_to(PACKAGE)), change.function, change.words


def witnesses(room: str) -> list[str]:
    """The room's own tests, for a folder the laws, and other folders that check its numbers; of one file, those of its room."""
    room = room.partition("/")[0]
    names = [room, f"test_{room}.py", *WITNESSES.get(room, ())] + ["laws"] * (PACKAGE / room).is_dir()
    return [f"tests/{name}" for name in names if (ROOT / "tests" / name).exists()]


def _told(mutant: Mutant, why: str) -> str:
    file, function, words = key(mutant)
    return f"src/tellapart/{file}:{mutant.line} in {function or 'the module'}, {why}:  {words}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
