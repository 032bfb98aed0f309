"""`make fuzz CASES=100000 SEED=1`: run cases, name those that break a promise, and how to see each again."""

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.fuzz.cases import run_case


def broken(seed: int, numbers: range, folder: Path, *, aloud: bool = False) -> dict[int, str]:
    """What went wrong in which cases, told at once where somebody waits for it."""
    found = {}
    for number in numbers:
        try:
            run_case(seed, number, folder)
        except Exception as error:  # noqa: BLE001  (whatever comes out is what is looked for)
            found[number] = f"{type(error).__name__}: {error}"[:500]
            if aloud:
                again = f"python -m tests.fuzz --seed {seed} --only {number}"
                sys.stdout.write(f"case {number}: {found[number]}\n  {again}\n")
        if aloud and number % 1000 == 999:
            sys.stdout.write(f"seed {seed}: {number + 1 - numbers.start} cases, {len(found)} broken\n")
            sys.stdout.flush()
    return found


def _main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    asked.add_argument("--cases", type=int, default=10_000)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    asked.add_argument("--only", type=int, help="run one case and show its traceback")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.only is not None:
            try:
                run_case(given.seed, given.only, Path(folder))
            except Exception:  # noqa: BLE001  (shown, as asked)
                traceback.print_exc()
            return 0
        start = time.monotonic()
        found = broken(given.seed, range(given.first, given.first + given.cases), Path(folder))
    for number, said in found.items():
        sys.stdout.write(f"case {number}: {said}\n  python -m tests.fuzz --seed {given.seed} --only {number}\n")
    sys.stdout.write(
        f"seed {given.seed}: {given.cases} cases from {given.first}, {len(found)} broken, {time.monotonic() - start:.0f} s\n"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(_main())
