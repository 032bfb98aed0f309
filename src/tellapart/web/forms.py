"""HTML form fields generated from the options of a question, with type, range, default and help."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tellapart.foundation.spelling import Option, name_of, options
from tellapart.foundation.surfaces import spell_marks
from tellapart.populations import POPULATIONS
from tellapart.web.request_parsing import Fields, is_flag, repeats
from tellapart.web.served_verbs import NOT_HERE, ONLY_SAVED, Offer, plan_options

FIRST: Mapping[str, tuple[str, ...]] = {
    "plan": ("effect", "items", "power"),
    "compare": ("a", "b", "measure", "metric", "cluster", "margin"),
    "rank": ("baseline", "measure", "metric", "cluster", "margin"),
    "agreement": ("reference_raters", "coefficient", "level"),
    "audit": ("a", "b", "items", "name", "dataset"),
    "fit": ("metric", "measure", "dataset"),
    "describe": (),
}
"""What most people say; the rest is a click away."""
SOLVE_FOR = "Solve for"
SLIDERS: Mapping[str, tuple[float, float, float]] = {
    "accuracy": (0.0, 1.0, 0.01),
    "correlation": (0.0, 0.99, 0.01),
    "discordance": (0.01, 0.6, 0.01),
    "agreement": (0.4, 1.0, 0.01),
    "power": (0.5, 0.99, 0.01),
    "items": (50, 5000, 50),
    "effect": (0.002, 0.2, 0.002),
    "share": (0.0, 1.0, 0.01),
    "ties": (0.0, 0.9, 0.01),
    "mean": (0.0, 1.0, 0.01),
    "sd": (0.01, 1.0, 0.01),
    "icc": (0.0, 1.0, 0.01),
    "zero_share": (0.0, 0.9, 0.01),
    "prevalence": (0.01, 0.99, 0.01),
    "recall": (0.0, 1.0, 0.01),
    "specificity": (0.0, 1.0, 0.01),
}
"""Where a hand moves most: what may be typed beside it has the range that its question says."""


@dataclass(frozen=True)
class Field:
    """One option as a page shows it."""

    name: str
    label: str
    help: str
    value: str
    kind: str
    """text, check, choice or lines."""
    choices: tuple[str, ...] = ()
    placeholder: str = ""
    slider: tuple[float, float, float] | None = None
    problem: str = ""


@dataclass(frozen=True)
class Group:
    title: str
    fields: tuple[Field, ...]
    shown: bool = True


def kinds() -> list[tuple[str, str, str]]:
    """What can be measured, in plain words, the plainest first."""
    order = [
        "paired_binary",
        "gaussian",
        "beta",
        "proportions",
        "ratings",
        "votes",
        "delta_laplace",
        "retrieval",
        "confusion",
    ]
    names = [name for name in order if name in POPULATIONS] + [name for name in POPULATIONS if name not in order]
    return [(name, POPULATIONS[name].label, (POPULATIONS[name].__doc__ or "").partition("\n")[0]) for name in names]


def groups_of(offer: Offer, said: Fields, kind: str = "", at: tuple[str, str] | None = None) -> list[Group]:
    """The fields of a form; `at` is the option that something is wrong with, and what."""

    def made(some: list[Option]) -> tuple[Field, ...]:
        return tuple(_field(one, said.get(one.name, ()), at) for one in some)

    if offer.verb == "plan":
        name = name_of(kind)
        own = [one for one in options(POPULATIONS[name]) if one.name not in NOT_HERE]
        rest = [one for one in plan_options(name) if one.name not in NOT_HERE | ONLY_SAVED]
        mine = tuple(one for one in own if one.name not in FIRST["plan"])
        groups = [Group("What scores are like", made(list(mine)))]
        rest = [one for one in rest if one not in mine]
    else:
        rest, groups = [one for one in offer.options if one.help], []
    first = [one for name in FIRST[offer.verb] for one in rest if one.name == name]
    more = [one for one in rest if one not in first]
    if offer.verb == "plan":
        groups = [Group(SOLVE_FOR, made(first)), *groups]
    elif first:
        groups = [Group("Question", made(first))]
    opened = any(said.get(one.name) for one in more) or (at is not None and at[0] in {one.name for one in more})
    return [*groups, Group("More", made(more), shown=opened)] if more else groups


def _field(one: Option, texts: tuple[str, ...], at: tuple[str, str] | None) -> Field:
    kind = (
        "check"
        if is_flag(one)
        else "lines"
        if repeats(one) and not one.choices
        else "choice"
        if one.choices and not repeats(one)
        else "text"
    )
    default = "" if one.required or one.default in {None, ()} or isinstance(one.default, bool) else str(one.default)
    help_ = spell_marks(one.help, "page")
    if one.range is not None:
        help_ = f"{help_} It should {one.range}."
    return Field(
        one.name,
        one.name.rstrip("_").replace("_", " "),
        help_,
        ("true" if texts else "") if kind == "check" else "\n".join(texts),
        kind,
        one.choices,
        default,
        SLIDERS.get(one.name) if kind == "text" else None,
        at[1] if at is not None and at[0] == one.name else "",
    )


def field_at(offer: Offer, kind: str, message: str) -> str | None:
    """The option that a message is about: the first that it marks, or begins with."""
    known = set(offer.by_name) | ({one.name for one in plan_options(name_of(kind))} if kind else set())
    marked = re.findall("\0option:([a-z_]+)", message)
    words = re.findall(r"^(?:[a-z_]+: )?([a-z_]+)(?: is |=|: )", message)
    typed = re.findall(r"'--([a-z-]+)'", message)
    found = [word.replace("-", "_") for word in [*words, *typed, *marked]]
    return next((word for word in found if word in known), None)
