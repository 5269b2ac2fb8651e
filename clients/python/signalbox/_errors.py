"""Errors."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class SignalboxError(Exception):
    """The daemon refused a request.

    `code` is one of `signalbox.ErrorCode` and never changes its meaning; the message is for people. `details` has all
    members of the error: `oldest`, `status`, `errors` and so on.
    """

    def __init__(self, code: str, message: str, details: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.details = dict(details or {})

    @classmethod
    def of(cls, error: Mapping[str, Any]) -> "SignalboxError":
        return cls(error.get("code", "internal"), error.get("message", ""), error)


class ConnectionLost(SignalboxError):
    """The connection ended before the answer: nobody knows whether the request was carried out."""

    def __init__(self, message: str = "the connection closed before the answer") -> None:
        super().__init__("connection_lost", message)
