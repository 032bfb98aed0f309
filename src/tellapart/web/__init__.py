"""A page anyone can open, and an API: `tellapart serve`. One way in, one way out:

    connections ─▶ access ─▶ app ──Job──▶ pool ──▶ worker: body ─▶ asked ─▶ command ─▶ Answer ─▶ JSON or page ──Reply──▶ app

The server itself parses nothing that a stranger wrote but the head of the request: `access` says who may ask, `app` counts the bytes
of the body and hands them on. A worker is a process of its own that can be killed: it reads the body (`body`), makes of it the
words that somebody would type (`asked`), and runs that very command (`command`), with a shelf in place of the disk and a guard
(`guard`) that refuses files, addresses and programs whatever the code says. So the answer is that of the command line, its errors
are those of the command line, and the command that a page shows is the one that was run.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.web.openapi import openapi_document
    from tellapart.web.server import Place, serve, token_of

__all__ = ["Place", "openapi_document", "serve", "token_of"]
__getattr__ = lazy_names(__name__)
