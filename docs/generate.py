"""Write docs/populations.md, docs/formats.md and docs/metrics.md from the registries, and the limits into SECURITY.md and docs/serve.md.

Run `python docs/generate.py`; a test checks that they are up to date.
"""

import dataclasses
import inspect
import re
from pathlib import Path

from tellapart.foundation.spelling import options, spell, wanted
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS, Metric
from tellapart.populations import POPULATIONS, Population
from tellapart.readers import FORMATS
from tellapart.readers.format import Log, TableKind
from tellapart.readers.storage.limits import Limits
from tellapart.web.limits import ServeLimits

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
    fields = [f"| `{o.name}` | {wanted(o)} | {_default(o.required, o.default)} | {o.help} |" for o in options(kind)]
    rows = "\n".join(["| field | takes | default | meaning |", "|---|---|---|---|", *fields])
    planned = f"Planned for {_test(kind)} unless another test is named."
    return "\n\n".join([f"## `{name}`: {kind.label}", str(inspect.getdoc(kind)), planned, rows, _examples(kind)]) + "\n"


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


FORMATS_HEAD = """# Formats

What can be read, generated from the code by `docs/generate.py`. A file is recognised by its content, also when renamed or gzipped. `tellapart describe FILE`
shows what is in a file and what to type next; `--as NAME` decides if the content does not show it; `tellapart convert` writes any of them as one tidy table.

- Where a file holds several measures or varies beside them, one is picked: `--measure`, `--dataset`, `--where axis=value`. Nobody guesses.
- null, NaN and what is absent are missing; exceptions, timeouts and what was never judged are errors. Neither is 0; `--errors zero` counts errors as 0.
- Logs of evaluations that did not come to their end are refused; `--partial` reads what there is of them.
- Two runs of one system on one dataset are two systems where they are the two files given; else `--same-system separate|repeat|latest` says what they are.
- Folders are walked in the order of names; links out of them, pipes and devices are skipped. `.gz`, `.zst` and zip are read without unpacking them to disk.

Limits, each raised by `--limit NAME=N`: """


def formats() -> str:
    """One row per format, and a section for each that a program writes."""
    limits = ", ".join(f"{f.name} {f.default:,}" for f in dataclasses.fields(Limits))
    kinds = [FORMATS[name] for name in FORMATS]
    logs = [kind for kind in kinds if issubclass(kind, Log)]
    rows = [f"| `{k.name}` | {k.program} | {k.items} | {', '.join(a.name for a in k.axes) or '–'} |" for k in logs]
    table = "\n".join(["| format | written by | item | `--where` |", "|---|---|---|---|", *rows])
    tables = "\n".join(f"- `{k.name}` ({k.label}): {_about(k)}" for k in kinds if k.plain_table)
    told = "\n".join(f"- `{k.name}` ({k.label}): {_about(k)}" for k in kinds if issubclass(k, TableKind))
    sections = "\n".join(f"## `{k.name}`: {k.label}\n\n{inspect.getdoc(k)}\n" for k in logs)
    return f"{FORMATS_HEAD}{limits}.\n\nTables of any origin:\n\n{tables}\n\nTables whose columns say what they are, and runs of retrieval:\n\n{told}\n\nLogs of evaluation programs:\n\n{table}\n\n{sections}"


def _about(kind: type) -> str:
    return " ".join(str(inspect.getdoc(kind)).split("\n\n")[0].split())


METRICS_HEAD = """# Metrics

How items become one number, generated from the code by `docs/generate.py`. Every field is an option of the spelling: `--metric "chrf(words=2)"`.

A metric is a function of mean parts. They are columns of a table, or they are counted:

- from text files, one system each and one segment per line (split at line feeds, blanks at the end removed, items are line numbers), beside references:
  `tellapart compare a.txt b.txt --reference ref.txt --metric bleu`; `--reference` may be repeated, `--documents FILE` names the document of each line, which
  makes clusters. Or from columns `hypothesis` and `reference` of a table. sacrebleu counts (`pip install 'tellapart[mt]'`), and its signature is in the answer.
- from columns `label` and `prediction`, one row per system and item. Averages are over the classes of the labels, so that a system's score depends on no
  other system; a prediction outside them is wrong, and a note gives scikit-learn's number. A blank prediction is missing.

Scores remember what they were counted for, and other counting options are refused: read the files again. COMET, BLEURT and the like are plain scores per segment:
a column, and `mean`.

**Before there are outputs to compare.** `tellapart plan pilot a.txt b.txt --reference ref.txt --metric bleu --effect 1` plans from outputs of systems like those to
come. `tellapart evidence fit a.txt b.txt … --reference ref.txt --metric bleu --output mine.json` keeps what such outputs say of every pair: its effect, the share of
items that contribute nothing when they are swapped, the scale of the others by their second moment (Card's likelihood fit beside it), and how well single swaps add
up. `tellapart plan delta_laplace --effect 1 --evidence mine.json --items 2000` takes both from there, or from `card2020_bleu` (BLEU near 40) and `wmt17_ende` (near 26).

**Where influence fails.** Tests and intervals of a metric that is no mean follow each item's influence on it. At a kink that misleads: BLEU's brevity penalty, a
rare class. `compare` swaps every item alone, and 256 times many together; where joint swaps correlate below .999 with the sums of single ones, it swaps and draws
items again instead (`permutation`, `bootstrap`), and says why. With labels of two classes the permutation is exact. `rank` works on influence and names such
pairs. Simulated evaluations of a plan are taken for straight.

**Few, very long or rare.** Resamples alone of fewer than 200 items claim too much of such a metric: their 95 % interval of BLEU holds the truth 88 to 93 % of the time at 30
segments. Student's t on influence must then agree too, and the interval is the wider of both: 94 to 96 %. Where systems differ on few items, or few items, much longer than the
others or of a rare class, hold most of the metric, degrees of freedom are those of the items that tell. Measured at 30, 100 and 300 segments of WMT17 (as they are, 1 in 100 sixty times as
long, 15 in 100 without a hypothesis, 19 in 20 the same in both systems) and on classes of 3 and 10 in 100 items, the default then claims equal systems apart 2 to 7 times in 100. Two things
stay: where fewer than ten items tell, intervals hold the truth 88 % of the time, and of a class with fewer than ten labels hardly anything is known, which a note says.
"""


