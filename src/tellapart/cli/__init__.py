"""The command line: parse, one library call, one rendering, an exit code. Nothing heavy is loaded before it is needed."""

from tellapart.cli.main import main

__all__ = ["main"]
