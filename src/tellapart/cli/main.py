"""`tellapart`: commands are loaded when called, so that --version and --help cost nothing."""

import importlib
import sys
from typing import Any

import click

from tellapart import __version__
from tellapart.cli.examples import examples
from tellapart.errors import GateFailed, TellapartError, nearest

COMMANDS = {
    "compare": "Is system B different from system A on these items?",
    "plan": "How many items, what effect could be found, how often?",
    "rank": "Which of many systems do these items tell apart?",
    "audit": "Could this published claim have been supported?",
    "evidence": "What do past results say when nothing is known?",
    "reproduce": "Do published tables of power and sample size hold?",
    "calibrate": "Do the default tests and intervals keep what they promise?",
}


class Commands(click.Group):
    """Finds a command in the module of its name, and imports that only to run it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            ctx.fail(f"no command is called {cmd_name!r}; {nearest(cmd_name, COMMANDS)}")
        module = importlib.import_module(f"tellapart.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  (click's signature)
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


EXAMPLES = (
    "tellapart compare scores.csv --a baseline --b candidate",
    "tellapart plan gaussian --sd 0.12 --correlation 0.8 --effect 0.01 --power 0.8",
)


@click.group(
    cls=Commands, epilog=examples(EXAMPLES), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="tellapart")
def group() -> None:
    """Can this evaluation tell these systems apart?"""


def main(arguments: list[str] | None = None) -> None:
    """Run a command; errors become one clear message on stderr and an exit code, never a traceback."""
    try:
        code: Any = group.main(args=arguments, prog_name="tellapart", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        code = 130
    except click.ClickException as error:
        _with_the_right_word(error).show()
        code = error.exit_code
    except GateFailed as error:
        _say(error.told("command line"))
        code = error.exit_code
    except TellapartError as error:
        _say(f"{type(error).__name__}: {error.told('command line')}")
        code = error.exit_code
    except BrokenPipeError:
        # The reader of our output left early (as `head` does): nothing more to say, and nothing failed.
        sys.stderr.close()
        code = 0
    except Exception as error:  # noqa: BLE001  (the last door: whatever happens, no traceback reaches a user)
        _say(f"internal error: {type(error).__name__}: {error}\nPlease report this with the command you ran.")
        code = 4
    sys.exit(code if isinstance(code, int) else 0)


def _with_the_right_word(error: click.ClickException) -> click.ClickException:
    """An error about a flag that has another name here says which."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error
    from tellapart.doors import spelled  # noqa: PLC0415  (only an error needs them)
    from tellapart.spelling import right_option  # noqa: PLC0415

    known = {(one.opts[0]).lstrip("-") for one in error.ctx.command.params}
    right = right_option(error.option_name, known)
    if right is None:
        return error
    said = f"No such option {error.option_name!r}; {spelled(right, 'command line')}"
    return click.UsageError(said, error.ctx)


def _say(message: str) -> None:
    """A message on stderr, broken between words where a person reads it in a terminal."""
    from tellapart.cli.output import screen_of  # noqa: PLC0415  (only an error needs them)
    from tellapart.render.wrapping import wrapped  # noqa: PLC0415

    screen = screen_of(sys.stderr)
    if screen.terminal:
        message = "\n".join(part for line in message.splitlines() for part in wrapped(line, screen.width))
    click.echo(message, err=True)
