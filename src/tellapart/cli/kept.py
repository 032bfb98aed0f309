"""A command that a server runs again and again."""

import copy
from typing import Any

import click


class Kept(click.Command):
    """What click makes anew for every run, and a command line runs once, is made once: it takes as long as to parse a plan."""

    _params: list[click.Parameter] | None = None
    _parser: Any = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if self._params is None:
            self._params = super().get_params(ctx)
        return self._params

    def make_parser(self, ctx: click.Context) -> Any:
        if self._parser is None:
            self._parser = super().make_parser(ctx)
        parser = copy.copy(self._parser)
        parser.ctx = ctx  # whom it tells of errors
        return parser
