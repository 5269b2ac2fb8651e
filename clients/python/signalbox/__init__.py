"""Clients of the signalbox daemon: `Client` for plain programs, `signalbox.aio.Client` for asyncio."""

from ._connection import DEFAULT_SOCKET, Held, Sent, new_message_id
from ._errors import ConnectionLost, SignalboxError
from ._following import Event
from ._protocol import ErrorCode, EventKind, Overflow
from .plain import Client, Subscription

__all__ = [
    "Client", "ConnectionLost", "DEFAULT_SOCKET", "ErrorCode", "Event", "EventKind", "Held", "Overflow", "Sent",
    "SignalboxError", "Subscription", "new_message_id",
]
