"""Conversion of logs to one tidy table: the verb `convert`."""

from tellapart.verbs.convert.verb import convert

__all__ = ["convert"]
