"""The client for asyncio."""

from __future__ import annotations

import asyncio
import weakref
from functools import partial
from typing import Any, AsyncIterator, Dict, Generic, List, Mapping, Optional, Sequence, Tuple

from ._connection import Held, Line, Sent, socket_path
from ._errors import ConnectionLost
from ._exchange import Calling, Exchange, Outcome, Requests, T, result
from ._following import Event, Following


class _Link(Generic[T]):
    """Carries out an exchange, as far as events are taken."""

    def __init__(self, path: str, exchange: Exchange[T]) -> None:
        self._path, self._exchange = path, exchange
        self._streams: Optional[Tuple[asyncio.StreamReader, asyncio.StreamWriter]] = None
        self._step: Optional["asyncio.Task[None]"] = None
        self._is_cancelled = False

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not (self._exchange.events or self._exchange.is_over or self._is_cancelled):
            await self._advance()
        if self._exchange.is_over:
            self._disconnect()
        if not self._exchange.events:
            raise StopAsyncIteration
        return self._exchange.pop()

    async def cancel(self) -> None:
        """Ends the subscription: no event follows, and an iteration that waits for one ends."""
        self._is_cancelled = True
        self._exchange.events.clear()
        if self._step is not None:
            self._step.cancel()
        self._disconnect()

    async def _advance(self) -> None:
        """Takes a step. Whoever waits may be cancelled, and nothing is lost by that."""
        if self._step is None or self._step.done():
            self._step = asyncio.ensure_future(self._take_step())
        step = self._step
        await asyncio.wait([step])
        if not step.cancelled():
            step.result()

    async def _take_step(self) -> None:
        """Makes a connection, or takes what has come on it."""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_unix_connection(self._path)
                self._write(self._exchange.connect())
            else:
                self._write(self._exchange.receive(await self._streams[0].read(65536)))
        except (OSError, ValueError) as error:
            self._disconnect()
            await asyncio.sleep(self._exchange.lose(error))

    def _write(self, text: bytes) -> None:
        if self._streams is not None:
            self._streams[1].write(text)

    def _disconnect(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


class Subscription(_Link[Event]):
    """The events of one subscription, as an asynchronous iterator.

    It has a connection of its own, which is read only as far as events are taken: a program that is slow holds up
    nothing but itself, and the daemon's `overflow` decides what then gives way. It ends with the signal, or with `take`.
    """

    _exchange: Following

    @property
    def signal(self) -> str:
        return self._exchange.signal

    async def __aenter__(self) -> "Subscription":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cancel()

    async def _begin(self) -> None:
        try:
            while not self._exchange.has_begun():
                if self._is_cancelled:
                    raise ConnectionLost("the client was closed")
                await self._advance()
        except BaseException:
            await self.cancel()
            raise


def _settle(answer: "asyncio.Future[Outcome[Line]]", outcome: Outcome[Line]) -> None:
    if not answer.done():
        answer.set_result(outcome)


class Client:
    """A client of a signalbox daemon, for one event loop.

    Nothing happens before the first request. Lost connections are made again, after `backoff[0]` seconds, then twice as
    long each time up to `backoff[1]`, less a random part. Requests wait for a daemon; `asyncio.wait_for` bounds that.

    :param path: The daemon's socket; else `$SIGNALBOX_SOCKET`, else `/run/signalbox/signalbox.sock`.
    """

    def __init__(self, path: Optional[str] = None, *, backoff: Tuple[float, float] = (0.1, 10.0)) -> None:
        self._path, self._backoff = socket_path(path), backoff
        self._requests = Requests(backoff)
        self._link = _Link(self._path, self._requests)
        self._task: Optional["asyncio.Task[None]"] = None
        self._subscriptions: "weakref.WeakSet[Subscription]" = weakref.WeakSet()

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all subscriptions and requests."""
        for subscription in list(self._subscriptions):
            await subscription.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._link._disconnect()
        self._requests.close()

    # Requests

    async def request(self, op: str, *, repeats: bool = False, **fields: Any) -> Dict[str, Any]:
        """Sends a request as docs/protocol.md has it, and waits for its answer.

        :param repeats: Whether it is sent again when a connection ended before its answer.
        :raises ConnectionLost: if it is not sent again.
        """
        answer: "asyncio.Future[Outcome[Line]]" = asyncio.get_running_loop().create_future()
        number = self._requests.ask({"op": op, **fields}, repeats, partial(_settle, answer))
        self._link._write(self._requests.flush())
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._answer())
        try:
            return result(await answer)
        finally:
            self._requests.forget(number)

    async def _answer(self) -> None:
        """Takes answers, and makes connections for requests that wait for one."""
        while not self._requests.is_idle:
            await self._link._take_step()

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
        repeats = message_id is not None
        return Sent.of(await self.request("send", repeats=repeats, signal=signal, **content, message_id=message_id))

    async def get(self, signal: str, *, timestamps: Optional[bool] = None) -> Held:
        """The value that a signal holds; `SignalboxError` with the code `no_value` if there is none."""
        return Held.of(await self.request("get", repeats=True, signal=signal, timestamps=timestamps))

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
        link = _Link(self._path, Calling(action, value))
        try:
            async for output in link:
                yield output
        finally:
            await link.cancel()

    # Subscriptions

    async def subscribe(
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
        await subscription._begin()
        return subscription
