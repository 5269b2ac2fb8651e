"""Stands between a driver and a daemon, and breaks connections where it is told to."""

import asyncio
import json

UP, DOWN = "up", "down"  # To the daemon, and to the driver.
MOMENT = 0.002


class Plan:
    """The fault of a session, and how many of its bytes have come.

    Bytes are counted in each direction, over all connections in the order in which they come.
    """

    def __init__(self, fault=None, direction=None, at=0):
        self.fault, self.direction, self.at = fault, direction, at
        self.passed = {UP: 0, DOWN: 0}
        self.is_spent = fault in (None, "split")
        self.held = asyncio.Event()

    def place(self, direction, data):
        """How many of these bytes come before the fault; `None` if it does not come in them."""
        before = self.passed[direction]
        self.passed[direction] += len(data)
        if self.is_spent or direction != self.direction or self.passed[direction] < self.at:
            return None
        self.is_spent = True
        return self.at - before


class Proxy:
    def __init__(self, path, target):
        self.path, self.target = path, target
        self.plan = Plan()
        self.is_down = False
        self.links = set()

    async def start(self):
        self.server = await asyncio.get_running_loop().create_unix_server(lambda: Side(Link(self), UP), self.path)

    def set_down(self, is_down):
        """Ends all connections and refuses new ones, or takes them again."""
        self.is_down = is_down
        if is_down:
            self.close_all()

    def close_all(self, passing_on=False):
        """Ends all connections, if wanted behind what the daemon has said while they were held."""
        for link in list(self.links):
            if passing_on and not link.is_closed and UP in link.sides:
                link.sides[UP].transport.write(b"".join(link.kept))
            link.close()

    async def interrupt(self, pattern, signals, stays_open):
        """Ends a subscription as a daemon that was replaced without it; waits until no connection has it any more."""
        lines = [{"event": "interrupted", "signal": signal, "reason": "restarted"} for signal in signals]
        links = [link for link in list(self.links) if link.subscribes(pattern)]
        for link in links:
            link.interrupt("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode(), stays_open)
        await asyncio.gather(*(link.over.wait() for link in links))

    def hold_all(self):
        for link in self.links:
            link.is_held = True
        self.plan.held.set()


class Link:
    """A connection of the driver, and the one to the daemon that belongs to it."""

    def __init__(self, proxy):
        self.proxy, self.plan = proxy, proxy.plan
        self.sides = {}
        self.waiting = {UP: [], DOWN: []}
        self.delayed = self.ended = None
        self.is_held = self.is_closed = False
        #: Whether nothing more is passed on to the driver.
        self.is_silent = False
        self.kept = []
        self.timer = None
        #: What the driver has asked first.
        self.asked = b""
        self.over = asyncio.Event()

    def opened(self, side):
        self.sides[side.direction] = side
        if side.direction == DOWN:
            waiting, self.waiting[UP] = self.waiting[UP], []
            for data in waiting:
                if not self.is_closed:
                    self.take(UP, data)
            return
        if self.proxy.is_down:
            return self.close()
        self.proxy.links.add(self)
        self.is_held = self.plan.held.is_set()
        asyncio.ensure_future(self.connect())

    async def connect(self):
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: Side(self, DOWN), self.proxy.target)
        except OSError:
            self.close()
        if self.is_closed:
            self.close()

    def subscribes(self, pattern):
        requests = [json.loads(line) for line in self.asked.split(b"\n")[:-1]]
        return any(request["op"] == "subscribe" and request["signal"] == pattern for request in requests)

    def interrupt(self, lines, stays_open):
        self.take(DOWN, lines)
        self.is_silent = stays_open
        if not stays_open and not self.is_closed:
            self.closed(DOWN)

    def came(self, direction, data):
        if direction == UP and len(self.asked) < 4096:
            self.asked += data
        if direction == UP and DOWN not in self.sides:
            self.waiting[UP].append(data)
        elif not self.is_closed:
            self.take(direction, data)

    def take(self, direction, data):
        if self.ended:
            return self.close()
        if self.is_silent and direction == DOWN:
            return
        if self.is_held:
            if direction == DOWN:
                self.kept.append(data)
            return
        if self.delayed:
            self.wait_for_stillness()
            if direction == self.delayed:
                self.plan.passed[direction] += len(data)
                return self.waiting[direction].append(data)
        place = self.plan.place(direction, data)
        if place is None:
            return self.write(direction, data)
        self.write(direction, data[:place])
        rest = data[place:]
        fault = self.plan.fault
        if fault == "cut":
            self.close()
        elif fault == "delay":
            self.delayed = direction
            self.waiting[direction].append(rest)
            self.wait_for_stillness()
        elif fault == "end":
            self.ended = direction
            self.other(direction).write_eof()
            if rest:
                self.close()
        elif fault == "hold":
            self.proxy.hold_all()
            if direction == DOWN:
                self.kept.append(rest)

    def other(self, direction):
        return self.sides[DOWN if direction == UP else UP].transport

    def write(self, direction, data):
        if not data:
            return
        if self.plan.fault != "split":
            return self.other(direction).write(data)
        self.waiting[direction].append(data)
        if len(self.waiting[direction]) == 1:
            self.write_byte(direction, 0)

    def write_byte(self, direction, index):
        """Writes one byte, and the next one when everybody has had a turn."""
        queue = self.waiting[direction]
        if self.is_closed:
            return
        if index == len(queue[0]):
            queue.pop(0)
            index = 0
            if not queue:
                return
        self.other(direction).write(queue[0][index:index + 1])
        asyncio.get_running_loop().call_soon(self.write_byte, direction, index + 1)

    def wait_for_stillness(self):
        if self.timer:
            self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(MOMENT, self.release)

    def release(self):
        direction, self.delayed = self.delayed, None
        if direction is None:
            return
        for data in self.waiting[direction]:
            if not self.is_closed:
                self.other(direction).write(data)
        self.waiting[direction].clear()

    def closed(self, direction):
        """One side has ended; what it said before is passed on."""
        if self.delayed and not self.is_closed:
            self.release()
        if not self.is_held:
            self.close()

    def close(self):
        self.is_closed = True
        self.over.set()
        self.proxy.links.discard(self)
        for side in self.sides.values():
            side.transport.close()


class Side(asyncio.Protocol):
    """One of the two connections of a link, named after the direction of what comes from it."""

    def __init__(self, link, direction):
        self.link, self.direction = link, direction

    def connection_made(self, transport):
        self.transport = transport
        self.link.opened(self)

    def data_received(self, data):
        self.link.came(self.direction, data)

    def eof_received(self):
        return False

    def connection_lost(self, error):
        self.link.closed(self.direction)

    def pause_writing(self):
        side = self.link.sides.get(DOWN if self.direction == UP else UP)
        if side:
            side.transport.pause_reading()

    def resume_writing(self):
        side = self.link.sides.get(DOWN if self.direction == UP else UP)
        if side and not side.transport.is_closing():
            side.transport.resume_reading()
