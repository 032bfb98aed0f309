"""The answer of one question: what can be read."""
