"""What went wrong, as programs read it (RFC 9457) and in the words that the command line has for it."""

import json
from http import HTTPStatus

from tellapart.foundation.errors import DataError, TellapartError, UsageError
from tellapart.web.messages import WebReply

MEDIA = "application/problem+json"


class Refused(TellapartError):
    """A request that is no question yet; it says with which status it is refused."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def problem(status: int, detail: str, kind: str = "") -> WebReply:
    """A problem without an address of its own: its kind is the error's name, as the command line prints it."""
    said = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    body = json.dumps(said | ({"error": kind} if kind else {}), ensure_ascii=False, indent=2)
    return WebReply(status, MEDIA, f"{body}\n".encode("utf-8", "backslashreplace"))


def status_of(error: Exception) -> int:
    """A question that cannot be asked this way is a bad request; data that cannot be used are unprocessable."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, UsageError):
        return HTTPStatus.BAD_REQUEST
    if isinstance(error, DataError | MemoryError):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.INTERNAL_SERVER_ERROR
