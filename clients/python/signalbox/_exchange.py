"""What is said and heard over one connection after the other, without input or output.

Both clients carry exchanges out in the same way: `Requests` and `Calling` here, and subscriptions (`_following.py`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, Generic, List, Mapping, Tuple, TypeVar, Union

from ._connection import Line, LineSplitter, encode, pauses
from ._errors import ConnectionLost, SignalboxError
from ._protocol import ErrorCode

T = TypeVar("T")
#: What was waited for, or why it does not come.
Outcome = Union[T, SignalboxError]


def result(outcome: Outcome[T]) -> T:
    """What was waited for.

    :raises SignalboxError: if that is the outcome
    """
    if isinstance(outcome, SignalboxError):
        raise outcome
    return outcome


class Reconnect(ConnectionError):
    """The daemon cannot serve this connection now: try again on another one."""


class Exchange(Generic[T]):
    """Turns bytes into events, over all its connections.

    `connect` and `receive` give the bytes that are to be written. `OSError` and `ValueError` from `receive` mean that the
    connection is of no use. When one is lost, or cannot be made, `lose` says how long to wait before the next.
    """

    def __init__(self, backoff: Tuple[float, float]) -> None:
        #: Those that have come and were not taken. The last one may be the error that ended the exchange.
        self.events: Deque[Outcome[T]] = deque()
        #: Whether nothing more will come.
        self.is_over = False
        self.is_connected = False
        self._backoff = backoff
        self._pauses = pauses(*backoff)
        self._lines = LineSplitter()
        self._output: List[bytes] = []

    def connect(self) -> bytes:
        """Begins a connection that was made."""
        self.is_connected, self._lines, self._output = True, LineSplitter(), []
        self._greet()
        return self.flush()

    def receive(self, chunk: bytes) -> bytes:
        """Takes what has come; no bytes are the end of the connection."""
        if not chunk:
            raise ConnectionError("the connection closed before the answer")
        for line in self._lines.split(chunk):
            if self.is_over:
                break
            try:
                self.take(line)
            except SignalboxError as error:
                self._fail(error)
        self._pauses = pauses(*self._backoff)
        return self.flush()

    def flush(self) -> bytes:
        """What is to be written now."""
        text, self._output = b"".join(self._output), []
        return text

    def lose(self, reason: BaseException) -> float:
        """Ends the connection, or the attempt to make one; gives the seconds to wait."""
        self.is_connected = False
        return next(self._pauses)

    def pop(self) -> T:
        """The next event.

        :raises SignalboxError: that ended the exchange
        """
        return result(self.events.popleft())

    def take(self, line: Line) -> None:
        """Takes a line, and adds to `events` what of it the program must be told.

        :raises SignalboxError: if that ends the exchange
        :raises Reconnect: if another connection may do better
        """
        raise NotImplementedError

    def _greet(self) -> None:
        """Says what a connection begins with."""
        raise NotImplementedError

    def _fail(self, error: SignalboxError) -> None:
        self.is_over = True
        self.events.append(error)

    def _say(self, fields: Mapping[str, Any]) -> None:
        self._output.append(encode(fields))


@dataclass
class _Pending:
    text: bytes
    #: Whether it is sent again when a connection ended before its answer.
    repeats: bool
    #: Takes the answer.
    settle: Callable[[Outcome[Line]], None]


class Requests(Exchange[Line]):
    """Requests, and their answers."""

    def __init__(self, backoff: Tuple[float, float]) -> None:
        super().__init__(backoff)
        self._pending: Dict[int, _Pending] = {}
        self._count = 0

    @property
    def is_idle(self) -> bool:
        """Whether there is no connection, and no need of one."""
        return not (self.is_connected or self._pending)

    def ask(self, fields: Mapping[str, Any], repeats: bool, settle: Callable[[Outcome[Line]], None]) -> int:
        """Begins a request; gives its number."""
        number = self._count = self._count + 1
        pending = _Pending(encode({**fields, "id": number}), repeats, settle)
        self._pending[number] = pending
        if self.is_connected:
            self._output.append(pending.text)
        return number

    def forget(self, number: int) -> None:
        """Takes note that nobody waits for an answer: what was not sent will not be, nor anything again."""
        if not self.is_connected:
            self._pending.pop(number, None)
        elif number in self._pending:
            self._pending[number].repeats = False

    def _greet(self) -> None:
        self._output = [pending.text for pending in self._pending.values()]

    def take(self, line: Line) -> None:
        error = line.get("error", {})
        code = error.get("code")
        if "id" not in line and code in (ErrorCode.TOO_MANY, ErrorCode.SHUTTING_DOWN):
            raise Reconnect(error["message"])
        # Answers come in order, so one without an id is that of the oldest request.
        number = line.get("id", next(iter(self._pending), 0))
        pending = self._pending.get(number)
        # A daemon that ends has not answered what will be sent to the next one.
        if pending is not None and not (pending.repeats and code == ErrorCode.SHUTTING_DOWN):
            del self._pending[number]
            pending.settle(SignalboxError.of(error) if error else line)

    def lose(self, reason: BaseException) -> float:
        for number, pending in list(self._pending.items()):
            if self.is_connected and not pending.repeats:
                del self._pending[number]
                pending.settle(ConnectionLost())
        return super().lose(reason)

    def close(self) -> None:
        """Ends the connection, and fails all that have no answer."""
        self.is_connected = False
        for pending in self._pending.values():
            pending.settle(ConnectionLost("the client was closed"))
        self._pending.clear()


class Calling(Exchange[Any]):
    """A call of an action, whose outputs are the events. It has one connection."""

    def __init__(self, action: str, value: Any) -> None:
        super().__init__((0, 0))
        content = {} if value is None else {"value": value}
        self._request = encode({"op": "call", "id": 1, "action": action, **content})

    def _greet(self) -> None:
        self._output.append(self._request)

    def take(self, line: Line) -> None:
        if "event" in line:
            self.events.append(line["value"])
            return
        self.is_over = True
        if "error" in line:
            raise SignalboxError.of(line["error"])

    def lose(self, reason: BaseException) -> float:
        if not self.is_over:
            self._fail(ConnectionLost(str(reason)))
        return super().lose(reason)
