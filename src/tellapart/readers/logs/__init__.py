"""Logs become scores: which rows are asked for, whose they are, which runs they belong to, what is missing of them."""
