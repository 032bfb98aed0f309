"""HTML pages of the server: forms for questions, tables and charts for answers; they work without scripts."""

import re
from dataclasses import replace
from functools import cache
from typing import Any

import click
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from tellapart.answers.answer import Answer
from tellapart.answers.arena import Arena
from tellapart.answers.comparison import Comparison
from tellapart.answers.drawing import chart, names
from tellapart.answers.drawing.files import written
from tellapart.answers.drawing.theme import ready
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.page import page_of
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import TellapartError, UsageError
from tellapart.foundation.formatting import printable, thousands
from tellapart.foundation.spelling import name_of
from tellapart.foundation.surfaces import fixes_named
from tellapart.populations import POPULATIONS
from tellapart.render import render
from tellapart.render.html import SIGNS, figures, report
from tellapart.render.screen import with_command
from tellapart.web import command as take
from tellapart.web.command import answer_of, message_of
from tellapart.web.examples import EXAMPLE, example
from tellapart.web.explorer import OVERLAPS, curves, known_of, knows_overlap, solved_of, started
from tellapart.web.forms import field_at, groups_of, kinds
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job, WebReply, status_of
from tellapart.web.previews import FIND, FIRST, LOOK, Look, holding, next_look, simulated, sought
from tellapart.web.python_snippets import python
from tellapart.web.request_body import Uploaded, body_of, fields_in
from tellapart.web.request_parsing import WebQuestion, asked
from tellapart.web.served_verbs import FILES, KIND, PILOT, Offer, offers

HTML = "text/html; charset=utf-8"
DOWNLOAD = "download"
PASTED = "pasted.csv"
FIRST_KIND = "paired_binary"
TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "markdown": "text/markdown",
}
ENDINGS = {"markdown": "md"}
_BESIDE = frozenset((DOWNLOAD, FIND, LOOK, EXAMPLE, "pasted", "part"))
"""What a page says beside the fields of its question."""


