"""Would the tests notice? Random single changes of a room, and those that no test of it minds.

    make mutate ROOM=significance COUNT=60 SEED=1
    make mutate ROOM=planning/probit

Every change is made in a copy of the source; the room's own tests and the laws run against it, those that enter the changed function.
Changes listed in `equivalent.toml` alter nothing that can be seen, and do not count.

Exit codes: 0 at least 95 % of the changes were noticed, 1 fewer, 2 usage.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutation.changes import Change, Mutant, changes
from tests.mutation.equivalent import noticeable
from tests.mutation.reach import Entered
from tests.mutation.trial import PACKAGE, ROOT, Bench, reaching

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
PROCESSES = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", default=ROOMS)
    parser.add_argument("--count", type=int, default=60, help="changes per room (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="which of them (default 0)")
    parser.add_argument(
        "--tests", nargs="+", default=(), metavar="PATH", help="these tests instead of the room's"
    )
    asked = parser.parse_args()
    shares = [
        _noticed(room, chosen(room, asked.count, asked.seed), asked.tests or witnesses(room))
        for room in asked.rooms
    ]
    return int(min(shares) < ENOUGH)


def _noticed(room: str, sample: Sequence[Mutant], tests: Sequence[str]) -> float:
    """The share of changes that were noticed, each survivor being told."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        benches = [Bench(Path(folder) / str(number)) for number in range(PROCESSES)]
        entered = _recorded(benches, tests)
        survivors = list(_survivors(benches, sample, entered))
    noticed = 1.0 - len(survivors) / len(sample)
    _say(f"{room}: {len(sample) - len(survivors)} of {len(sample)} changes noticed ({noticed:.1%})")
    return noticed


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


def _recorded(benches: Sequence[Bench], tests: Sequence[str]) -> list[Entered]:
    with ThreadPoolExecutor(PROCESSES) as pool:
        halves = [half for half in (tests[0::2], tests[1::2]) if half]
        return [entered for half in pool.map(Bench.record, benches, halves) for entered in half]


def _survivors(
    benches: Sequence[Bench], sample: Sequence[Mutant], entered: Sequence[Entered]
) -> Iterator[Mutant]:
    free: SimpleQueue[Bench] = SimpleQueue()
    for bench in benches:
        free.put(bench)

    def survives(mutant: Mutant) -> bool:
        tests = reaching(mutant, entered)
        bench = free.get()
        try:
            return not tests or bench.survives(mutant, tests)
        finally:
            free.put(bench)

    with ThreadPoolExecutor(PROCESSES) as pool:
        for mutant, survived in zip(sample, pool.map(survives, sample), strict=True):
            if survived:
                _say(_told(mutant, unreached=not reaching(mutant, entered)))
                yield mutant


def _told(mutant: Mutant, *, unreached: bool) -> str:
    file, function, words = key(mutant)
    why = "no test comes here" if unreached else "survived"
    return f"src/tellapart/{file}:{mutant.line} in {function or 'the module'}, {why}:  {words}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
