"""`make bench`: our time beside a peer's in the same run, as a ratio. Never a timed test: machines differ, ratios hold.

Each benchmark has a process of its own, so that no peer's memory or threads weigh on the next.
"""

import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROWS_ONLY = "--rows"


def benchmarks() -> list[str]:
    return sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if not m.name.startswith("_"))


def main(wanted: list[str]) -> None:
    table = Table(title="ours beside the peer: CPU seconds, unless a row says otherwise", title_justify="left")
    for name in ("what", "ours", "peer", "peer / ours", "target"):
        table.add_column(name, justify="left" if name in {"what", "target"} else "right")
    for name in wanted or benchmarks():
        for what, ours, peer, target in _measured(name):
            table.add_row(what, f"{ours:.5f}", f"{peer:.5f}", f"{peer / ours:,.2f}", target)
    Console(width=150).print(table)


def _measured(name: str) -> list[tuple[str, float, float, str]]:
    command = [sys.executable, "-m", "benchmarks", ROWS_ONLY, name]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [tuple(row) for row in json.loads(found.splitlines()[-1])]


if __name__ == "__main__":
    if sys.argv[1:2] == [ROWS_ONLY]:
        print(json.dumps(importlib.import_module(f"benchmarks.{sys.argv[2]}").rows()))
    else:
        main(sys.argv[1:])
