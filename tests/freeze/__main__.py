"""Do all answers hold the same numbers, codes and fields as before? `python -m tests.freeze keep FILE`, then `compare FILE`."""

import argparse
import json
import sys
import time
from itertools import islice
from pathlib import Path

from tests.freeze.commands import commands
from tests.freeze.differences import Renames, differences
from tests.freeze.record import Record, crashed, record

RENAMES = Path(__file__).with_name("renames.json")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.freeze", description=__doc__)
    asked = parser.add_subparsers(dest="asked", required=True)
    keep = asked.add_parser("keep", help="write the record of all commands to FILE")
    compare = asked.add_parser("compare", help="run them again: equal, or the first differences")
    for part in (keep, compare):
        part.add_argument("file", type=Path, metavar="FILE")
        part.add_argument("--only", default="", help="only commands that contain this and need no other one")
    compare.add_argument("--renames", type=Path, default=RENAMES, metavar="TABLE", help="old names to new ones")
    compare.add_argument("--tolerance", type=float, default=0.0, help="relative, of floats (default: exact)")
    compare.add_argument("--most", type=int, default=1, help="differences to print")
    return parser.parse_args()


def run(given: argparse.Namespace) -> int:
    chosen = [command for command in commands() if given.only in command]
    before = time.process_time()
    found = record(chosen)
    sys.stderr.write(f"{len(found)} commands, {time.process_time() - before:.0f} s of processor time\n")
    return keep(given.file, found) if given.asked == "keep" else compare(given, found)


def keep(file: Path, found: dict[str, Record]) -> int:
    """Write the record; what crashed is named, and no difference to it will ever be equal."""
    file.write_text(json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    broken = [command for command, part in found.items() if crashed(part)]
    sys.stderr.writelines(f"crashed: {command}\n" for command in broken)
    return 1 if broken else 0


def compare(given: argparse.Namespace, found: dict[str, Record]) -> int:
    kept = json.loads(given.file.read_text(encoding="utf-8"))
    chosen = {command: part for command, part in kept.items() if given.only in command}
    lines = list(islice(differences(chosen, found, Renames.read(given.renames), given.tolerance), given.most))
    sys.stdout.write("\n".join(lines or ["equal"]) + "\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(run(parsed()))
