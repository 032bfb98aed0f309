"""Logs of any kind as one tidy table."""

from tellapart.verbs.convert.verb import convert

__all__ = ["convert"]
