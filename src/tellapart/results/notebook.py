"""How answers are shown in a notebook: a hook, so that answers need not know who prints them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORMS: "dict[str, Callable[[Any], str | None]]" = {}
"""What makes an answer's form, by media type; the package names them, rooms above make them."""


def shown(answer: "Any", media: str) -> str | None:
    """An answer in this form, or None where nothing makes it, which tells a notebook to take another.

    >>> shown("an answer", "image/none")
    """
    return FORMS[media](answer) if media in FORMS else None
