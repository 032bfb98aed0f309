"""`tellapart serve`: the same questions for those who do not live in a terminal."""

import importlib.util
import json
from dataclasses import dataclass

import click

from tellapart.cli.flags import examples, taking
from tellapart.cli.streams import put, say
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Question, Range, setting
from tellapart.web.limits import ServeLimits

EXAMPLES = ("tellapart serve --open", "tellapart serve --port 9000 --print-openapi")
NEEDED = {"fastapi": "fastapi", "uvicorn": "uvicorn", "python_multipart": "python-multipart"}


@dataclass(frozen=True)
class Listening(Question):
    """Where the server listens, and who may come."""

    port: int = setting(8321, "The port that it listens on.", range=Range(least=1, most=65535))
    host: str = setting(
        "127.0.0.1",
        "The address that it listens on; another than this machine's own wants a token.",
        metavar="H",
    )
    public_url: str | None = setting(
        None, "The address that it has behind a proxy, such as https://plans.example.org.", metavar="URL"
    )
    token_file: str | None = setting(
        None,
        "A file with the token that callers must know (default: TELLAPART_TOKEN of the environment).",
        metavar="FILE",
    )


@click.command("serve", epilog=examples(EXAMPLES))
@taking(listening=Listening)
@click.option("--open", "opened", is_flag=True, help="Open the page in a browser.")
@click.option("--print-openapi", is_flag=True, help="Print what the API takes and gives, and do not listen.")
@taking(limits=ServeLimits)
def command(listening: Listening, limits: ServeLimits, opened: bool, print_openapi: bool) -> int:
    """A page anyone can open, and an API.

    Plans, comparisons, boards and audits in a browser, for whoever sits at this machine, or with a token for a team. No request can name
    a file, an address or a worker of the server; uploads stay in memory and are forgotten with their answer.

    Exit codes: 0 ended by a signal, 2 usage, 4 internal error.
    """
    for module, package in NEEDED.items():
        if importlib.util.find_spec(module) is None:
            raise UsageError(
                f"serve needs {package}, which is not installed here. Install it: pip install 'tellapart[web]'"
            )
    if print_openapi:
        from tellapart.web.openapi import openapi  # noqa: PLC0415  (a server needs it, and no other command)

        put(json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n")
        return 0
    from tellapart.web.server import Place, serve, token_of  # noqa: PLC0415  (as above)

    place = Place(listening.host, listening.port, listening.public_url, token_of(listening.token_file))
    address = (
        listening.public_url
        or f"http://{place.host if ':' not in place.host else f'[{place.host}]'}:{place.port}"
    )

    def ready() -> None:
        say(f"listening: {address} (Ctrl-C ends it)")
        if opened:
            import webbrowser  # noqa: PLC0415  (only where one is wanted)

            webbrowser.open(address)

    return serve(place, limits, ready)
