"""How answers are shown in a notebook and drawn: hooks, so that answers need not know who prints and who draws them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORMS: "dict[str, Callable[[Any], str | None]]" = {}
"""What makes an answer's form, by media type; the package names them, rooms above make them."""

DRAWERS: "dict[str, Callable[..., Any]]" = {}
"""What lists an answer's charts ("names") and draws one ("chart")."""


def shown(answer: "Any", media: str) -> str | None:
    """An answer in this form, or None where nothing makes it, which tells a notebook to take another.

    >>> shown("an answer", "image/none")
    """
    return FORMS[media](answer) if media in FORMS else None
