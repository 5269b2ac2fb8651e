"""The client for programs without an event loop."""

from __future__ import annotations

import socket
import threading
import time
import weakref
from collections import deque
from types import TracebackType
from typing import Any, Deque, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type

from ._connection import (
    Backoff, Held, LineSplitter, Sent, encode, is_of_connection, is_postponed, result, socket_path)
from ._errors import ConnectionLost
from ._following import Event, Following, Reconnect


class _Connection:
    """A connection that is read line by line, until a moment at most."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._lines = LineSplitter()
        self._ready: Deque[Dict[str, Any]] = deque()
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise

    def write(self, fields: Mapping[str, Any]) -> None:
        self._socket.settimeout(None)
        self._socket.sendall(encode(fields))

    def read(self, deadline: Optional[float] = None) -> Dict[str, Any]:
        while not self._ready:
            if deadline is not None:
                self._socket.settimeout(max(deadline - time.monotonic(), 0.000001))
            try:
                chunk = self._socket.recv(65536)
            except socket.timeout:
                raise TimeoutError("no answer in time") from None
            if not chunk:
                raise ConnectionError("the connection has ended")
            self._ready.extend(self._lines.split(chunk))
        return self._ready.popleft()

    def shut(self) -> None:
        """Ends it for a thread that reads, too."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