@cache
def template(name: str) -> Template:
    pages = Environment(
        loader=PackageLoader("tellapart.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters |= {"unstyled": _unstyled, "with_command": with_command}
    return pages.get_template(name)


def _unstyled(svg: str) -> str:
    """A picture without a width of its own: the policy of the page takes none, and its style has one for all."""
    return re.sub(r'(<svg\b[^>]*?) style="[^"]*"', r"\1", svg)


def page(job: Job, limits: ServeLimits) -> WebReply:
    """The page of a verb, with its answer where something is asked."""
    offer = offers()[job.verb]
    state = _State(offer, job)
    try:
        state.read(limits)
        if job.refused:
            state.give_up()
        if state.question is not None:
            state.answer = _answer(state.looked, limits, simulate=job.simulate)
        if state.download and state.question is not None and state.answer is not None:
            return _downloaded(state.looked, state.answer, state.download)
    except (click.ClickException, TellapartError) as error:
        state.refuse(error)
    except _NotFromElsewhere:
        state.waiting = True
    name = "answer.html.j2" if job.form == "part" else "verb.html.j2"
    return WebReply(state.status, HTML, template(name).render(**state.shown()).encode())


class _NotFromElsewhere(Exception):
    """A plan that must be simulated, asked by a link from another site."""


class _State:
    """What a page shows."""

    def __init__(self, offer: Offer, job: Job) -> None:
        self.offer, self.job = offer, job
        self.fields: dict[str, tuple[str, ...]] = {}
        self.kind = FIRST_KIND if offer.verb == "plan" else ""
        self.question: WebQuestion | None = None
        self.look = Look()
        self.find = ""
        self.answer: Answer | None = None
        self.problem, self.download, self.example = "", "", ""
        self.at: tuple[str, str] | None = None
        self.fixes: list[tuple[str, str]] = []
        self.waiting, self.status = False, 200

    def read(self, limits: ServeLimits) -> None:
        """What was said in the address and in the form."""
        self.find = sought(self.job.query)
        body = body_of(self.job.content_type, self.job.body, limits)
        pairs = [*fields_in(self.job.query), *body.fields]
        said = [(name, text) for name, text in pairs if name not in _BESIDE]
        self.download = next((text for name, text in pairs if name == DOWNLOAD), "")
        self.fields = {}
        for name, text in said:
            self.fields[name] = (*self.fields.get(name, ()), text)
        self.kind = (self.fields.pop(KIND, ()) or (self.kind,))[0]
        if self.offer.verb == "plan":
            self.fields = started(self.kind, self.fields)
        files = body.files
        pasted = next((text for name, text in pairs if name == "pasted"), "")
        if pasted.strip():
            files = (*files, Uploaded(FILES, PASTED, pasted.encode()))
        self.example = next((text for name, text in pairs if name == EXAMPLE), "") if not files else ""
        if self.example:
            files = (Uploaded(FILES, f"{self.example}.csv", example(self.example).text().encode()),)
        lines = [(name, line) for name, texts in self.fields.items() for text in texts for line in text.splitlines()]
        kind = [(KIND, self.kind)] if self.offer.verb == "plan" else []
        if self.offer.options and not lines and not files:
            return
        self.question = asked(self.offer, [*kind, *lines], files, limits)
        self.look = Look.of(pairs, hurried=self.job.hurried and not self.download)

    @property
    def looked(self) -> WebQuestion:
        """The question that is answered for now."""
        assert self.question is not None, "asked for where something was asked"
        return self.look.at(self.question)

    def refuse(self, error: Exception) -> None:
        self.status = 400 if isinstance(error, click.ClickException) else int(status_of(error))
        marked = error.message if isinstance(error, TellapartError) else message_of(error)
        said = error.message_for("page") if isinstance(error, TellapartError) else message_of(error)
        self.fixes = [
            (name, value)
            for name, value in fixes_named(marked)
            if (name in self.offer.by_name and name not in {"a", "b"})
            or (name == "verb" and value in offers() and self.offer.files)
        ]
        known = self.kind if self.kind and _is_known(self.kind) else FIRST_KIND
        name = field_at(self.offer, known if self.offer.verb == "plan" else "", marked)
        self.problem, self.at = said, None if name is None else (name, said)

    def give_up(self) -> None:
        """What was asked takes too much here, and is not asked again; it stays in its form."""
        question, self.question = self.question, None
        self.status = self.job.refused_with
        said = self.job.refused
        self.problem = said if question is None else take.elsewhere(said, question)

    def shown(self) -> dict[str, Any]:
        plan = self.offer.verb == "plan"
        kind = self.kind if not plan or _is_known(self.kind) else FIRST_KIND
        return {
            "verb": self.offer.verb,
            "path": self.offer.path,
            "doc": self.offer.doc,
            "kinds": kinds() if plan else [],
            "kind": kind,
            "groups": groups_of(self.offer, self.fields, kind, self.at) if self.offer.options else [],
            "example": self.example,
            "solve": solved_of(self.fields) if plan else "",
            "known": known_of(self.fields) if plan and knows_overlap(kind) else "",
            "overlaps": OVERLAPS,
            "curves": curves(self.answer),
            "files": self.offer.files if not plan else (FILES,) if kind == PILOT else (),
            "problem": self.problem,
            "fixes": self.fixes,
            "asked": "" if self.answer is None or not self.offer.needs_files else _asked_of(self.answer),
            "at": self.at,
            "waiting": self.waiting,
            **self._searched(self._parts_for_job()),
        }

    def _parts_for_job(self) -> dict[str, Any]:
        """The parts of the answer; a page that draws by itself is sent no pictures."""
        by_script = self.job.form == "part" and curves(self.answer) is not None
        return _answered(self.question, self.look, self.answer, self.example, by_script=by_script)

    def _searched(self, found: dict[str, Any]) -> dict[str, Any]:
        """A list that asks for nothing can be searched: what is shown is what holds the text."""
        if self.offer.options or found["answer"] is None:
            return found | {"searched": False}
        content = holding(found["answer"], self.find)
        rows = sum(len(grid.rows) for grid in content.grids)
        return found | {"searched": True, "answer": content, "find": self.find, "rows": rows}


def _is_known(kind: str) -> bool:
    return name_of(kind) in list(POPULATIONS)


def _link(question: WebQuestion, example_name: str) -> str:
    """The address of a question; uploaded files have none."""
    if example_name:
        return f"{take.address(question)}&{EXAMPLE}={example_name}".replace("?&", "?")
    return "" if question.files else take.address(question)


def _answered(
    question: WebQuestion | None, look: Look, answer: Answer | None, example_name: str, *, by_script: bool
) -> dict[str, Any]:
    """The parts of the answer, as a page has them."""
    if question is None or answer is None:
        return {"answer": None, "link": "", "look": None}
    told = add_text(answer, "page")
    content = page_of(told, take.command(question))
    drawn = () if by_script else figures(told)
    pictures = ("svg", "png") if (drawn or by_script) and ready() else ()
    rows = ("csv",) if question.offer.verb != "compare" else ()
    looked = look.at(question) if simulated(answer) else question
    return {
        "answer": content,
        "sign": SIGNS[content.tone],
        "figures": drawn,
        "command": take.command(looked),
        "python": python(looked, rated=_is_rated(answer)),
        "link": _link(question, example_name),
        "looked": _link(looked, example_name),
        "look": None if looked == question else look.replicates,
        "next_look": "" if looked == question else next_look(look.replicates or FIRST),
        "downloads": ("html", "json", *rows, "markdown", *pictures),
        "simulated": simulated(answer),
    }


def _asked_of(answer: Answer) -> str:
    """What was asked in one line, for a form that is folded."""
    if isinstance(answer, Comparison):
        return f"{thousands(answer.items)} items · {printable(answer.a.name)} → {printable(answer.b.name)}"
    if isinstance(answer, Leaderboard):
        return f"{thousands(answer.items)} items · {thousands(len(answer.systems))} systems"
    if isinstance(answer, Arena):
        return f"{thousands(answer.votes)} votes · {thousands(len(answer.systems))} systems"
    return "Files and question"


def _is_rated(answer: Answer) -> bool:
    """Whether a plan is one of raters, which a pilot of ratings is too."""
    return any(name_of(getattr(row, "population", "")) == "ratings" for row in getattr(answer, "rows", ()))


def _answer(question: WebQuestion, limits: ServeLimits, *, simulate: bool) -> Answer:
    """The answer; a link from elsewhere is answered by formula or by an exact sum, and not by hours of simulation."""
    if simulate or question.offer.verb != "plan":
        return answer_of(question, limits)
    for engine in ("formula", "exact"):
        if question.fields.get("engine", (engine,)) != (engine,):
            continue
        try:
            return replace_engine(question, engine, limits)
        except UsageError:
            continue
    raise _NotFromElsewhere


def replace_engine(question: WebQuestion, engine: str, limits: ServeLimits) -> Answer:
    return answer_of(replace(question, fields={**question.fields, "engine": (engine,)}), limits)


def _downloaded(question: WebQuestion, answer: Answer, form: str) -> WebReply:
    """The answer as a file to keep; a page of it is never shown here, where it would be one of ours."""
    told = add_text(answer, "command line")
    if form in {"svg", "png"}:
        if not names(told) or not ready():
            raise UsageError("this answer has no chart")
        content = written(chart(told), f".{form}")
    elif form == "html":
        content = report(told, take.command(question)).encode()
    elif form in {"json", "csv", "markdown"}:
        content = render(told, form).encode()
    else:
        raise UsageError(f"{form[:20]!r} is no format here; formats: {', '.join(TYPES)}")
    name = re.sub(r"[^a-z_]", "", answer.kind)
    return WebReply(200, TYPES[form], content, f"tellapart-{name}.{ENDINGS.get(form, form)}")
