"""The home page: a calculator of three sentences whose numbers can be edited, and examples to click."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import click

from tellapart.answers.audit import Audit
from tellapart.answers.plan import Plan
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import TellapartError, UsageError
from tellapart.foundation.formatting import thousands
from tellapart.foundation.spelling import spell
from tellapart.web.command import address, answer_of, message_of
from tellapart.web.examples import EXAMPLES
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job, Refused, WebReply
from tellapart.web.pages import HTML, template
from tellapart.web.request_body import fields_in
from tellapart.web.request_parsing import asked
from tellapart.web.served_verbs import KIND, offers

HOME = "home"
START = {"right": "70", "gain": "2", "old": "70.6", "new": "71.4", "claimed": "1000"}
"""The numbers of the sentences until they are edited: percent, points, percent, percent, items."""
LONGEST_NUMBER = 40

Said = dict[str, str]


@dataclass(frozen=True)
class SentenceEnd:
    """The end of a sentence: the answer with a link to its page, or why there is none."""

    words: str
    link: str = ""
    more: str = ""


def home(job: Job, limits: ServeLimits) -> WebReply:
    """The page with every sentence answered; numbers that cannot be answered are refused beside their sentence."""
    said = START | {name: text.strip() for name, text in fields_in(job.query) if name in START and text.strip()}
    if any(len(text) > LONGEST_NUMBER for text in said.values()):
        raise Refused(400, f"found a number of more than {LONGEST_NUMBER} characters")
    outcomes = {
        "needed": _sentence_end(_items_needed, said, limits),
        "supported": _sentence_end(_claim_supported, said, limits),
    }
    page = template("home.html.j2").render(said=said, outcomes=outcomes, examples=EXAMPLES, verb=HOME)
    return WebReply(200, HTML, page.encode())


def _sentence_end(answered: Callable[[Said, ServeLimits], SentenceEnd], said: Said, limits: ServeLimits) -> SentenceEnd:
    try:
        return answered(said, limits)
    except TellapartError as error:
        return SentenceEnd(error.message_for("page"))
    except click.ClickException as error:
        return SentenceEnd(message_of(error))


def _items_needed(said: Said, limits: ServeLimits) -> SentenceEnd:
    """The items that show a gain at an accuracy."""
    fields = {"accuracy": _share_text(said["right"]), "effect": _points_text(said["gain"]), "power": "0.8"}
    question = asked(offers()["plan"], [(KIND, "paired_binary"), *fields.items()], (), limits)
    row = cast("Plan", answer_of(question, limits)).rows[0]
    more = "with 80 % power at alpha 0.05"
    if row.solved_low is not None and row.solved_high is not None and math.isfinite(row.solved_high):
        more += (
            f"; {thousands(int(row.solved_low))} to {thousands(int(row.solved_high))} as pairs of past systems overlap"
        )
    return SentenceEnd(f"{thousands(row.items)} items", address(question), more)


def _claim_supported(said: Said, limits: ServeLimits) -> SentenceEnd:
    """Whether the items of a published claim could have shown it."""
    fields = {"a": _share_text(said["old"]), "b": _share_text(said["new"]), "items": said["claimed"].replace(",", "")}
    question = asked(offers()["audit"], fields.items(), (), limits)
    answer = cast("Audit", add_text(answer_of(question, limits), "page"))
    return SentenceEnd(answer.headline, address(question))


def _share_text(text: str) -> str:
    """A percentage as a fraction; a number up to 1 without a sign is a fraction already.

    >>> _share_text("70"), _share_text("70.6 %"), _share_text("0.7")
    ('0.7', '0.706', '0.7')
    """
    value = _typed_number(text)
    return spell(value if value <= 1 and "%" not in text else round(value / 100, 12))


def _points_text(text: str) -> str:
    return spell(round(_typed_number(text) / 100, 12))


def _typed_number(text: str) -> float:
    try:
        value = float(text.strip().removesuffix("points").removesuffix("%").replace("\u2212", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{text!r} is no number; write one such as 70 or 2.5")
    return value
