"""Can this evaluation tell these systems apart?

`plan` before the evaluation; `read` a file into `Scores`, `Ratings` or `Votes`, then `compare` two systems or `rank` many; `audit` what others
published. Names are loaded when first used, so that importing the
package costs nothing.
"""

__version__ = "0.1.0"

# `typing` itself is one of the things that need not be loaded: while it is, the command line could not be stopped quietly.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tellapart.answers.agreement import Agreement
    from tellapart.answers.audit import Audit
    from tellapart.answers.comparison import Comparison
    from tellapart.answers.gate import Gate
    from tellapart.answers.leaderboard import Leaderboard
    from tellapart.answers.plan import Plan
    from tellapart.answers.score import ScoreReport
    from tellapart.answers.watch import Watch
    from tellapart.claims import Claim
    from tellapart.data.ratings import Ratings
    from tellapart.data.scores import Scores
    from tellapart.data.votes import Votes
    from tellapart.foundation.errors import TellapartError
    from tellapart.planning.power import power
    from tellapart.planning.study import PowerResult, Study
    from tellapart.populations import Population
    from tellapart.readers import read
    from tellapart.render import formatted as formatted  # for answers, which import no format
    from tellapart.render import save as save
    from tellapart.render.html import notebook_html as notebook_html  # for answers, which import no format
    from tellapart.verbs.agreement import agreement
    from tellapart.verbs.audit import audit
    from tellapart.verbs.compare import compare
    from tellapart.verbs.gate import gate
    from tellapart.verbs.plan import plan
    from tellapart.verbs.plan.arena import plan_arena
    from tellapart.verbs.plan.judged import plan_judged
    from tellapart.verbs.rank import rank
    from tellapart.verbs.score import score
    from tellapart.verbs.watch import watch

__all__ = [
    "Agreement",
    "Audit",
    "Claim",
    "Comparison",
    "Gate",
    "Leaderboard",
    "Plan",
    "Population",
    "PowerResult",
    "Ratings",
    "ScoreReport",
    "Scores",
    "Study",
    "TellapartError",
    "Votes",
    "Watch",
    "__version__",
    "agreement",
    "audit",
    "compare",
    "gate",
    "plan",
    "plan_arena",
    "plan_judged",
    "power",
    "rank",
    "read",
    "score",
    "watch",
]


def __getattr__(name: str) -> "Any":
    from tellapart.foundation.lazy_names import lazy_names  # noqa: PLC0415  (nothing is loaded before it is asked for)

    return lazy_names(__name__)(name)


def __dir__() -> list[str]:
    return sorted(__all__)
