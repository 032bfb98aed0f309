"""Pass or fail of a candidate system against its baseline, for CI: the verb `gate`."""

from tellapart.verbs.gate.question import GateQuestion
from tellapart.verbs.gate.verb import gate, gated

__all__ = ["GateQuestion", "gate", "gated"]
