"""The answer of one question: how well a system does by itself."""
