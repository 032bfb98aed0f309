"""The answer of one question: whether a change may pass."""
