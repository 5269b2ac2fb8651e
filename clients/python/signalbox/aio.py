"""The client for asyncio."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from types import TracebackType
from typing import Any, AsyncIterator, Deque, Dict, List, Mapping, Optional, Sequence, Tuple, Type

from ._connection import Backoff, Held, LineSplitter, Sent, encode, result, socket_path
from ._errors import ConnectionLost
from ._following import Event, Following, Reconnect
from ._requests import Requests


class Subscription:
    """The events of one subscription, as an asynchronous iterator.

    It has a connection of its own, which is read only as far as events are taken: a program that is slow holds up
    nothing but itself, and the daemon's `overflow` decides what then gives way. It ends with the signal, or with `take`.
    """

    def __init__(self, path: str, backoff: Tuple[float, float], following: Following) -> None:
        self._path, self._backoff, self._following = path, Backoff(backoff), following
        self._events: Deque[Event] = deque()
        self._streams: Optional[Tuple[asyncio.StreamReader, asyncio.StreamWriter]] = None
        self._lines = LineSplitter()
        self._step: Optional["asyncio.Task[None]"] = None
        self._is_cancelled = False

    @property
    def signal(self) -> str:
        return self._following.signal

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            if self._is_cancelled or self._following.is_over:
                self._disconnect()
                raise StopAsyncIteration
            await self._advance()
        return self._events.popleft()

    async def cancel(self) -> None:
        """Unsubscribes: no event follows, and an iteration that waits for one ends."""
        self._is_cancelled = True
        self._events.clear()
        if self._step is not None:
            self._step.cancel()
        self._disconnect()

    async def __aenter__(self) -> "Subscription":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cancel()

    async def _begin(self) -> None:
        try:
            while not (self._following.is_answered or self._is_cancelled):
                await self._advance()
        except BaseException:
            await self.cancel()
            raise
        if self._is_cancelled:
            raise ConnectionLost("the client was closed")

    async def _advance(self) -> None:
        """Takes the next lines. Whoever waits may be cancelled, and nothing is lost by that."""
        if self._step is None:
            self._step = asyncio.ensure_future(self._take_lines())
        step = self._step
        await asyncio.wait([step])
        if self._step is step:
            self._step = None
            if not step.cancelled():
                step.result()

    async def _take_lines(self) -> None:
        try:
            reader, writer = self._streams or await self._connect()
            chunk = await reader.read(65536)
            if not chunk:
                raise OSError("the connection has ended")
            for line in self._lines.split(chunk):
                self._events.extend(self._following.receive(line))
            while self._following.output:
                writer.write(encode(self._following.output.pop(0)))
            if self._following.is_greeted:
                self._backoff.reset()
        except (OSError, ValueError, Reconnect):
            self._disconnect()
            await asyncio.sleep(self._backoff.next())

    async def _connect(self) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        streams = await asyncio.open_unix_connection(self._path)
        self._streams, self._lines = streams, LineSplitter()
        self._following.output.clear()
        for fields in self._following.greeting():
            streams[1].write(encode(fields))
        return streams

    def _disconnect(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


class Client:
    """A client of a signalbox daemon, for one event loop.

    Nothing happens before the first request. Lost connections are made again, after `backoff[0]` seconds, then twice as
    long each time up to `backoff[1]`, less a random part. Requests wait for a daemon; `asyncio.wait_for` bounds that.

    :param path: The daemon's socket; else `$SIGNALBOX_SOCKET`, else `/run/signalbox/signalbox.sock`.
    """

    def __init__(self, path: Optional[str] = None, *, backoff: Tuple[float, float] = (0.1, 10.0)) -> None:
        self._path, self._backoff = socket_path(path), backoff
        self._requests = Requests(self._path, backoff)
        self._subscriptions: "weakref.WeakSet[Subscription]" = weakref.WeakSet()

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all subscriptions and requests."""
        for subscription in list(self._subscriptions):
            await subscription.cancel()
        await self._requests.close()

    # Requests

    async def request(self, op: str, *, repeats: bool = False, **fields: Any) -> Dict[str, Any]:
        """Sends a request as docs/protocol.md has it, and waits for its answer.

        :param repeats: Whether it is sent again when a connection ended before its answer.
        :raises ConnectionLost: if it is not sent again.
        """
        return await self._requests.ask({"op": op, **fields}, repeats)

    async def send(self, signal: str, value: Any, *, message_id: Optional[str] = None) -> Sent:
        """Sends a value.

        :param message_id: Names the message, so that a durable graph takes it once: it is sent again until the daemon
            has answered. Without it `ConnectionLost` says that nobody knows whether it arrived.
        """
        return await self._send(signal, message_id, value=value)

    async def send_values(self, signal: str, values: Sequence[Any], *, message_id: Optional[str] = None) -> Sent:
        """Sends several values, with no other client's value between."""
        return await self._send(signal, message_id, values=list(values))

    async def end(
        self, signal: str, event: str = "completed", *, error: Optional[Mapping[str, str]] = None,
        message_id: Optional[str] = None,
    ) -> Sent:
        """Ends a signal: `completed`, `interrupted`, or `failed` with an error `{"code": …, "message": …}`."""
        return await self._send(signal, message_id, event=event, error=error)

    async def _send(self, signal: str, message_id: Optional[str], **content: Any) -> Sent:
        fields = {"op": "send", "signal": signal, **content, "message_id": message_id}
        reply = await self._requests.ask(fields, repeats=message_id is not None)
        return Sent(reply["seq"], reply.get("duplicate", False))

    async def get(self, signal: str, *, timestamps: Optional[bool] = None) -> Held:
        """The value that a signal holds; `SignalboxError` with the code `no_value` if there is none."""
        reply = await self.request("get", repeats=True, signal=signal, timestamps=timestamps)
        return Held(reply["value"], reply["seq"], reply.get("at"))

    async def list(self, pattern: Optional[str] = None) -> List[Dict[str, Any]]:
        """The signals that this client may see."""
        signals: List[Dict[str, Any]] = (await self.request("list", repeats=True, pattern=pattern))["signals"]
        return signals

    async def describe(self, signal: Optional[str] = None, *, graph: Optional[str] = None) -> Dict[str, Any]:
        """The declaration and the state of a signal, or of all signals of a graph."""
        return await self.request("describe", repeats=True, signal=signal, graph=graph)

    async def ping(self) -> None:
        """Waits until everything that was sent before has been carried out."""
        await self.request("ping", repeats=True)

    async def hello(self) -> Dict[str, Any]:
        """The daemon's version, its epoch and its limits."""
        return await self.request("hello", repeats=True, protocol=1)

    async def call(self, action: str, value: Any = None) -> AsyncIterator[Any]:
        """Calls an action, and gives what it puts out.

        A call has a connection of its own: leaving the iteration (`aclose`) cancels it.
        """
        try:
            reader, writer = await asyncio.open_unix_connection(self._path)
        except OSError as error:
            raise ConnectionLost(str(error)) from error
        lines = LineSplitter()
        try:
            writer.write(encode({"op": "call", "id": 1, "action": action, **({} if value is None else {"value": value})}))
            while True:
                chunk = await reader.read(65536)
                if not chunk:
                    raise ConnectionLost()
                for line in lines.split(chunk):
                    if "event" not in line:
                        result(line)
                        return
                    yield line["value"]
        except OSError as error:
            raise ConnectionLost() from error
        finally:
            writer.close()

    # Subscriptions

    async def subscribe(
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
        following = Following(signal, {name: value for name, value in options.items() if value is not None})
        subscription = Subscription(self._path, self._backoff, following)
        self._subscriptions.add(subscription)
        await subscription._begin()
        return subscription
