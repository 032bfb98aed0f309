"""How answers are drawn: a hook, so that answers need not know who draws them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DRAWERS: "dict[str, Callable[..., Any]]" = {}
"""What lists an answer's charts ("names") and draws one ("chart"); the package names them, a room above makes them."""
