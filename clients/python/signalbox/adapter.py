"""Adapters: programs that connect graphs with peers of some kinds (docs/adapters.md)."""

from __future__ import annotations

import base64
import contextlib
import select
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Deque, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._connection import Line, LineSplitter, encode, pauses, socket_path
from ._errors import SignalboxError
from ._protocol import ErrorCode


@dataclass(frozen=True)
class Declaration:
    """A signal or an action that is served through a connection, while it runs."""

    signal: str
    #: `source`, `sink` or `action`
    role: str
    kind: str
    connection: str
    settings: Dict[str, Any]
    #: The position of the last value that the daemon has committed.
    position: Optional[str] = None

    @classmethod
    def of(cls, fields: Line) -> "Declaration":
        return cls(
            fields["signal"], fields["role"], fields["kind"], fields["connection"], fields.get("settings", {}),
            fields.get("position"))


@dataclass(frozen=True)
class Declared:
    """The declarations have changed; `Adapter.connections` and `Adapter.declarations` have them all."""

    added: List[Declaration] = field(default_factory=list)
    changed: List[Declaration] = field(default_factory=list)
    removed: List[str] = field(default_factory=list)
    #: Whether the daemon is another one, or has come back: all tasks of before are void.
    is_new: bool = False
    #: The settings of all connections; `None` where they are as before.
    connections: Optional[Dict[str, Dict[str, Any]]] = None


@dataclass(frozen=True)
class Task:
    """Work to carry out once, and to acknowledge with `Adapter.done` or `Adapter.failed`."""

    number: int
    signal: str
    role: str
    connection: str
    request: Dict[str, Any]
    value: Any
    attempt: int
    #: The same for each attempt of a call.
    key: str
    #: When the daemon gives it up, by `time.monotonic()`.
    deadline: Optional[float]


@dataclass(frozen=True)
class Cancelled:
    """The daemon waits no longer for a task."""

    number: int


@dataclass(frozen=True)
class Sent:
    """The daemon has committed a value of a source, or has refused it."""

    signal: str
    position: Optional[str]
    error: Optional[SignalboxError] = None


Event = Union[Declared, Task, Cancelled, Sent]


