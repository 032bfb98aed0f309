"""`tellapart`: the command group, whose commands are imported on demand so that --version and --help are fast."""

import gc
import importlib
import os
import re
import sys
import warnings
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

import click

from tellapart import __version__
from tellapart.cli import progress
from tellapart.cli.flags import format_examples
from tellapart.cli.grouped_help import RUNNING, GroupedCommand
from tellapart.cli.interrupts import Interrupts
from tellapart.cli.streams import TYPED, give_up, lost, prepare, refuse_undecodable, say, settle
from tellapart.foundation.blas_threads import leave_threads_to_us
from tellapart.foundation.errors import DataError, GateFailed, TellapartError, UsageError
from tellapart.foundation.formatting import shown
from tellapart.foundation.spelling import right_name, right_option
from tellapart.foundation.surfaces import option, spell_marks

COMMANDS = {
    "compare": "Is system B different from system A on these items?",
    "plan": "How many items, what effect could be found, how often?",
    "rank": "Which of many systems do these items tell apart?",
    "score": "How well does one system do, and how sure is that?",
    "agreement": "How far do raters agree?",
    "gate": "Did this change make it worse?",
    "watch": "Has it become worse, at any moment of an endless stream?",
    "example": "Scores to try commands on.",
    "describe": "What is in these files, and what can be asked of them?",
    "formats": "Which file formats can be read?",
    "convert": "Logs of any kind as one tidy table.",
    "audit": "Could this published claim have been supported?",
    "evidence": "What do past results say where you have no numbers?",
    "reproduce": "Do published tables of power and sample size hold?",
    "store": "What does a store of finished work hold?",
    "schema": "What does the JSON of an answer hold?",
    "skill": "How a coding agent uses tellapart.",
    "serve": "A page anyone can open, and an API.",
    "calibrate": "Do the default tests and intervals keep what they promise?",
}


class Commands(click.Group):
    """Finds a command in the module of its name, and imports that only to run it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            ctx.fail(f"no command is called {cmd_name!r}; {right_name('command', cmd_name, COMMANDS)}")
        command: click.Command = import_frozen(f"tellapart.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  (click's signature)
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def import_frozen(name: str) -> Any:
    """A module and all it needs. Nothing of that is garbage: looking for some among it takes a tenth of a short command."""
    if name in sys.modules:  # in a server what lies about by now is garbage, which frozen would stay for good
        return sys.modules[name]
    enabled = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


EXAMPLES = (
    "tellapart compare scores.csv --a baseline --b candidate",
    "tellapart plan gaussian --sd 0.12 --correlation 0.8 --effect 0.01 --power 0.8",
)


@click.group(cls=Commands, epilog=format_examples(EXAMPLES), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tellapart")
def group() -> None:
    """Can this evaluation tell these systems apart?"""


def run(arguments: list[str] | None, interrupts: Interrupts) -> int:
    """Run a command and return its exit code; errors become one clear message on stderr, never a traceback.

    What Python would warn of is for those who run the tests: a user gets notes in the answer.
    """
    try:
        with warnings.catch_warnings():
            if interrupts.owns_process:
                warnings.simplefilter("ignore")
                leave_threads_to_us()
                prepare()
            code = _invoke(sys.argv[1:] if arguments is None else arguments, interrupts)
        settle()
    except Exception as error:  # noqa: BLE001  (the last door: whatever happens, no traceback reaches a user)
        if interrupts.which is not None:
            raise KeyboardInterrupt from None
        message, code = _message_and_code(error)
    else:
        return code
    # Only now what the error held is let go: of a file that filled the memory, all of it.
    give_up()
    _print_error(message)
    return code


def _invoke(arguments: list[str], interrupts: Interrupts) -> int:
    refuse_undecodable(arguments)
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    if "_TELLAPART_COMPLETE" in os.environ:
        group.main(args=arguments, prog_name="tellapart")  # answers the shell, and leaves
    try:
        with group.make_context("tellapart", arguments, obj=interrupts) as context:
            context.meta[TYPED] = arguments
            with progress.progress_bar():
                code = _run_typed(context, arguments)
    except click.exceptions.Exit as done:
        code = done.exit_code
    return code if isinstance(code, int) else 0


def _run_typed(context: click.Context, typed: list[str]) -> Any:
    """Run the command; a refusal gets the command lines that follow its advice."""
    try:
        return group.invoke(context)
    except (UsageError, DataError) as error:
        corrected = import_frozen("tellapart.cli.corrected_commands").corrected_commands
        error.commands = corrected(typed, error.message, context.meta.get(RUNNING))
        raise


def _try_next(commands: Sequence[str]) -> str:
    """Commands to paste, below a refusal."""
    return "\n".join(["\n\nTry:", *(f"  {shown(command)}" for command in commands)]) if commands else ""


def _message_and_code(error: Exception) -> tuple[str, int]:
    """The message of an error, and the exit code."""
    if isinstance(error, BrokenPipeError):
        # The reader of a help page left early: nothing more to say, and nothing failed.
        return "", 0
    if isinstance(error, click.ClickException):
        return _usage(_with_the_right_word(error)), error.exit_code
    if isinstance(error, GateFailed):
        return error.message_for("command line"), error.exit_code
    if isinstance(error, TellapartError):
        said = f"{type(error).__name__}: {error.message_for('command line')}"
        return said + _try_next(error.commands), error.exit_code
    return _unexpected(error)


def _unexpected(error: Exception) -> tuple[str, int]:
    """The message of an unexpected error."""
    if isinstance(error, MemoryError):
        return ("DataError: there is not enough memory. Use fewer items, systems or resamples", 3)
    if isinstance(error, OSError) and error.filename is None:  # help and versions are printed without us
        return f"Unwritten: {lost(error)}", 4
    if isinstance(error, OSError):
        said = f"{error.filename}: {error.strerror or error}. Name another file, or make this one usable"
        return f"ReadError: {shown(said)}", 3
    found = shown(f"{type(error).__name__}: {error}")
    return f"internal error: {found}\nPlease report this with the command you ran.", 4


def _usage(error: click.ClickException) -> str:
    """Click's message about a wrong command line, in one text with printable names."""
    # Where nothing was typed after the command, newer releases of click raise its help; older ones print it.
    if isinstance(error, click.UsageError) and error.ctx and error.message == error.ctx.get_help():
        return error.message
    lines = [f"Error: {shown(error.format_message())}"]
    if isinstance(error, click.UsageError) and error.ctx is not None:
        lines.insert(0, f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} --help' for help.\n")
    return "\n".join(lines) + _try_next(_commands_of(error))


