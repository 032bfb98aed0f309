"""`tellapart serve`: web pages and a JSON API for the commands. Every request takes one path:

    connections ─▶ access ─▶ app ──Job──▶ pool ──▶ worker: request_body ─▶ request_parsing ─▶ command ─▶ Answer ─▶ JSON or page ──WebReply──▶ app

The server process parses nothing of a request but its head: `access` decides who may ask, `app` counts the bytes of the body and passes
them on. A worker is a process of its own that can be killed. It reads the body (`request_body`), turns it into the words of a command
line (`request_parsing`) and runs that command (`command`) with uploaded files in place of the disk, behind a wall (`worker`) that refuses
files, addresses and programs. So answers and errors are those of the command line, and a page shows the command that was run.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.web.openapi import openapi_document
    from tellapart.web.server import Place, serve, token_of

__all__ = ["Place", "openapi_document", "serve", "token_of"]
__getattr__ = lazy_names(__name__)
