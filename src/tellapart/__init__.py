"""Can this evaluation tell these systems apart?

`plan` before the evaluation; `read` a file into `Scores`, `Ratings` or `Votes`, then `compare` two systems or `rank` many; `audit` what others
published. Names are loaded when first used, so that importing the
package costs nothing.
"""

from tellapart.answers.notebook import DRAWERS as _DRAWERS
from tellapart.answers.notebook import FORMS as _NOTEBOOK_FORMS

__version__ = "0.1.0"

# `typing` itself is one of the things that need not be loaded: while it is, the command line could not be stopped quietly.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tellapart.answers.agreement.fields import Agreement
    from tellapart.answers.audit.fields import Audit
    from tellapart.answers.comparison.fields import Comparison
    from tellapart.answers.gate.fields import Gate
    from tellapart.answers.leaderboard.fields import Leaderboard
    from tellapart.answers.plan.fields import Plan
    from tellapart.claims import Claim
    from tellapart.data.ratings import Ratings
    from tellapart.data.scores import Scores
    from tellapart.data.votes import Votes
    from tellapart.foundation.errors import TellapartError
    from tellapart.planning.power import power
    from tellapart.planning.study import PowerResult, Study
    from tellapart.populations import Population
    from tellapart.readers import read
    from tellapart.verbs.agreement import agreement
    from tellapart.verbs.audit import audit
    from tellapart.verbs.compare import compare
    from tellapart.verbs.gate import gate
    from tellapart.verbs.plan import plan
    from tellapart.verbs.rank import rank

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
    "Scores",
    "Study",
    "TellapartError",
    "Votes",
    "__version__",
    "agreement",
    "audit",
    "compare",
    "gate",
    "plan",
    "power",
    "rank",
    "read",
]

_HOMES = {
    "Agreement": "tellapart.answers.agreement.fields",
    "Audit": "tellapart.answers.audit.fields",
    "Claim": "tellapart.claims",
    "Comparison": "tellapart.answers.comparison.fields",
    "Gate": "tellapart.answers.gate.fields",
    "Leaderboard": "tellapart.answers.leaderboard.fields",
    "Plan": "tellapart.answers.plan.fields",
    "Population": "tellapart.populations",
    "PowerResult": "tellapart.planning.study",
    "Ratings": "tellapart.data.ratings",
    "Scores": "tellapart.data.scores",
    "Study": "tellapart.planning.study",
    "TellapartError": "tellapart.foundation.errors",
    "Votes": "tellapart.data.votes",
    "agreement": "tellapart.verbs.agreement",
    "audit": "tellapart.verbs.audit",
    "compare": "tellapart.verbs.compare",
    "gate": "tellapart.verbs.gate",
    "plan": "tellapart.verbs.plan",
    "power": "tellapart.planning.power",
    "rank": "tellapart.verbs.rank",
    "read": "tellapart.readers",
}


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart' has no attribute {name!r}")
    import importlib  # noqa: PLC0415  (nothing is loaded before it is asked for)

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def _html(answer: "Any") -> str:
    from tellapart.render.html import notebook  # noqa: PLC0415  (only a notebook needs it)

    return notebook(answer)


def _svg(answer: "Any") -> "str | None":
    from tellapart.answers.drawing import chart, names  # noqa: PLC0415  (only a notebook needs them here)
    from tellapart.answers.drawing.files import written  # noqa: PLC0415
    from tellapart.answers.drawing.theme import ready  # noqa: PLC0415

    return written(chart(answer, None), ".svg").decode() if ready() and names(answer) else None


_NOTEBOOK_FORMS.update({"text/html": _html, "image/svg+xml": _svg})


def _chart_names(answer: "Any") -> "Any":
    from tellapart.answers.drawing import names  # noqa: PLC0415  (most answers are read, not drawn)

    return names(answer)


def _chart(answer: "Any", name: "str | None") -> "Any":
    from tellapart.answers.drawing import chart  # noqa: PLC0415  (as above)

    return chart(answer, name)


_DRAWERS.update(names=_chart_names, chart=_chart)


def __dir__() -> list[str]:
    return sorted(__all__)
