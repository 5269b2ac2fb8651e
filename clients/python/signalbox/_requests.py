"""Requests and their answers, over as many connections as that takes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

from ._connection import Backoff, LineSplitter, encode, is_of_connection, is_postponed
from ._errors import ConnectionLost, SignalboxError


@dataclass
class _Pending:
    fields: Dict[str, Any]
    answer: "asyncio.Future[Dict[str, Any]]"
    #: Whether it may be sent again when a connection ended before its answer.
    repeats: bool
    is_written: bool = False


class Requests:
    """A connection for requests, made when there is one."""

    def __init__(self, path: str, backoff: Tuple[float, float]) -> None:
        self._path = path
        self._backoff = Backoff(backoff)
        self._pending: "OrderedDict[int, _Pending]" = OrderedDict()
        self._count = 0
        self._writer: Optional[asyncio.StreamWriter] = None
        self._task: Optional["asyncio.Task[None]"] = None

    async def ask(self, fields: Dict[str, Any], repeats: bool) -> Dict[str, Any]:
        """Sends a request and waits for its answer. If the wait is cancelled, the answer is passed over."""
        self._count += 1
        number = self._count
        pending = _Pending({"op": fields["op"], "id": number, **fields}, asyncio.get_running_loop().create_future(), repeats)
        self._pending[number] = pending
        if self._writer is not None:
            self._write(self._writer, pending)
        elif self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())
        try:
            return await pending.answer
        finally:
            if not pending.is_written:
                self._pending.pop(number, None)

    @staticmethod
    def _write(writer: asyncio.StreamWriter, pending: _Pending) -> None:
        writer.write(encode(pending.fields))
        pending.is_written = True

    async def _run(self) -> None:
        while self._pending:
            try:
                await self._serve()
            except (OSError, ValueError):
                pass
            self._forget_lost()
            if self._pending:
                await asyncio.sleep(self._backoff.next())

    async def _serve(self) -> None:
        """Sends what is to be sent, and takes answers until the connection ends."""
        reader, writer = await asyncio.open_unix_connection(self._path)
        lines = LineSplitter()
        try:
            self._writer = writer
            for pending in self._pending.values():
                self._write(writer, pending)
            while True:
                chunk = await reader.read(65536)
                if not chunk:
                    return
                for line in lines.split(chunk):
                    self._take(line)
        finally:
            self._writer = None
            writer.close()

    def _take(self, line: Dict[str, Any]) -> None:
        if is_of_connection(line):
            raise OSError(line["error"]["message"])
        self._backoff.reset()
        # Answers come in order, so one without an id is that of the oldest request.
        number = line.get("id", next(iter(self._pending), 0))
        pending = self._pending.get(number)
        if pending is None or is_postponed(line, pending.repeats):
            return
        del self._pending[number]
        if pending.answer.done():
            return
        if "error" in line:
            pending.answer.set_exception(SignalboxError.of(line["error"]))
        else:
            pending.answer.set_result(line)

    def _forget_lost(self) -> None:
        for number, pending in list(self._pending.items()):
            if pending.answer.done() or (pending.is_written and not pending.repeats):
                del self._pending[number]
                if not pending.answer.done():
                    pending.answer.set_exception(ConnectionLost())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(ConnectionLost("the client was closed"))
        self._pending.clear()
