"""The processes of the suite: daemons, drivers, and a client that nobody breaks."""

import asyncio
import json
import os
import pathlib
import signal as signals
import subprocess
import time

from configuration import configuration
from proxy import Proxy

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 60  # Seconds without what is awaited are a failure.


class Daemon:
    def __init__(self, folder, slots):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.socket = str(self.folder / "s")
        (self.folder / "signalbox.yaml").write_text(configuration(self.folder, slots))
        self.program = os.environ.get("SIGNALBOXD") or str(HERE.parent.parent / ".build/debug/signalboxd")
        self.starts = 0

    async def start(self):
        self.starts += 1
        self.process = await asyncio.create_subprocess_exec(
            self.program, "--config", str(self.folder / "signalbox.yaml"), "--socket", self.socket,
            stdout=open(self.folder / "log", "ab"), stderr=subprocess.STDOUT)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                _, writer = await asyncio.open_unix_connection(self.socket)
                writer.close()
                return
            except OSError:
                if self.process.returncode is not None or time.monotonic() > deadline:
                    raise SystemExit("the daemon does not start:\n" + (self.folder / "log").read_text()[-3000:])
                await asyncio.sleep(0.005)

    async def end(self, how):
        self.process.send_signal(how)
        await self.process.wait()


class Other:
    """A client of the daemon that nobody breaks."""

    def __init__(self, socket):
        self.socket = socket
        self.lock = asyncio.Lock()

    async def connect(self):
        self.reader, self.writer = await asyncio.open_unix_connection(self.socket, limit=1 << 26)

    async def ask(self, requests):
        async with self.lock:
            self.writer.write(b"".join(json.dumps({**request, "id": 1}).encode() + b"\n" for request in requests))
            return [json.loads(await asyncio.wait_for(self.reader.readline(), PATIENCE)) for _ in requests]

    async def settle(self):
        """Waits until the question that is under way is answered."""
        async with self.lock:
            pass

    async def numbers(self, names):
        answers = await self.ask([{"op": "describe", "signal": name} for name in names])
        return {name: answer["seq"] for name, answer in zip(names, answers)}


class Driver:
    """A process that drives a library, one session after the other."""

    def __init__(self, name, command, folder, number):
        self.name, self.command, self.number = name, command, number
        self.proxy_path = f"{folder}/{name}.{number}"
        self.log = open(f"{folder}/{name}.{number}.log", "ab")
        self.process = None

    async def start(self, daemon_socket):
        self.proxy = Proxy(self.proxy_path, daemon_socket)
        await self.proxy.start()
        await self.begin()

    async def begin(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, limit=1 << 26,
            start_new_session=True)

    async def end(self):
        if self.process is None or self.process.returncode is not None:
            return
        self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 5)
        except asyncio.TimeoutError:
            pass
        try:
            os.killpg(self.process.pid, signals.SIGKILL)
        except ProcessLookupError:
            pass
        await self.process.wait()