class Adapter:
    """Attaches to a daemon as the adapter of some kinds, and gives what it says as events.

    One thread takes events, by iteration or by `next`; any may send, acknowledge, report and `close`. A connection that
    is lost is made again, and begins with a `Declared` that `is_new`.

    :param window: The most tasks that are given without being acknowledged.
    :param path: The daemon's socket; else `$SIGNALBOX_SOCKET`, else `/run/signalbox/signalbox.sock`.
    """

    def __init__(
        self, kinds: Sequence[str], *, window: int = 64, path: Optional[str] = None,
        backoff: Tuple[float, float] = (0.1, 10.0),
    ) -> None:
        #: The settings of each connection.
        self.connections: Dict[str, Dict[str, Any]] = {}
        #: What is served through them, by name.
        self.declarations: Dict[str, Declaration] = {}
        self._path, self._kinds, self._window = socket_path(path), list(kinds), window
        self._backoff, self._pauses = backoff, pauses(*backoff)
        self._socket: Optional[socket.socket] = None
        self._lines = LineSplitter()
        self._events: Deque[Event] = deque()
        self._sent: Dict[int, Tuple[str, Optional[str]]] = {}
        self._count = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def __enter__(self) -> "Adapter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> "Adapter":
        return self

    def __next__(self) -> Event:
        event = self.next()
        if event is None:
            raise StopIteration
        return event

    def next(self, timeout: Optional[float] = None) -> Optional[Event]:
        """The next event; `None` if none has come after so many seconds, or if the adapter was closed.

        :raises SignalboxError: if the daemon refuses the adapter for good, with the code `denied` or `bad_request`
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._events and not self._closed.is_set():
            rest = None if deadline is None else deadline - time.monotonic()
            if rest is not None and rest <= 0:
                return None
            self._advance(rest)
        event = self._events.popleft() if self._events else None
        if isinstance(event, Declared):
            self._apply(event)
        return event

    def _apply(self, change: Declared) -> None:
        """Changes what is declared when the change is taken: tasks before it may still name what it removes."""
        if change.connections is not None:
            self.connections = change.connections
        if change.is_new:
            self.declarations = {}
        for name in change.removed:
            self.declarations.pop(name, None)
        for declaration in change.added + change.changed:
            self.declarations[declaration.signal] = declaration

    def close(self) -> None:
        """Ends the connection; tasks that are not acknowledged go to the next adapter."""
        self._closed.set()
        with self._lock:
            if self._socket is not None:
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
                self._socket.close()
                self._socket = None

    # What is told to the daemon

    def done(
        self, task: Task, value: Any = None, *, payload: Union[str, bytes, None] = None,
        content_type: Optional[str] = None, details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """Acknowledges a task that was carried out, with its output if there is one."""
        output = _content(value, payload)
        self._say({
            "op": "acknowledge", "task": task.number, "result": "done", **output, "content_type": content_type,
            "details": details})

    def progress(self, task: Task, value: Any) -> None:
        """Gives an output of a task that goes on."""
        self._say({"op": "acknowledge", "task": task.number, "result": "progress", "value": value})

    def failed(
        self, task: Task, code: str, message: str, *, retry: bool = False, after: Optional[float] = None,
        status: Optional[int] = None,
    ) -> None:
        """Acknowledges a task that has failed.

        :param retry: Whether trying again makes sense; when and how often is the daemon's business.
        :param after: The seconds that the peer wants to be left alone.
        """
        self._say({
            "op": "acknowledge", "task": task.number, "result": "failed", "error": _error(code, message, status),
            "retry": retry, "after": after})

    def send(
        self, signal: str, value: Any = None, *, payload: Union[str, bytes, None] = None, position: Optional[str] = None,
        details: Optional[Mapping[str, Any]] = None, message_id: Optional[str] = None,
    ) -> None:
        """Sends a value of a source. A `Sent` follows when the daemon has committed it: acknowledge it to the peer then.

        :param position: Given back with the declaration, when the adapter attaches again.
        :param payload: The bytes of a record, in place of a value, for the source's `format`.
        """
        output = _content(value, payload) or {"value": None}
        with self._lock:
            self._count += 1
            self._sent[self._count] = (signal, position)
            self._write({
                "op": "send", "id": self._count, "signal": signal, **output, "position": position, "details": details,
                "message_id": message_id})

    def fail(self, signal: str, code: str, message: str, *, status: Optional[int] = None) -> None:
        """Fails a source."""
        self._say({"op": "send", "signal": signal, "event": "failed", "error": _error(code, message, status)})

    def complete(self, signal: str) -> None:
        """Ends a source."""
        self._say({"op": "send", "signal": signal, "event": "completed"})

    def report(self, connection: str, away: Optional[str] = None) -> None:
        """Tells that a connection is there, or away and why."""
        state = "connected" if away is None else "away"
        self._say({"op": "report", "connection": connection, "state": state, "reason": away})

    # Lines

    def _say(self, fields: Mapping[str, Any]) -> None:
        with self._lock:
            self._write(fields)

    def _write(self, fields: Mapping[str, Any]) -> None:
        # A connection that is lost shows that when it is read.
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.sendall(encode(fields))

    def _advance(self, timeout: Optional[float]) -> None:
        """Makes a connection, or takes what has come on it."""
        connection = self._socket
        try:
            if connection is None:
                self._connect()
                return
            readable = _wait(connection, timeout)
            if not readable:
                return
            chunk = connection.recv(65536)
            if not chunk:
                raise ConnectionError("the daemon has ended the connection")
            for line in self._lines.split(chunk):
                self._take(line)
        except (OSError, ValueError):
            self._disconnect()
            pause = next(self._pauses)
            self._closed.wait(pause if timeout is None else min(pause, timeout))

    def _connect(self) -> None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(self._path)
        except OSError:
            connection.close()
            raise
        with self._lock:
            self._lines, self._sent, self._count, self._socket = LineSplitter(), {}, 0, connection
            self._write({"op": "attach", "id": 0, "kinds": self._kinds, "window": self._window})

    def _disconnect(self) -> None:
        with self._lock:
            if self._socket is not None:
                self._socket.close()
            self._socket = None
        # Nobody waits for what these ask for.
        self._events.clear()

    def _take(self, line: Line) -> None:
        event = line.get("event")
        if line.get("id") == 0:
            self._attached(line)
        elif event == "declared":
            self._declared(line)
        elif event == "task":
            deadline = None if line.get("deadline") is None else time.monotonic() + line["deadline"]
            self._events.append(Task(
                line["task"], line["signal"], line["role"], line["connection"], line.get("request", {}),
                line.get("value"), line.get("attempt", 1), line.get("key", ""), deadline))
        elif event == "cancel":
            self._events.append(Cancelled(line["task"]))
        elif line.get("id") in self._sent:
            signal, position = self._sent.pop(line["id"])
            error = SignalboxError.of(line["error"]) if "error" in line else None
            self._events.append(Sent(signal, position, error))

    def _attached(self, reply: Line) -> None:
        if "error" in reply:
            error = SignalboxError.of(reply["error"])
            if error.code in (ErrorCode.DENIED, ErrorCode.BAD_REQUEST, ErrorCode.UNKNOWN_OP):
                self.close()
                raise error
            raise ConnectionError(error.message)
        self._pauses = pauses(*self._backoff)
        added = [Declaration.of(fields) for fields in reply["declarations"]]
        self._events.append(Declared(added, is_new=True, connections=_connections(reply)))

    def _declared(self, line: Line) -> None:
        removed = [name if isinstance(name, str) else name["signal"] for name in line.get("removed", [])]
        added = [Declaration.of(fields) for fields in line.get("added", [])]
        changed = [Declaration.of(fields) for fields in line.get("changed", [])]
        self._events.append(Declared(added, changed, removed, connections=_connections(line)))


def _connections(line: Line) -> Optional[Dict[str, Dict[str, Any]]]:
    if "connections" not in line:
        return None
    return {fields["connection"]: fields["settings"] for fields in line["connections"]}


def _wait(connection: socket.socket, timeout: Optional[float]) -> bool:
    return bool(select.select([connection], [], [], timeout)[0])


def _content(value: Any, payload: Union[str, bytes, None]) -> Dict[str, Any]:
    if isinstance(payload, bytes):
        try:
            return {"payload": payload.decode()}
        except UnicodeDecodeError:
            return {"payload_base64": base64.b64encode(payload).decode()}
    if payload is not None:
        return {"payload": payload}
    return {} if value is None else {"value": value}


def _error(code: str, message: str, status: Optional[int]) -> Dict[str, Any]:
    error: Dict[str, Any] = {"code": code, "message": message}
    if status is not None:
        error["status"] = status
    return error
