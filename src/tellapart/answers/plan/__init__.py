"""The answer of one question: what an evaluation of some size can show."""