class Subscription:
    """The events of one subscription, as an iterator. It ends with the signal, or with `take`.

    Its connection is read as far as events are taken. One thread iterates; any may `cancel`.
    """

    def __init__(self, path: str, backoff: Tuple[float, float], following: Following) -> None:
        self._path, self._backoff, self._following = path, Backoff(backoff), following
        self._events: Deque[Event] = deque()
        self._connection: Optional[_Connection] = None
        self._cancelled = threading.Event()

    @property
    def signal(self) -> str:
        return self._following.signal

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = self.next()
        if event is None:
            raise StopIteration
        return event

    def next(self, timeout: Optional[float] = None) -> Optional[Event]:
        """The next event; `None` if there are no more.

        :raises TimeoutError: if none has come after so many seconds
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._events:
            if self._cancelled.is_set() or self._following.is_over:
                self._disconnect()
                return None
            self._advance(deadline)
        return None if self._cancelled.is_set() else self._events.popleft()

    def cancel(self) -> None:
        """Unsubscribes: no event follows, and a thread that waits for one goes on."""
        self._cancelled.set()
        connection = self._connection
        if connection is not None:
            connection.shut()

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._disconnect()

    def _begin(self, deadline: Optional[float]) -> None:
        try:
            while not self._following.is_answered:
                if self._cancelled.is_set():
                    raise ConnectionLost("the client was closed")
                self._advance(deadline)
        except BaseException:
            self._disconnect()
            raise

    def _advance(self, deadline: Optional[float]) -> None:
        try:
            if self._connection is None:
                self._following.output.clear()
                self._connection = _Connection(self._path)
                if self._cancelled.is_set():
                    raise ConnectionError("cancelled")
                for fields in self._following.greeting():
                    self._connection.write(fields)
            self._events.extend(self._following.receive(self._connection.read(deadline)))
            while self._following.output:
                self._connection.write(self._following.output.pop(0))
            if self._following.is_greeted:
                self._backoff.reset()
        except TimeoutError:
            raise
        except (OSError, ValueError, Reconnect):
            self._disconnect()
            _wait(self._cancelled, self._backoff, deadline)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


class Call:
    """The outputs of an action that runs, as an iterator that ends with it.

    :raises SignalboxError: with the code `failed` or another, if the action fails
    :raises ConnectionLost: if the connection ended before
    """

    def __init__(self, path: str, request: Mapping[str, Any]) -> None:
        self._is_cancelled = False
        try:
            self._connection = _Connection(path)
            self._connection.write(request)
        except OSError as error:
            raise ConnectionLost(str(error)) from error

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            line = self._connection.read()
        except (OSError, ValueError) as error:
            if self._is_cancelled:
                raise StopIteration from None
            raise ConnectionLost() from error
        if "event" in line:
            return line["value"]
        self._connection.close()
        result(line)
        raise StopIteration

    def cancel(self) -> None:
        """Ends the program that runs, and the iteration."""
        self._is_cancelled = True
        self._connection.shut()


def _wait(ended: threading.Event, backoff: Backoff, deadline: Optional[float]) -> None:
    """Waits for another attempt."""
    pause = backoff.next()
    if deadline is not None and time.monotonic() + pause > deadline:
        raise TimeoutError("no daemon in time")
    ended.wait(pause)


class Client:
    """A client of a signalbox daemon. Threads may share it; their requests then follow each other.

    Nothing happens before the first request. Lost connections are made again, after `backoff[0]` seconds, then twice as
    long each time up to `backoff[1]`, less a random part. Requests wait for a daemon and its answer, for `timeout`
    seconds at most (`TimeoutError`), or for ever.

    :param path: The daemon's socket; else `$SIGNALBOX_SOCKET`, else `/run/signalbox/signalbox.sock`.
    """

    def __init__(
        self, path: Optional[str] = None, *, backoff: Tuple[float, float] = (0.1, 10.0), timeout: Optional[float] = None
    ) -> None:
        self._path, self._bounds, self._timeout = socket_path(path), backoff, timeout
        self._backoff = Backoff(backoff)
        self._lock = threading.Lock()
        self._connection: Optional[_Connection] = None
        self._count = 0
        self._closed = threading.Event()
        self._subscriptions: "weakref.WeakSet[Subscription]" = weakref.WeakSet()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all subscriptions and requests."""
        self._closed.set()
        for subscription in list(self._subscriptions):
            subscription.cancel()
        connection = self._connection
        if connection is not None:
            connection.shut()
        with self._lock:
            self._disconnect()

    # Requests

    def request(self, op: str, *, repeats: bool = False, **fields: Any) -> Dict[str, Any]:
        """Sends a request as docs/protocol.md has it, and waits for its answer.

        :param repeats: Whether it is sent again when a connection ended before its answer.
        :raises ConnectionLost: if it is not sent again.
        """
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        with self._lock:
            self._count += 1
            while not self._closed.is_set():
                is_written = False
                try:
                    if self._connection is None:
                        self._connection = _Connection(self._path)
                    is_written = True
                    self._connection.write({"op": op, "id": self._count, **fields})
                    line = self._answer(self._connection, deadline)
                    if not is_postponed(line, repeats):
                        return result(line)
                except TimeoutError:
                    # The answer may still come: it must not be taken for that of another request.
                    self._disconnect()
                    raise
                except (OSError, ValueError) as error:
                    if is_written and not repeats:
                        self._disconnect()
                        raise ConnectionLost() from error
                self._disconnect()
                _wait(self._closed, self._backoff, deadline)
        raise ConnectionLost("the client was closed")

    def _answer(self, connection: _Connection, deadline: Optional[float]) -> Dict[str, Any]:
        while True:
            line = connection.read(deadline)
            if is_of_connection(line):
                raise ConnectionError(line["error"]["message"])
            self._backoff.reset()
            if line.get("id", self._count) == self._count:
                return line

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def send(self, signal: str, value: Any, *, message_id: Optional[str] = None) -> Sent:
        """Sends a value.

        :param message_id: Names the message, so that a durable graph takes it once: it is sent again until the daemon
            has answered. Without it `ConnectionLost` says that nobody knows whether it arrived.
        """
        return self._send(signal, message_id, value=value)

    def send_values(self, signal: str, values: Sequence[Any], *, message_id: Optional[str] = None) -> Sent:
        """Sends several values, with no other client's value between."""
        return self._send(signal, message_id, values=list(values))

    def end(
        self, signal: str, event: str = "completed", *, error: Optional[Mapping[str, str]] = None,
        message_id: Optional[str] = None,
    ) -> Sent:
        """Ends a signal: `completed`, `interrupted`, or `failed` with an error `{"code": …, "message": …}`."""
        return self._send(signal, message_id, event=event, error=error)

    def _send(self, signal: str, message_id: Optional[str], **content: Any) -> Sent:
        reply = self.request("send", repeats=message_id is not None, signal=signal, **content, message_id=message_id)
        return Sent(reply["seq"], reply.get("duplicate", False))

    def get(self, signal: str, *, timestamps: Optional[bool] = None) -> Held:
        """The value that a signal holds; `SignalboxError` with the code `no_value` if there is none."""
        reply = self.request("get", repeats=True, signal=signal, timestamps=timestamps)
        return Held(reply["value"], reply["seq"], reply.get("at"))

    def list(self, pattern: Optional[str] = None) -> List[Dict[str, Any]]:
        """The signals that this client may see."""
        signals: List[Dict[str, Any]] = self.request("list", repeats=True, pattern=pattern)["signals"]
        return signals

    def describe(self, signal: Optional[str] = None, *, graph: Optional[str] = None) -> Dict[str, Any]:
        """The declaration and the state of a signal, or of all signals of a graph."""
        return self.request("describe", repeats=True, signal=signal, graph=graph)

    def ping(self) -> None:
        """Waits until everything that was sent before has been carried out."""
        self.request("ping", repeats=True)

    def hello(self) -> Dict[str, Any]:
        """The daemon's version, its epoch and its limits."""
        return self.request("hello", repeats=True, protocol=1)

    def call(self, action: str, value: Any = None) -> "Call":
        """Calls an action, and gives what it puts out.

        A call has a connection of its own, which its end closes; `cancel` ends it before.
        """
        return Call(self._path, {"op": "call", "id": 1, "action": action, **({} if value is None else {"value": value})})

    # Subscriptions

    def subscribe(
        self, signal: str, *, replay: Optional[int] = None, take: Optional[int] = None, where: Optional[str] = None,
        every: Optional[str] = None, heartbeat: Optional[str] = None, overflow: Optional[str] = None,
        timestamps: Optional[bool] = None, position: Optional[Mapping[str, Mapping[str, Any]]] = None,
    ) -> Subscription:
        """Subscribes to a signal or a pattern; returns when the daemon has answered.

        :param position: Where to go on, from events of an earlier run: `{signal: {"seq": …, "epoch": …}}`.
        """
        options = dict(
            replay=replay, take=take, where=where, every=every, heartbeat=heartbeat, overflow=overflow,
            timestamps=timestamps, position=position)
        following = Following(signal, {name: option for name, option in options.items() if option is not None})
        subscription = Subscription(self._path, self._bounds, following)
        self._subscriptions.add(subscription)
        subscription._begin(None if self._timeout is None else time.monotonic() + self._timeout)
        return subscription
