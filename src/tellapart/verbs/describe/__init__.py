"""Description of the contents of files, and the list of known formats: the verb `describe`."""

from tellapart.verbs.describe.verb import describe, known_formats

__all__ = ["describe", "known_formats"]
