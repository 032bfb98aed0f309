"""The answer of one question: what default tests and intervals do on simulated scores."""
