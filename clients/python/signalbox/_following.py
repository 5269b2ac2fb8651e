"""A subscription over all connections, without input or output.

`Following` knows of each signal the last number that came, and says what to ask a new connection for, so that nothing
is lost or doubled. The other libraries have the same state machine; clients/README.md explains it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, Mapping, Optional, Tuple

from ._connection import Line
from ._errors import SignalboxError
from ._exchange import Exchange, Reconnect
from ._protocol import ErrorCode, EventKind


@dataclass(frozen=True)
class Event:
    """What a subscription tells.

    `kind` is one of `signalbox.EventKind`. Members that a kind does not have are `None`. Keep `seq` and `epoch` of a
    value beside what you do with it, and a later run of your program can go on there (`position`).
    """

    kind: str
    signal: str
    seq: Optional[int] = None
    value: Any = None
    at: Optional[str] = None
    epoch: Optional[str] = None
    #: Of `failed`: `{"code": …, "message": …}`.
    error: Optional[Mapping[str, Any]] = None
    reason: Optional[str] = None
    #: Of `lagged`: how many values are missing here.
    dropped: Optional[int] = None
    #: Of `expired`: the last number that came, and the first that is left (0 if that cannot be known).
    last: Optional[int] = None
    oldest: Optional[int] = None


_MEMBERS = frozenset(field.name for field in fields(Event)) - {"kind"}


@dataclass
class _Place:
    """How far the values of a signal have come."""

    epoch: str
    #: The last number that came; `None` while all that is retained may still come.
    seq: Optional[int] = None
    #: Without a value so far: the number above which none may be missing.
    floor: int = 0
    ended: bool = False

    @property
    def base(self) -> int:
        return max(self.seq or 0, self.floor)

    def reach(self, seq: int) -> None:
        self.seq = max(seq, self.seq or 0)


class Following(Exchange[Event]):
    """A subscription over all its connections."""

    def __init__(
        self, backoff: Tuple[float, float], signal: str, position: Optional[Mapping[str, Mapping[str, Any]]] = None,
        **options: Any,
    ) -> None:
        super().__init__(backoff)
        self.signal = signal
        self._is_answered = False
        self._options = options
        self._is_name = "*" not in signal
        self._is_thinned = options.get("where") is not None or options.get("every") is not None
        self._epoch = ""
        self._places = {name: _Place(place["epoch"], place["seq"]) for name, place in (position or {}).items()}
        #: Whether there is something to go on from.
        self._can_resume = bool(position)
        self._has_from = self._is_resumed = False
        self._oldest = 0
        #: The numbers in the answer, until all up to them have come: until it is settled.
        self._reached: Optional[Dict[str, int]] = None

    def has_begun(self) -> bool:
        """Whether the daemon has taken the subscription, on whatever connection.

        :raises SignalboxError: if it has refused it
        """
        if self.is_over and not self._is_answered:
            self.pop()
        return self._is_answered

    def take(self, line: Line) -> None:
        if "event" in line:
            if "signal" in line:
                self._take_event(line)
        elif "error" in line:
            self._refuse(line["error"], line.get("op"))
        elif line["reply"] == "hello":
            self._epoch = line["epoch"]
        elif line["reply"] == "subscribe":
            self._begin(line)
        elif line["reply"] == "ping":
            self._settle()

    # Requests

    def _greet(self) -> None:
        self._say({"op": "hello", "id": 0, "protocol": 1})
        self._subscribe(with_places=True)

    def _subscribe(self, with_places: bool) -> None:
        known = {name: {"seq": p.seq, "epoch": p.epoch} for name, p in self._places.items() if p.seq is not None}
        self._has_from = with_places and bool(known)
        request = {"op": "subscribe", "id": 1, "signal": self.signal, **self._options}
        if self._can_resume:
            request["replay"] = None
        if self._has_from and self._is_name:
            request["from"], request["epoch"] = known[self.signal]["seq"], known[self.signal]["epoch"]
        elif self._has_from:
            request["from"] = known
        self._say(request)

    def _begin(self, reply: Line) -> None:
        """Takes the answer to the request."""
        self._say({"op": "ping", "id": 2})
        self._is_resumed, self._can_resume, self._is_answered = self._can_resume, True, True
        self._reached = {told["signal"]: told["seq"] for told in reply["signals"]}
        for told in reply["signals"]:
            name, seq = told["signal"], told["seq"]
            epoch = told.get("epoch") or reply.get("epoch") or self._epoch
            place = self._places.get(name)
            if place is None:
                self._places[name] = self._first_place(seq, epoch)
                if self._is_resumed and not self._is_name:
                    self._tell(EventKind.SUBSCRIBED, name, seq=seq, epoch=epoch)
            elif not self._has_from and (place.epoch != epoch or seq < place.base):
                self._places[name] = _Place(epoch, floor=seq)
                self._tell(EventKind.RESTARTED, name, epoch=epoch)
            elif self._is_resumed and not self._has_from and self._is_thinned and seq > place.base:
                self._tell(EventKind.EXPIRED, name, last=place.base, oldest=self._oldest)
                # Another break must not tell it again.
                place.seq = max(place.base, self._oldest - 1)
        for name in [name for name in self._places if name not in self._reached]:
            if not self._places.pop(name).ended:
                self._tell(EventKind.INTERRUPTED, name, reason="removed")

    def _first_place(self, seq: int, epoch: str) -> _Place:
        replay = self._options.get("replay")
        if seq == 0 or replay == 0:
            return _Place(epoch, seq)
        if replay is None or self._is_thinned or self._is_resumed:
            return _Place(epoch, floor=seq)
        return _Place(epoch, max(0, seq - replay), floor=seq)

    def _refuse(self, error: Mapping[str, Any], op: Optional[str]) -> None:
        code = error["code"]
        if op == "hello":
            raise SignalboxError.of(error)
        if self._has_from and code in (ErrorCode.EXPIRED, ErrorCode.BAD_REQUEST, ErrorCode.TOO_LONG):
            # Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
            self._oldest = error.get("oldest", 0) if "epoch" not in error else 0
            self._subscribe(with_places=False)
            return
        if code in (ErrorCode.TOO_MANY, ErrorCode.SHUTTING_DOWN, ErrorCode.UNAVAILABLE, ErrorCode.STORAGE):
            raise Reconnect(error["message"])
        reason = {ErrorCode.UNKNOWN_SIGNAL: "removed", ErrorCode.DENIED: "denied"}.get(code)
        if not self._is_answered or reason is None:
            raise SignalboxError.of(error)
        self.is_over = True
        self._tell(EventKind.INTERRUPTED, self.signal, reason=reason)

    def _settle(self) -> None:
        """Takes note that all that was retained has come."""
        for name, seq in (self._reached or {}).items():
            place = self._places.get(name)
            if place is None:
                continue
            self._tell_missing(name, place, seq + 1)
            place.reach(seq)
            place.floor = 0
        self._reached = None

    # Events

    def _tell(self, kind: str, signal: str, **members: Any) -> None:
        self.events.append(Event(kind, signal, **members))

    def _tell_missing(self, name: str, place: _Place, oldest: int) -> None:
        """Tells that values before a number are lost, if any are."""
        is_known = place.seq is not None or place.floor > 0
        if is_known and oldest > place.base + 1 and not self._is_thinned:
            self._tell(EventKind.EXPIRED, name, last=place.base, oldest=oldest)

    def _take_event(self, line: Line) -> None:
        kind, name = line["event"], line["signal"]
        place = self._places.setdefault(name, _Place(self._epoch))
        # As long as retained values may still come after a break.
        catching_up = self._reached if self._is_resumed else None
        if kind == EventKind.NEXT:
            self._take_value(line, name, place)
            return
        told = {member: line[member] for member in _MEMBERS & line.keys()}
        if kind == EventKind.INTERRUPTED and line.get("reason") == "restarted":
            # The signal has not ended either; but this connection may stay open, and would tell no more of it.
            raise Reconnect("the daemon was replaced")
        if kind in (EventKind.COMPLETED, EventKind.FAILED, EventKind.INTERRUPTED):
            # A signal has not ended with the daemon: the next one goes on with it.
            if line.get("reason") == "shutting_down" or place.ended:
                return
            place.ended = True
            self.is_over = self._is_name
            if "reason" in line:
                del self._places[name]
        elif kind == EventKind.LAGGED:
            if place.seq is None:
                place.floor = 0
            else:
                place.seq += line["dropped"]
                if catching_up is not None and place.seq <= place.floor:
                    return
        elif kind == EventKind.RENEWED and catching_up is not None:
            kind = EventKind.RESTARTED
            self._places[name] = _Place(line["epoch"], floor=catching_up.get(name, 0))
        elif kind == EventKind.RENEWED:
            place.epoch = line["epoch"]
        elif kind == EventKind.SUBSCRIBED:
            told.setdefault("epoch", self._epoch)
            self._places[name] = _Place(told["epoch"], line["seq"])
        elif kind == EventKind.ALIVE and self._reached is None:
            place.reach(line["seq"])
        elif kind == EventKind.ENDED:
            self.is_over = True
        self._tell(kind, **told)

    def _take_value(self, line: Line, name: str, place: _Place) -> None:
        seq = line["seq"]
        if place.seq is not None and seq <= place.seq:
            return
        self._tell_missing(name, place, seq)
        place.seq, place.floor, place.ended = seq, 0, False
        self.events.append(Event(EventKind.NEXT, name, seq, line["value"], line.get("at"), place.epoch))
        if self._options.get("take") is not None:
            self._options["take"] -= 1
            if self._options["take"] == 0:
                self.is_over = True
                self._tell(EventKind.ENDED, self.signal, reason="take")
