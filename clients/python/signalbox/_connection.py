"""The socket's path, the pauses between attempts, lines, and answers."""

from __future__ import annotations

import json
import os
import random
import uuid
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional

#: A line of the daemon: an answer or an event.
Line = Dict[str, Any]

DEFAULT_SOCKET = "/run/signalbox/signalbox.sock"


class Held(NamedTuple):
    """The value that a signal holds."""

    value: Any
    seq: int
    #: When the value came, if that was asked for.
    at: Optional[str]

    @classmethod
    def of(cls, reply: Line) -> "Held":
        return cls(reply["value"], reply["seq"], reply.get("at"))


class Sent(NamedTuple):
    """What became of a value that was sent."""

    #: The number of the last value on the signal; `None` where its own pipe let nothing through.
    seq: Optional[int]
    #: Whether the graph had this message already, and did nothing.
    duplicate: bool

    @classmethod
    def of(cls, reply: Line) -> "Sent":
        return cls(reply["seq"], reply.get("duplicate", False))


def new_message_id() -> str:
    """A `message_id` that nobody else has."""
    return uuid.uuid4().hex


def socket_path(path: Optional[str]) -> str:
    return path or os.environ.get("SIGNALBOX_SOCKET") or DEFAULT_SOCKET


def pauses(first: float, longest: float) -> Iterator[float]:
    """Pauses that double from the first to the longest, each less a random part of up to one half. Seconds."""
    while True:
        yield first * random.uniform(0.5, 1)
        first = min(max(first * 2, 0.001), longest)


def encode(fields: Mapping[str, Any]) -> bytes:
    """A line; members that are `None` are left out, but for a value."""
    given = {name: value for name, value in fields.items() if value is not None or name == "value"}
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


class LineSplitter:
    """Cuts bytes into the objects of whole lines."""

    def __init__(self) -> None:
        self._rest: List[bytes] = []

    def split(self, chunk: bytes) -> List[Line]:
        *whole, last = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join(self._rest) + whole[0]
            self._rest = []
        if last:
            self._rest.append(last)
        return [json.loads(line) for line in whole]
