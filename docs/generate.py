"""Write docs/populations.md from the registry: `python docs/generate.py`. A test checks that it is up to date."""

import inspect
from pathlib import Path

from tellapart.populations import POPULATIONS
from tellapart.significance import TESTS
from tellapart.spelling import options, spell, wanted

HERE = Path(__file__).parent
HEAD = """# Populations

An assumed source of scores, with its true effect: what `tellapart plan` draws from. Generated from the code by `docs/generate.py`; every field is a flag of
`tellapart plan NAME`, and every spelling can be typed back.
"""


def populations() -> str:
    """One section a population: what it assumes, when it is the wrong choice, its fields and the test planned by default."""
    return HEAD + "\n" + "\n".join(_section(name) for name in POPULATIONS)


def _section(name: str) -> str:
    kind = POPULATIONS[name]
    # A wrapper's test is that of what it wraps.
    test = f"`{TESTS.parse(kind.test)}`" if isinstance(kind.test, str) else "the test of what it wraps"
    fields = [
        f"| `{o.name}` | {wanted(o)} | {_default(o.required, o.default)} | {o.help} |" for o in options(kind)
    ]
    rows = "\n".join(["| field | takes | default | meaning |", "|---|---|---|---|", *fields])
    return f"## `{name}`: {kind.label}\n\n{inspect.getdoc(kind)}\n\nPlanned for {test} unless another test is named.\n\n{rows}\n"


def _default(required: bool, default: object) -> str:
    return "required" if required else spell(default)


if __name__ == "__main__":
    (HERE / "populations.md").write_text(populations(), encoding="utf-8")
