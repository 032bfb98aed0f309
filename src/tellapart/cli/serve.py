"""`tellapart serve`: a web server with pages and a JSON API for the commands."""

import importlib.util
import json
import webbrowser
from dataclasses import dataclass

import click

from tellapart import web
from tellapart.cli import flags
from tellapart.cli.streams import put, say
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Question, Range, setting
from tellapart.web.limits import ServeLimits

EXAMPLES = ("tellapart serve --open", "tellapart serve --port 9000 --print-openapi")
NEEDED = {"fastapi": "fastapi", "uvicorn": "uvicorn", "python_multipart": "python-multipart"}


@dataclass(frozen=True)
class Listening(Question):
    """Where the server listens, and who may come."""

    port: int = setting(8321, "Port to listen on.", range=Range(least=1, most=65535))
    host: str = setting("127.0.0.1", "Address to listen on; any but this machine's own needs a token.", metavar="H")
    public_url: str | None = setting(
        None, "Its public address behind a proxy, such as https://plans.example.org.", metavar="URL"
    )
    token_file: str | None = setting(
        None,
        "File with the token that callers must send (default: $TELLAPART_TOKEN).",
        metavar="FILE",
    )


@click.command("serve", epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(listening=Listening)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.option("--print-openapi", is_flag=True, help="Print the API's OpenAPI description and exit.")
@flags.question_flags(limits=ServeLimits)
def command(listening: Listening, limits: ServeLimits, open_browser: bool, print_openapi: bool) -> int:
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
        put(json.dumps(web.openapi_document(), indent=2, ensure_ascii=False) + "\n")
        return 0
    place = web.Place(listening.host, listening.port, listening.public_url, web.token_of(listening.token_file))
    address = (
        listening.public_url or f"http://{place.host if ':' not in place.host else f'[{place.host}]'}:{place.port}"
    )

    def ready() -> None:
        say(f"listening: {address} (Ctrl-C ends it)")
        if open_browser:
            webbrowser.open(address)

    return web.serve(place, limits, ready)
