"""What is in these files, and what can be read at all?"""

from tellapart.verbs.describe.verb import describe, known_formats

__all__ = ["describe", "known_formats"]
