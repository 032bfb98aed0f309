"""Whole command lines that follow the fixes a refusal names, ready to be pasted."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from tellapart.foundation.surfaces import NamedOption, named_options, named_verbs, spell_marks

OF_FILES = frozenset(("agreement", "compare", "describe", "rank", "score"))
"""Commands that take nothing but files, if nothing else is said."""
MOST = 3
"""Commands printed below one refusal."""
_MEANT = re.compile(r"did you mean ('[^?]+)\?")
_PERCENT = re.compile(r"([\d.]+) % is (0\.\d+)")
_PLACEHOLDER = re.compile("…|^FILE$|=name$|^M($|:)")


def corrected_commands(typed: list[str], message: str, command: click.Command | None = None) -> tuple[str, ...]:
    """What was typed, changed as a message with marks says: a word respelled, an option added, replaced or left out.

    An option at a value that is only an example is added where the message says nothing surer.
    """
    if "--" in typed:
        return ()
    named = _consistent(named_options(message))
    foreign = [few for few in named if len(few) > 1 and command and not _option_called(command, few[0].name)]
    others = [*_of_other_verbs(typed, message, foreign)]
    lines = [*_respelled(typed, spell_marks(message, "command line")), *others]
    if command is not None:
        surer = [*_with_options(command, typed, [few for few in named if not few[0].example])]
        lines = [*others, *surer] if foreign else [*surer, *lines]
        examples = [*_with_options(command, typed, [few for few in named if few[0].example])]
        return _command_lines(typed, lines) or _command_lines(typed, examples)
    return _command_lines(typed, lines)


def renamed_option(command: click.Command, typed: list[str], wrong: str, message: str) -> tuple[str, ...]:
    """What was typed, with the options that the message names in place of one that does not exist."""
    places = [place for place, word in enumerate(typed) if word.partition("=")[0] == wrong]
    if len(places) != 1:
        return ()
    before, word, after = typed[: places[0]], typed[places[0]], typed[places[0] + 1 :]
    told = bool(after) and not after[0].startswith("-") and not Path(after[0]).exists()
    lines = []
    for options in named_options(message):
        name, value = options[0].name, options[0].value
        param = _option_called(command, name)
        if param is None or (not param.multiple and any(word in param.opts for word in typed)):
            continue
        if value is None and not param.is_flag:
            lines.append([*before, _flag(name) + word.removeprefix(wrong), *after])
        else:
            lines.append([*before, _flag(name), *([value] if value else []), *after[told:]])
    return _command_lines(typed, lines)


def _command_lines(typed: list[str], lines: list[list[str]]) -> tuple[str, ...]:
    """Each line once, and none that was typed."""
    new = [line for line in dict.fromkeys(map(tuple, lines)) if line != tuple(typed)]
    return tuple(shlex.join(["tellapart", *line]) for line in new[:MOST])


def _respelled(typed: list[str], message: str) -> Iterator[list[str]]:
    """With the words that are meant in place of one that is not known."""
    for wrong, share in _PERCENT.findall(message):
        yield [_replaced(word, wrong, share) for word in typed]
    if (found := _MEANT.search(message)) is None:
        return
    values = {value for word in typed for value in (word.rpartition("=")[2], *re.split("[=,:]", word))}
    wrong = next((word for word in re.findall(r"'([^']+)'", message[: found.start()]) if word in values), None)
    for meant in re.findall(r"'([^']+)'", found[1]) if wrong else ():
        yield [_replaced(word, wrong or "", meant) for word in typed]


def _replaced(word: str, wrong: str, meant: str) -> str:
    """The word that is meant: alone, behind an equals sign, between commas, or before the margin of a measure."""
    return re.sub(rf"(^|[=,]){re.escape(wrong)}($|[:,])", lambda found: f"{found[1]}{meant}{found[2]}", word)


def _of_other_verbs(typed: list[str], message: str, foreign: list[tuple[NamedOption, ...]]) -> Iterator[list[str]]:
    """The same files asked about otherwise, where nothing but files was typed; with options that this command does not have."""
    if any(word.startswith("-") for word in typed):
        return
    options = [word for few in foreign[:1] for one in few for word in (_flag(one.name), one.value or "")]
    yield from ([name, *typed[1:], *options] for name in named_verbs(message) if name in OF_FILES)


def _consistent(named: list[tuple[NamedOption, ...]]) -> list[tuple[NamedOption, ...]]:
    """Without leaving out an option that the same message wants beside another: of texts, a metric beside their reference."""
    beside = {one.name for few in named if len(few) > 1 for one in few}
    return [few for few in named if len(few) > 1 or not (few[0].left_out and few[0].name in beside)]


def _with_options(
    command: click.Command, typed: list[str], named: list[tuple[NamedOption, ...]]
) -> Iterator[list[str]]:
    for options in named:
        line: list[str] | None = typed
        for one in options:
            line = None if line is None else _changed(command, line, one)
        if line is not None:
            yield line


def _changed(command: click.Command, typed: list[str], fix: NamedOption) -> list[str] | None:
    """The words with one option changed; None where the message leaves its value open, or the command does not have it."""
    param = _option_called(command, fix.name)
    if param is None or _PLACEHOLDER.search(fix.value or ""):
        return None
    if fix.left_out:
        return _without(typed, param)
    if fix.value is None:
        return [*typed, _flag(fix.name)] if param.is_flag and _without(typed, param) == typed else None
    if fix.value in typed:
        return typed
    return [*_without(typed, param, fix.value if param.multiple else None), _flag(fix.name), fix.value]


def _without(typed: list[str], param: click.Option, said_anew: str | None = None) -> list[str]:
    """The words without an option; of one that may be given several times, without what `said_anew` says of the same name."""
    kept, words = [], iter(typed)
    for word in words:
        flag, equals, value = word.partition("=")
        whole = [word]
        if flag in param.opts and not equals and not param.is_flag:
            value = next(words, "")
            whole.append(value)
        if flag not in param.opts or (said_anew is not None and not _of_same_name(value, said_anew)):
            kept += whole
    return kept


def _of_same_name(value: str, anew: str) -> bool:
    """Of role=name both are about one role; a value without a name was not understood.

    >>> _of_same_name("item=q", "item=id"), _of_same_name("item", "item=id"), _of_same_name("system=m", "item=id")
    (True, True, False)
    """
    return "=" in anew and ("=" not in value or value.partition("=")[0] == anew.partition("=")[0])


def _option_called(command: click.Command, name: str) -> click.Option | None:
    return next((one for one in command.params if isinstance(one, click.Option) and _flag(name) in one.opts), None)


def _flag(name: str) -> str:
    return f"--{name.rstrip('_').replace('_', '-')}"
