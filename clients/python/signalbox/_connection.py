"""What both clients have in common: the socket's path, the pauses between attempts, and the text of requests."""

from __future__ import annotations

import json
import os
import random
import uuid
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ._errors import SignalboxError
from ._protocol import ErrorCode

DEFAULT_SOCKET = "/run/signalbox/signalbox.sock"


class Held(NamedTuple):
    """The value that a signal holds."""

    value: Any
    seq: int
    #: When the value came, if that was asked for.
    at: Optional[str]


class Sent(NamedTuple):
    """What became of a value that was sent."""

    #: The number of the last value on the signal; `None` where its own pipe let nothing through.
    seq: Optional[int]
    #: Whether the graph had this message already, and did nothing.
    duplicate: bool


def new_message_id() -> str:
    """A `message_id` that nobody else has."""
    return uuid.uuid4().hex


def socket_path(path: Optional[str]) -> str:
    return path or os.environ.get("SIGNALBOX_SOCKET") or DEFAULT_SOCKET


class Backoff:
    """Pauses that double from the first to the longest, each less a random part of up to one half. Seconds."""

    def __init__(self, bounds: Tuple[float, float]) -> None:
        self._first, self._longest = bounds
        self.reset()

    def reset(self) -> None:
        self._next = self._first

    def next(self) -> float:
        pause, self._next = self._next, min(max(self._next * 2, 0.001), self._longest)
        return pause * random.uniform(0.5, 1)


def encode(fields: Mapping[str, Any]) -> bytes:
    """A line; members that are `None` are left out, but for a value."""
    given = {name: value for name, value in fields.items() if value is not None or name == "value"}
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


class LineSplitter:
    """Cuts bytes into the objects of whole lines."""

    def __init__(self) -> None:
        self._rest: List[bytes] = []

    def split(self, chunk: bytes) -> List[Dict[str, Any]]:
        *whole, last = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join(self._rest) + whole[0]
            self._rest = []
        if last:
            self._rest.append(last)
        return [json.loads(line) for line in whole]


def is_of_connection(line: Mapping[str, Any]) -> bool:
    """Whether the daemon refuses the connection, not a request."""
    return "id" not in line and line.get("error", {}).get("code") in (ErrorCode.TOO_MANY, ErrorCode.SHUTTING_DOWN)


def is_postponed(line: Mapping[str, Any], repeats: bool) -> bool:
    """Whether a request is refused only because the daemon ends, and will be sent to the next one."""
    return repeats and line.get("error", {}).get("code") == ErrorCode.SHUTTING_DOWN


def result(line: Dict[str, Any]) -> Dict[str, Any]:
    """The answer, or the error that it is."""
    if "error" in line:
        raise SignalboxError.of(line["error"])
    return line