def metrics() -> str:
    """One section per metric: what it is and when it is the wrong choice, its parts, direction and options."""
    return METRICS_HEAD + "\n" + "\n".join(_metric(METRICS[name]) for name in METRICS)


def _metric(kind: type[Metric]) -> str:
    facts = [
        f"- parts: {', '.join(f'`{part}`' for part in kind().parts())}",
        f"- counted from: {' and '.join(f'`{column}`' for column in kind.counted_from) or 'nothing else'}",
        f"- better: {('lower' if kind.lower_is_better else 'higher') if kind.knows_direction else 'higher, or as the scores say'}",
    ]
    rows = [f"| `{o.name}` | {wanted(o)} | {spell(o.default)} | {o.help} |" for o in options(kind)]
    table = ["\n".join(["| option | takes | default | meaning |", "|---|---|---|---|", *rows])] if rows else []
    return "\n\n".join([f"## `{kind.name}`", str(inspect.getdoc(kind)), "\n".join(facts), *table]) + "\n"


LIMITS_MEANT = {
    "bytes": "bytes of a file, once unpacked",
    "line": "bytes of a line, or characters of a field of a table",
    "record": "characters of a JSON record, or bytes of a tag of XML",
    "columns": "columns of a table",
    "nesting": "brackets of JSON, or elements of XML, within each other",
    "ratio": "times its size that an archive may unpack to, beyond 64 MiB",
    "members": "files of an archive",
    "entries": "files of a folder",
    "depth": "folders within folders",
}


def reader_limits() -> str:
    """The section of SECURITY.md about files."""
    rows = [f"| `{f.name}` | {f.default:,} | {LIMITS_MEANT[f.name]} |" for f in dataclasses.fields(Limits)]
    table = "\n".join(["| `--limit NAME=N` | usual | of what |", "|---|---|---|", *rows])
    return f"What is more is refused, and the refusal names the limit (`limits={{...}}` in Python).\n\n{table}\n"


def server_limits() -> str:
    """The section of docs/serve.md about requests."""
    rows = [
        f"| `--{one.name.replace('_', '-')}` | {_amount(one.default)} | {one.help} |" for one in options(ServeLimits)
    ]
    return "\n".join(["| flag | usual | meaning |", "|---|---|---|", *rows]) + "\n"


def _amount(value: object) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:g}"


def with_section(page: str, heading: str, body: str) -> str:
    """The page with what stands below a heading replaced, up to the next of its rank."""
    pattern = rf"(\n{re.escape(heading)}\n\n).*?(?=\n## |\Z)"
    return re.sub(pattern, lambda found: found[1] + body, page, count=1, flags=re.DOTALL)


SECTIONS = {
    HERE.parent / "SECURITY.md": {
        "## Limits of files": reader_limits,
    },
    HERE / "serve.md": {"## Flags of limits": server_limits},
}
"""Sections that are generated, of pages that are not."""


def up_to_date(path: Path) -> str:
    """The page with its generated sections as the code has them."""
    page = path.read_text(encoding="utf-8")
    for heading, body in SECTIONS[path].items():
        page = with_section(page, heading, body())
    return page


if __name__ == "__main__":
    (HERE / "metrics.md").write_text(metrics(), encoding="utf-8")
    (HERE / "populations.md").write_text(populations(), encoding="utf-8")
    (HERE / "formats.md").write_text(formats(), encoding="utf-8")
    for path in SECTIONS:
        path.write_text(up_to_date(path), encoding="utf-8")
