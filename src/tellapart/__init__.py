"""Can this evaluation tell these systems apart?

`plan` before the evaluation; `read` a file into `Scores`, `Ratings` or `Votes`, then `compare` two systems or `rank` many; `audit` what others
published. Names are loaded when first used, so that importing the
package costs nothing.
"""

from tellapart.results.notebook import DRAWERS as _DRAWERS
from tellapart.results.notebook import FORMS as _NOTEBOOK_FORMS

__version__ = "0.1.0"

# `typing` itself is one of the things that need not be loaded: while it is, the command line could not be stopped quietly.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tellapart.claims import Claim
    from tellapart.errors import TellapartError
    from tellapart.planning.power import power
    from tellapart.planning.study import PowerResult, Study
    from tellapart.populations import Population
    from tellapart.ratings import Ratings
    from tellapart.readers import read
    from tellapart.results.agreement import Agreement
    from tellapart.results.audit import Audit
    from tellapart.results.comparison import Comparison
    from tellapart.results.gated import Gate
    from tellapart.results.leaderboard import Leaderboard
    from tellapart.results.plan import Plan
    from tellapart.scores import Scores
    from tellapart.verbs.agreement import agreement
    from tellapart.verbs.audit import audit
    from tellapart.verbs.compare import compare
    from tellapart.verbs.gate import gate
    from tellapart.verbs.plan import plan
    from tellapart.verbs.rank import rank
    from tellapart.votes import Votes

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
    "Agreement": "tellapart.results.agreement",
    "Audit": "tellapart.results.audit",
    "Claim": "tellapart.claims",
    "Comparison": "tellapart.results.comparison",
    "Gate": "tellapart.results.gated",
    "Leaderboard": "tellapart.results.leaderboard",
    "Plan": "tellapart.results.plan",
    "Population": "tellapart.populations",
    "PowerResult": "tellapart.planning.study",
    "Ratings": "tellapart.ratings",
    "Scores": "tellapart.scores",
    "Study": "tellapart.planning.study",
    "TellapartError": "tellapart.errors",
    "Votes": "tellapart.votes",
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
    from tellapart.charts import chart, names  # noqa: PLC0415  (only a notebook needs them here)
    from tellapart.charts.altair import ready  # noqa: PLC0415
    from tellapart.charts.files import written  # noqa: PLC0415

    return written(chart(answer, None), ".svg").decode() if ready() and names(answer) else None


_NOTEBOOK_FORMS.update({"text/html": _html, "image/svg+xml": _svg})


def _chart_names(answer: "Any") -> "Any":
    from tellapart.charts import names  # noqa: PLC0415  (most answers are read, not drawn)

    return names(answer)


def _chart(answer: "Any", name: "str | None") -> "Any":
    from tellapart.charts import chart  # noqa: PLC0415  (as above)

    return chart(answer, name)


_DRAWERS.update(names=_chart_names, chart=_chart)


def __dir__() -> list[str]:
    return sorted(__all__)
