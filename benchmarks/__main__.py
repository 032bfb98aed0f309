"""`make bench`: our time beside a peer's in the same run, as a ratio. Never a timed test: machines differ, ratios hold."""

import importlib
import pkgutil
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table


def benchmarks() -> list[str]:
    return sorted(
        m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if not m.name.startswith("_")
    )


def main(wanted: list[str]) -> None:
    table = Table(title="our CPU seconds beside the peer's", title_justify="left")
    for name in ("what", "ours", "peer", "peer / ours", "target"):
        table.add_column(name, justify="left" if name in {"what", "target"} else "right")
    for name in wanted or benchmarks():
        for what, ours, peer, target in importlib.import_module(f"benchmarks.{name}").rows():
            table.add_row(what, f"{ours:.5f}", f"{peer:.5f}", f"{peer / ours:,.2f}", target)
    Console(width=150).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
