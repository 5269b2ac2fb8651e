"""The client for programs without an event loop."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
import weakref
from typing import Any, Dict, Generic, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._connection import Held, Line, Sent, socket_path
from ._errors import ConnectionLost
from ._exchange import Calling, Exchange, Requests, T
from ._following import Event, Following


class _Link(Generic[T]):
    """Carries out an exchange. One thread reads, as far as events are taken; any may `cancel`."""

    def __init__(self, path: str, exchange: Exchange[T]) -> None:
        self._path, self._exchange = path, exchange
        self._socket: Optional[socket.socket] = None
        self._cancelled = threading.Event()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if not self._wait():
            raise StopIteration
        return self._exchange.pop()

    def cancel(self) -> None:
        """Ends the subscription, or the program that the call runs: nothing follows, and a thread that waits goes on."""
        self._cancelled.set()
        connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _wait(self, deadline: Optional[float] = None) -> bool:
        """Waits for an event; whether there is one."""
        while not (self._exchange.events or self._exchange.is_over or self._cancelled.is_set()):
            self._advance(deadline)
        if self._exchange.is_over or self._cancelled.is_set():
            self._disconnect()
        return bool(self._exchange.events) and not self._cancelled.is_set()

    def _advance(self, deadline: Optional[float] = None) -> None:
        """Makes a connection, or takes what has come on it."""
        remaining = None if deadline is None else max(deadline - time.monotonic(), 0.000001)
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._socket.connect(self._path)
                self._write(self._exchange.connect())
            else:
                self._socket.settimeout(remaining)
                self._write(self._exchange.receive(self._socket.recv(65536)))
        except socket.timeout:
            raise TimeoutError("no answer in time") from None
        except (OSError, ValueError) as error:
            self._disconnect()
            pause = self._exchange.lose(error)
            if self._exchange.events:
                # It is over, or had requests that are not sent again: there is nothing to wait for.
                return
            is_cancelled = self._cancelled.wait(pause if remaining is None else min(pause, remaining))
            if remaining is not None and pause > remaining and not is_cancelled:
                raise TimeoutError("no daemon in time") from None

    def _write(self, text: bytes) -> None:
        """Writes; a connection that is lost shows that when it is read, behind the daemon's last words."""
        if self._socket is not None and text:
            self._socket.settimeout(None)
            with contextlib.suppress(OSError):
                self._socket.sendall(text)

    def _disconnect(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None


class Subscription(_Link[Event]):
    """The events of one subscription, as an iterator. It ends with the signal, or with `take`.

    Its connection is read as far as events are taken. One thread iterates; any may `cancel`.
    """

    _exchange: Following

    @property
    def signal(self) -> str:
        return self._exchange.signal

    def next(self, timeout: Optional[float] = None) -> Optional[Event]:
        """The next event; `None` if there are no more.

        :raises TimeoutError: if none has come after so many seconds
        """
        return self._exchange.pop() if self._wait(_deadline(timeout)) else None

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._disconnect()

    def _begin(self, deadline: Optional[float]) -> None:
        try:
            while not self._exchange.has_begun():
                if self._cancelled.is_set():
                    raise ConnectionLost("the client was closed")
                self._advance(deadline)
        except BaseException:
            self._disconnect()
            raise


class Call(_Link[Any]):
    """The outputs of an action that runs, as an iterator that ends with it.

    :raises SignalboxError: with the code `failed` or another, if the action fails
    :raises ConnectionLost: if the connection ended before
    """

    def __init__(self, path: str, action: str, value: Any) -> None:
        super().__init__(path, Calling(action, value))
        self._advance()
        if self._exchange.is_over:
            self._exchange.pop()


def _deadline(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


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
        self._path, self._backoff, self._timeout = socket_path(path), backoff, timeout
        self._requests = Requests(backoff)
        self._link = _Link(self._path, self._requests)
        self._lock = threading.Lock()
        self._subscriptions: "weakref.WeakSet[Subscription]" = weakref.WeakSet()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all subscriptions and requests."""
        for subscription in list(self._subscriptions):
            subscription.cancel()
        self._link.cancel()
        with self._lock:
            self._link._disconnect()

    # Requests

    def request(self, op: str, *, repeats: bool = False, **fields: Any) -> Dict[str, Any]:
        """Sends a request as docs/protocol.md has it, and waits for its answer.

        :param repeats: Whether it is sent again when a connection ended before its answer.
        :raises ConnectionLost: if it is not sent again.
        """
        deadline = _deadline(self._timeout)
        with self._lock:
            self._requests.ask({"op": op, **fields}, repeats, self._requests.events.append)
            try:
                self._link._write(self._requests.flush())
                is_answered = self._link._wait(deadline)
            except BaseException:
                # The answer may still come: it must not be taken for that of another request.
                self._link._disconnect()
                self._requests.close()
                self._requests.events.clear()
                raise
            if not is_answered:
                raise ConnectionLost("the client was closed")
            return self._requests.pop()

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
        repeats = message_id is not None
        return Sent.of(self.request("send", repeats=repeats, signal=signal, **content, message_id=message_id))

    def get(self, signal: str, *, timestamps: Optional[bool] = None) -> Held:
        """The value that a signal holds; `SignalboxError` with the code `no_value` if there is none."""
        return Held.of(self.request("get", repeats=True, signal=signal, timestamps=timestamps))

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
        return Call(self._path, action, value)

    # Subscriptions

    def subscribe(
        self, signal: str, *, replay: Optional[int] = None, take: Optional[int] = None, where: Optional[str] = None,
        every: Optional[str] = None, heartbeat: Optional[str] = None, overflow: Optional[str] = None,
        timestamps: Optional[bool] = None, position: Optional[Mapping[str, Mapping[str, Any]]] = None,
    ) -> Subscription:
        """Subscribes to a signal or a pattern; returns when the daemon has answered.

        :param position: Where to go on, from events of an earlier run: `{signal: {"seq": …, "epoch": …}}`.
        """
        following = Following(
            self._backoff, signal, position, replay=replay, take=take, where=where, every=every, heartbeat=heartbeat,
            overflow=overflow, timestamps=timestamps)
        subscription = Subscription(self._path, following)
        self._subscriptions.add(subscription)
        subscription._begin(_deadline(self._timeout))
        return subscription