def _commands_of(error: click.ClickException) -> Sequence[str]:
    if isinstance(error, _Misnamed):
        return error.commands
    typed = error.ctx.meta.get(TYPED, []) if isinstance(error, click.UsageError) and error.ctx else []
    corrected: Sequence[str] = import_frozen("tellapart.cli.corrected_commands").corrected_commands(
        typed, error.message
    )
    return corrected


class _Misnamed(click.UsageError):
    """An option that does not exist, with whole commands that name what was meant."""

    def __init__(self, wrong: str, right: str, context: click.Context) -> None:
        super().__init__(f"No such option {wrong!r}; {spell_marks(right, 'command line')}", context)
        renamed = import_frozen("tellapart.cli.corrected_commands").renamed_option
        self.commands: tuple[str, ...] = renamed(context.command, context.meta.get(TYPED, []), wrong, right)


def _with_the_right_word(error: click.ClickException) -> click.ClickException:
    """An error about a flag, or a word for one, that has another name here says which."""
    if isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        return _with_the_right_choice(error, error.param, error.param.type.choices)
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error
    known = {name.lstrip("-").replace("-", "_") for one in error.ctx.command.params for name in one.opts}
    right = right_option(error.option_name, known)
    if right is None:
        return _with_close_options(error, error.ctx)
    return _Misnamed(error.option_name, right, error.ctx)


CLOSE = 0.75
"""Likeness of two names from which on one is offered for the other: `--cost-rater` is no slip for `--clusters`."""


def _with_close_options(error: click.NoSuchOption, context: click.Context) -> click.UsageError:
    typed = error.option_name
    close = [name for name in error.possibilities or () if SequenceMatcher(None, name, typed).ratio() >= CLOSE]
    help_flag = "--help-all" if isinstance(context.command, GroupedCommand) else "--help"
    if close:
        names = (option(name.lstrip("-").replace("-", "_")) for name in close)
        return _Misnamed(typed, f"did you mean {' or '.join(names)}?", context)
    return click.UsageError(f"No such option {typed!r}; {context.command_path} {help_flag} lists them all", context)


def _with_the_right_choice(
    error: click.BadParameter, param: click.Parameter, choices: Sequence[str]
) -> click.BadParameter:
    typed = re.match(r"'(.*)' is not one of ", error.message)
    right = "" if typed is None else right_name(str(param.name), typed[1], choices)
    said = f"{error.message.rstrip('.')}; {right}" if right.startswith("did you mean") else error.message
    return click.BadParameter(said, error.ctx, param, error.param_hint)


def _print_error(message: str) -> None:
    """A message on stderr, wrapped where a person reads it in a terminal."""
    if message and sys.stderr.isatty():
        import_frozen("tellapart.cli.output").say_wrapped(message)
    elif message:
        say(message)
