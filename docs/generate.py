"""Write docs/populations.md from the registry: `python docs/generate.py`. A test checks that it is up to date."""

import inspect
from pathlib import Path

from tellapart.populations import POPULATIONS, Population
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
    fields = [
        f"| `{o.name}` | {wanted(o)} | {_default(o.required, o.default)} | {o.help} |" for o in options(kind)
    ]
    rows = "\n".join(["| field | takes | default | meaning |", "|---|---|---|---|", *fields])
    planned = f"Planned for {_test(kind)} unless another test is named."
    return (
        "\n\n".join([f"## `{name}`: {kind.label}", str(inspect.getdoc(kind)), planned, rows, _examples(kind)])
        + "\n"
    )


def _test(kind: type[Population]) -> str:
    if not kind.paired:
        return f"`{TESTS.parse(str(kind.test))}`"
    return "the test that `compare` will choose on such scores"


def _examples(kind: type[Population]) -> str:
    if not kind.from_spelling:
        return "    tellapart plan pilot pilot.csv --a base --b new --effect 0.02 --power 0.8 --assurance 0.8"
    return "\n".join(f"    {example}" for example in kind.examples)


def _default(required: bool, default: object) -> str:
    return "required" if required else spell(default)


if __name__ == "__main__":
    (HERE / "populations.md").write_text(populations(), encoding="utf-8")
