"""Every chart of every kind of answer, drawn from the bundled examples and the golden cases."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.golden.cases import ANSWERS, made  # noqa: E402  (found beside this folder)
from tests.golden.drawn import DRAWN  # noqa: E402  (found beside this folder)

from tellapart.answers.drawing import caption, chart  # noqa: E402
from tellapart.answers.drawing.files import written  # noqa: E402
from tellapart.answers.drawing.theme import ready  # noqa: E402

HEAD = """# Gallery

Every chart that an answer can have, the first of each kind. On the command line `--chart FILE` draws the first, `--chart NAME=FILE` another (`.svg`, `.png`, `.pdf`, or
`.json` for Vega-Lite); in Python `answer.charts` names them and `answer.chart(name)` gives one to restyle. A notebook shows
it without a network; one that was restyled, after `altair.renderers.enable("svg")`.
"""


def drawn() -> Iterator[tuple[str, str, str, bytes]]:
    """Kind, name, caption and picture of the first of each chart."""
    if not ready():
        raise SystemExit("the gallery draws charts: pip install 'tellapart[plot]'")
    seen = set()
    for case in (*ANSWERS, *DRAWN):
        answer = made(case)
        for name in answer.charts:
            if (answer.kind, name) not in seen:
                seen.add((answer.kind, name))
                yield answer.kind, name, caption(answer, name), written(chart(answer, name), ".svg")


def page(folder: Path) -> str:
    """The page, its pictures written into a folder beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    parts, before = [HEAD], ""
    for kind, name, said, picture in sorted(drawn(), key=lambda one: one[0]):
        (folder / f"{kind}-{name}.svg").write_bytes(picture)
        title = [] if kind == before else [f"## {kind.replace('_', ' ').capitalize()}"]
        parts += [*title, f"### `{name}`", f"![{_plain(said)}]({folder.name}/{kind}-{name}.svg)", said]
        before = kind
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace("\n", " ")
