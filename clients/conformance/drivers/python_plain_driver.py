"""The driver of the Python library without asyncio, a thread for each subscription; README.md describes its language."""
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))

from signalbox import Client, EventKind, SignalboxError, Subscription  # noqa: E402

LOCK = threading.Lock()


def tell(**line):
    with LOCK:
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
        sys.stdout.flush()


class Driver:
    def __init__(self):
        self.client = None
        self.things = {}
        self.gates = {}

    def carry_out(self, command):
        do, name = command.pop("do"), command.pop("as", None)
        if do in ("connect", "close"):
            for thing in self.things.values():
                if isinstance(thing, Subscription):
                    thing.cancel()
            self.things.clear()
            for gate in self.gates.values():
                gate.set()
            if self.client is not None:
                self.client.close()
            if do == "connect":
                low, high = command["backoff"]
                self.client = Client(command["socket"], backoff=(low / 1000, high / 1000))
            tell(did=do)
        elif do == "cancel":
            with LOCK:
                thing = self.things.pop(name)
            thing.cancel()
            tell(did=do, **{"as": name})
        elif do in ("pause", "resume"):
            gate = self.gates[name]
            gate.clear() if do == "pause" else gate.set()
            tell(did=do, **{"as": name})
        else:
            threading.Thread(target=self.work, args=(do, name, self.client, command), daemon=True).start()

    def work(self, do, name, client, fields):
        try:
            getattr(self, do)(name, client, **fields)
        except SignalboxError as error:
            if client is self.client:
                tell(failed=do, code=error.code, **{"as": name})

    def subscribe(self, name, client, signal, **options):
        gate = self.gates[name] = threading.Event()
        gate.set()
        subscription = self.things[name] = client.subscribe(signal, **options)
        tell(did="subscribe", **{"as": name})
        while gate.wait():
            event = subscription.next()
            if event is None:
                return
            with LOCK:
                if self.things.get(name) is subscription:
                    sys.stdout.write(json.dumps({"as": name, **describe(event)}, ensure_ascii=False) + "\n")
                    sys.stdout.flush()

    def send(self, name, client, signal, value=None, values=None, event=None, error=None, message_id=None):
        if values is not None:
            sent = client.send_values(signal, values, message_id=message_id)
        elif event is not None:
            sent = client.end(signal, event, error=error, message_id=message_id)
        else:
            sent = client.send(signal, value, message_id=message_id)
        tell(did="send", seq=sent.seq, **{"as": name})

    def get(self, name, client, signal):
        held = client.get(signal)
        tell(did="get", seq=held.seq, value=held.value, **{"as": name})

    def list(self, name, client, pattern=None):
        tell(did="list", signals=[signal["signal"] for signal in client.list(pattern)], **{"as": name})

    def describe(self, name, client, signal):
        tell(did="describe", kind=client.describe(signal)["kind"], **{"as": name})

    def ping(self, name, client):
        client.ping()
        tell(did="ping", **{"as": name})

    def hello(self, name, client):
        hello = client.hello()
        tell(did="hello", server=hello["server"], protocol=hello["protocol"], **{"as": name})

    def call(self, name, client, action, value=None):
        outputs = client.call(action, value)
        self.things[name] = outputs
        for output in outputs:
            with LOCK:
                if name in self.things:
                    sys.stdout.write(json.dumps({"as": name, "event": "next", "value": output}) + "\n")
                    sys.stdout.flush()
        if name in self.things:
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


driver = Driver()
for line in sys.stdin:
    driver.carry_out(json.loads(line))
os._exit(0)
