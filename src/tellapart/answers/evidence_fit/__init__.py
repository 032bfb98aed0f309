"""The answer of one question: evidence fitted to results of one's own."""
