"""Scenarios, and how one of them is played by a driver."""

import asyncio
import collections
import itertools
import json
import signal as signals
import time

from processes import PATIENCE, Other


class Mismatch(Exception):
    """What was told is not what must be told."""


class Scenario:
    def __init__(self, path):
        head, *steps = [json.loads(line) for line in path.read_text().splitlines() if line and not line.startswith("//")]
        self.name, self.steps = path.stem, steps
        self.faults, self.weight = head.get("faults", ["cut", "delay", "end"]), head.get("weight", 1)
        self.only = head.get("only")
        self.restarts = head.get("restarts", [])

    @staticmethod
    def covered(pattern):
        graph, signal = pattern.split(".", 1)
        return [f"{graph}.{one}" for one in "abc"] if signal == "*" else [pattern]


class Session:
    """One scenario, played by one driver."""

    count = itertools.count(1)

    def __init__(self, scenario, driver, daemon, slot, plan, rounds=None):
        self.scenario, self.driver, self.plan, self.rounds = scenario, driver, plan, rounds
        self.slot, self.name = f"{slot:03}", f"{next(Session.count):08}"
        self.other = Other(daemon.socket)
        self.told = collections.defaultdict(collections.deque)
        self.news = asyncio.Event()
        self.transcript = []
        self.begun, self.ended = set(), set()
        self.fault = None
        #: The signals that requests are about, whose answers do not name them.
        self.subject = {}
        self.names = sorted({name for step in scenario.steps for name in self.names_in(self.fill(step))})

    def fill(self, thing):
        """Puts the slot and the session into names."""
        if isinstance(thing, dict):
            return {self.fill(key): self.fill(value) for key, value in thing.items()}
        if isinstance(thing, list):
            return [self.fill(one) for one in thing]
        if isinstance(thing, str):
            return thing.replace("$", self.slot).replace("#", self.name)
        return thing

    def names_in(self, step):
        """The signals of this session's graphs."""
        for key, value in step.items() if isinstance(step, dict) else ():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    yield from self.names_in(one)
                elif key == "signal" and one[1:4] == self.slot and not one.endswith(".nothing"):
                    yield from self.scenario.covered(one)

    async def play(self):
        self.driver.proxy.plan = self.plan
        self.driver.proxy.set_down(False)
        await self.other.connect()
        reader = asyncio.ensure_future(self.read())
        try:
            await self.take_bases()
            self.command({"do": "connect", "socket": self.driver.proxy_path, "backoff": [0, 5]})
            await self.expect({"did": "connect"})
            for number, step in enumerate(self.scenario.steps, 2):
                self.step = f"{self.scenario.name}.jsonl:{number}"
                await self.carry_out(self.fill(step))
            self.step = "the end"
            self.command({"do": "close"})
            await self.expect({"did": "close"})
            left = [line for lines in self.told.values() for line in lines]
            if left or self.fault:
                raise Mismatch(self.fault or f"more was told than expected: {json.dumps(left[0])}")
        finally:
            reader.cancel()
            self.driver.proxy.close_all()
            await self.clean()

    async def take_bases(self):
        """Asks how far the signals have come before."""
        self.base = await self.other.numbers(self.names)
        self.epoch = (await self.other.ask([{"op": "hello"}]))[0]["epoch"]
        self.sum = 0
        for name in self.names:
            if name.endswith(".sum"):
                answer = await self.other.ask([{"op": "get", "signal": name}])
                self.sum = answer[0].get("value", 0)

    async def clean(self):
        """Has the signals forget what they retain."""
        writable = [name for name in self.names if not name.endswith((".sum", ".few"))]
        await self.other.ask([{"op": "send", "signal": name, "event": "completed"} for name in writable])
        await self.other.ask([{"op": "restart", "signal": name} for name in writable])
        self.other.writer.close()

    # What is told

    async def read(self):
        while True:
            line = await self.driver.process.stdout.readline()
            if not line:
                self.fault = "the driver has ended"
                self.news.set()
                return
            try:
                self.take(json.loads(line))
            except (ValueError, KeyError) as error:
                self.fault = f"the driver says {line[:300]!r}: {error!r}"
            self.news.set()

    def take(self, line):
        self.transcript.append(line)
        name = line.get("as")
        if "did" in line:
            if line["did"] in ("subscribe", "cancel"):
                (self.begun if line["did"] == "subscribe" else self.ended).add(name)
        elif "event" in line:
            if name in self.ended:
                self.fault = f"after its end: {json.dumps(line)}"
            if "signal" in line and name not in self.begun:
                self.fault = f"before its beginning: {json.dumps(line)}"
        base = self.base.get(self.subject.get(name) or line.get("signal"), 0)
        for member in ("seq", "from", "oldest"):
            if line.get(member):
                line[member] -= base
        line.pop("epoch", None)
        if isinstance(line.get("at"), str) and line["at"].endswith("Z"):
            line["at"] = True
        if line.get("event") == "next" and str(line.get("signal")).endswith(".sum"):
            # A sum goes on from what earlier sessions have left.
            line["sum"] = line.pop("value") - self.sum
        self.told[name, line.get("signal")].append(line)

    async def next(self, name, signal):
        """The next line about a thing: an answer, or an event of a signal."""
        deadline = time.monotonic() + PATIENCE
        while not self.told[name, signal]:
            if self.fault:
                raise Mismatch(self.fault)
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), deadline - time.monotonic())
            except asyncio.TimeoutError:
                raise Mismatch("nothing was told") from None
        return self.told[name, signal].popleft()

    async def expect(self, *expected):
        line = await self.next(expected[0].get("as"), expected[0].get("signal"))
        if line not in expected:
            raise Mismatch(f"expected {json.dumps(expected[0])}, was told {json.dumps(line)}")
        return line

    # Steps

    def command(self, command):
        if "position" in command:
            command["position"] = {
                name: {"seq": self.base[name] + number, "epoch": self.epoch}
                for name, number in command["position"].items()}
        self.transcript.append(command)
        self.driver.process.stdin.write(json.dumps(command).encode() + b"\n")

    async def carry_out(self, step):
        if "do" in step:
            if step["do"] in ("send", "get"):
                self.subject[step["as"]] = step["signal"]
            self.command(step)
        elif "told" in step:
            told = step["told"] if isinstance(step["told"], list) else [step["told"]]
            await self.expect(*told, *([step["broken"]] if "broken" in step and self.plan.fault else []))
        elif "other" in step:
            if self.rounds:
                await self.rounds.pass_gate()
            answers = await self.other.ask(step["other"])
            self.transcript.append({"other": answers})
            for answer in answers:
                if "error" in answer:
                    raise Mismatch(f"the other client was refused: {json.dumps(answer)}")
        elif "covered" in step:
            await self.cover(**step["covered"])
        elif "proxy" in step:
            self.driver.proxy.set_down(step["proxy"] == "down")
        elif "interrupted" in step:
            ending = step["interrupted"]
            over = self.driver.proxy.interrupt(ending["subscription"], ending["signals"], ending.get("open", False))
            try:
                await asyncio.wait_for(over, PATIENCE)
            except asyncio.TimeoutError:
                raise Mismatch("the connection of the interrupted subscription is still open") from None
        elif "daemon" in step:
            # A daemon that ends in order says so; one that is killed says nothing more.
            if self.rounds.how == signals.SIGKILL:
                self.driver.proxy.hold_all()
            self.plan.held.set()
            await self.rounds.restarted()
        elif "value" in step:
            await self.check_values(**step["value"])
        elif "flood" in step:
            await self.flood(**step["flood"])
        elif "idle" in step:
            while (await self.other.ask([{"op": "get", "signal": step["idle"] + ".executing"}]))[0]["value"]:
                await asyncio.sleep(0.001)
        elif "outputs" in step:
            await self.outputs(**step["outputs"])
        else:
            raise Mismatch(f"unknown step {step}")

    async def cover(self, signal, upto, lagged=False, **rest):
        last, missing = rest.get("from", 0), 0
        while last < upto:
            line = await self.next(rest["as"], signal)
            if line["event"] == "next":
                if line["seq"] != last + 1:
                    raise Mismatch(f"after number {last} came {json.dumps(line)[:200]}")
                last += 1
            elif line["event"] == "lagged":
                last, missing = last + line["dropped"], missing + line["dropped"]
            elif line["event"] == "expired" and line["from"] == last and line["oldest"] > last + 1:
                last, missing = line["oldest"] - 1, missing + line["oldest"] - 1 - last
            else:
                raise Mismatch(f"after number {last} came {json.dumps(line)[:200]}")
        if last != upto or lagged and not missing:
            raise Mismatch(f"{missing} were missing, and the last number is {last}")

    async def flood(self, signal, count, bytes):
        """Sends many values, each of so many bytes."""
        for number in range(count):
            await self.other.ask([{"op": "send", "signal": signal, "value": "x" * bytes}])

    async def outputs(self, values, **rest):
        """The outputs of a call: all of them, or, where the connection was broken, the first ones."""
        got = []
        while True:
            line = await self.next(rest["as"], None)
            if "event" in line:
                got.append(line["value"])
            elif line == {"did": "call", "as": rest["as"]} and got == values:
                return
            elif line.get("code") == "connection_lost" and got == values[:len(got)] and self.plan.fault:
                return
            else:
                raise Mismatch(f"after {got} of {values} came {json.dumps(line)}")

    async def check_values(self, signal, **rest):
        number = (await self.other.numbers([signal]))[signal]
        count = number - self.base[signal]
        reader, writer = await asyncio.open_unix_connection(self.other.socket)
        got = []
        if count:
            writer.write(json.dumps({"op": "subscribe", "signal": signal, "replay": count, "take": count}).encode() + b"\n")
            await reader.readline()
            got = [json.loads(await asyncio.wait_for(reader.readline(), PATIENCE))["value"] for _ in range(count)]
        writer.close()
        if got not in (rest.get("either") or [rest["is"]]):
            raise Mismatch(f"{signal} got {got}, not {rest}")
