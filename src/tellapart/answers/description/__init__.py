"""The answer of one question: what is in some files."""
