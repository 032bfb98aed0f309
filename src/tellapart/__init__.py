"""Can this evaluation tell these systems apart?

`read` a file into `Scores`, then `compare` two systems. Names are loaded when first used, so that importing the
package costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tellapart.errors import TellapartError
    from tellapart.readers import read
    from tellapart.results import Comparison
    from tellapart.scores import Scores
    from tellapart.verbs.compare import compare

__all__ = ["Comparison", "Scores", "TellapartError", "__version__", "compare", "read"]

_HOMES = {
    "Comparison": "tellapart.results",
    "Scores": "tellapart.scores",
    "TellapartError": "tellapart.errors",
    "compare": "tellapart.verbs.compare",
    "read": "tellapart.readers",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart' has no attribute {name!r}")
    import importlib  # noqa: PLC0415  (nothing is loaded before it is asked for)

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
