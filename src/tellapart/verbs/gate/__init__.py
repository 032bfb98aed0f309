"""Did this change make it worse?"""

from tellapart.verbs.gate.question import GateQuestion
from tellapart.verbs.gate.verb import gate, gated

__all__ = ["GateQuestion", "gate", "gated"]
