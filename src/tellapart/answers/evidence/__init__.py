"""The answer of one question: what published results say."""
