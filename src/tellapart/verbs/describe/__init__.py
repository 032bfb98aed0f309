"""What is in these files, and what can be read at all?"""

from tellapart.verbs.describe.listed import known_formats
from tellapart.verbs.describe.verb import describe

__all__ = ["describe", "known_formats"]
