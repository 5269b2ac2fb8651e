"""The driver of the Python library, with asyncio; README.md describes its language."""
import asyncio
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))

from signalbox import EventKind, SignalboxError, aio  # noqa: E402

OPTIONS = ("replay", "take", "where", "every", "heartbeat", "overflow", "timestamps", "position")


def tell(**line):
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()


class Driver:
    def __init__(self):
        self.client = None
        self.things = {}
        self.gates = {}
        self.tasks = set()

    async def carry_out(self, command):
        do, name = command.pop("do"), command.pop("as", None)
        if do in ("connect", "close"):
            if self.client is not None:
                await self.client.close()
            self.client = None
            for task in self.tasks:
                task.cancel()
            if do == "connect":
                low, high = command["backoff"]
                self.client = aio.Client(command["socket"], backoff=(low / 1000, high / 1000))
            tell(did=do)
            return
        if do == "cancel":
            thing = self.things.pop(name)
            await (thing.cancel() if isinstance(thing, aio.Subscription) else self.cancel_call(thing))
            tell(did=do, **{"as": name})
        elif do in ("pause", "resume"):
            gate = self.gates[name]
            gate.clear() if do == "pause" else gate.set()
            tell(did=do, **{"as": name})
        else:
            task = asyncio.ensure_future(self.work(do, name, command))
            if do == "call":
                self.things[name] = task
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    @staticmethod
    async def cancel_call(task):
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def work(self, do, name, fields):
        try:
            await getattr(self, do)(name, **fields)
        except SignalboxError as error:
            tell(failed=do, code=error.code, **{"as": name})

    async def subscribe(self, name, signal, **options):
        assert set(options) <= set(OPTIONS)
        subscription = self.things[name] = await self.client.subscribe(signal, **options)
        gate = self.gates[name] = asyncio.Event()
        gate.set()
        tell(did="subscribe", **{"as": name})
        while True:
            await gate.wait()
            try:
                event = await subscription.__anext__()
            except StopAsyncIteration:
                return
            if self.things.get(name) is subscription:
                tell(**{"as": name}, **describe(event))

    async def send(self, name, signal, value=None, values=None, event=None, error=None, message_id=None):
        if values is not None:
            sent = await self.client.send_values(signal, values, message_id=message_id)
        elif event is not None:
            sent = await self.client.end(signal, event, error=error, message_id=message_id)
        else:
            sent = await self.client.send(signal, value, message_id=message_id)
        tell(did="send", seq=sent.seq, **{"as": name})

    async def get(self, name, signal):
        held = await self.client.get(signal)
        tell(did="get", seq=held.seq, value=held.value, **{"as": name})

    async def list(self, name, pattern=None):
        tell(did="list", signals=[signal["signal"] for signal in await self.client.list(pattern)], **{"as": name})

    async def describe(self, name, signal):
        tell(did="describe", kind=(await self.client.describe(signal))["kind"], **{"as": name})

    async def ping(self, name):
        await self.client.ping()
        tell(did="ping", **{"as": name})

    async def hello(self, name):
        hello = await self.client.hello()
        tell(did="hello", server=hello["server"], protocol=hello["protocol"], **{"as": name})

    async def call(self, name, action, value=None):
        async for output in self.client.call(action, value):
            tell(event="next", value=output, **{"as": name})
        tell(did="call", **{"as": name})


def describe(event):
    """An event as a line has it."""
    line = {"event": event.kind, "signal": event.signal}
    for member in ("seq", "value", "at", "error", "reason", "dropped", "oldest"):
        if getattr(event, member) is not None or member == "value" and event.kind == EventKind.NEXT:
            line[member] = getattr(event, member)
    if event.kind == EventKind.EXPIRED:
        line["from"] = event.last
    if event.kind in (EventKind.RESTARTED, EventKind.RENEWED):
        line["epoch"] = event.epoch
    return line


async def main():
    driver = Driver()
    reader = asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async for line in reader:
        await driver.carry_out(json.loads(line))


asyncio.run(main())
