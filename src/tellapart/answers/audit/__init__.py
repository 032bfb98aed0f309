"""The answer of one question: what other people's numbers can support."""
