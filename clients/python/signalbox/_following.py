"""A subscription over all connections, without input or output.

`Following` knows of each signal the last number that came, and says what to ask a new connection for, so that nothing
is lost or doubled. The other libraries have the same state machine; clients/README.md explains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional

from ._errors import SignalboxError
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

    @property
    def is_known(self) -> bool:
        return self.seq is not None or self.floor > 0


class Reconnect(Exception):
    """The daemon cannot serve the subscription now: try again on another connection."""


class Following:
    """A subscription over all its connections.

    `greeting` says what to write to a new connection, and `receive` takes each line that comes. Lines to write are then
    in `output`.
    """

    def __init__(self, signal: str, options: Dict[str, Any]) -> None:
        self.signal = signal
        self.is_over = False
        #: Whether the daemon has taken the subscription, on whatever connection.
        self.is_answered = False
        #: Whether the daemon has answered on this connection.
        self.is_greeted = False
        self.output: List[Dict[str, Any]] = []
        self._options = dict(options)
        self._is_name = "*" not in signal
        self._is_thinned = "where" in options or "every" in options
        self._left: Optional[int] = options.get("take")
        self._epoch = ""
        position = self._options.pop("position", {})
        self._places = {name: _Place(place["epoch"], place["seq"]) for name, place in position.items()}
        #: Whether there is something to go on from.
        self._has_begun = bool(position)
        self._has_from = self._is_resumed = self._is_settled = False
        self._oldest = 0
        self._reached: Dict[str, int] = {}

    def greeting(self) -> List[Dict[str, Any]]:
        """The requests with which a connection begins."""
        self.is_greeted = False
        return [{"op": "hello", "id": 0, "protocol": 1}, self._request(with_places=True)]

    def receive(self, line: Mapping[str, Any]) -> List[Event]:
        """Takes a line, and says what of it the program must be told.

        :raises SignalboxError: if the first request is refused
        :raises Reconnect: if another connection may do better
        """
        if self.is_over:
            return []
        if "event" in line:
            return self._take_event(line)
        if "error" in line:
            if line.get("op") == "hello":
                raise SignalboxError.of(line["error"])
            return self._refuse(line["error"])
        if line["reply"] == "hello":
            self._epoch = line["epoch"]
            self.is_greeted = True
        elif line["reply"] == "subscribe":
            self.output.append({"op": "ping", "id": 2})
            return self._begin(line)
        elif line["reply"] == "ping":
            return self._settle()
        return []

    # Requests

    def _request(self, with_places: bool) -> Dict[str, Any]:
        fields = {"op": "subscribe", "id": 1, "signal": self.signal, **self._options}
        self._has_from = False
        if self._left is not None:
            fields["take"] = self._left
        if self._has_begun:
            fields.pop("replay", None)
            known = {name: {"seq": p.seq, "epoch": p.epoch} for name, p in self._places.items() if p.seq is not None}
            if with_places and known:
                self._has_from = True
                if self._is_name:
                    fields.update({"from": known[self.signal]["seq"], "epoch": known[self.signal]["epoch"]})
                else:
                    fields["from"] = known
        return fields

    def _begin(self, reply: Mapping[str, Any]) -> List[Event]:
        """Takes the answer to the request."""
        events = []
        self._is_resumed, self._has_begun, self._is_settled = self._has_begun, True, False
        self.is_answered = True
        self._reached = {}
        for told in reply["signals"]:
            name, seq = told["signal"], told["seq"]
            epoch = told.get("epoch") or reply.get("epoch") or self._epoch
            self._reached[name] = seq
            place = self._places.get(name)
            if place is None:
                self._places[name] = self._first_place(seq, epoch)
                if self._is_resumed and not self._is_name:
                    events.append(Event(EventKind.SUBSCRIBED, name, seq=seq, epoch=epoch))
            elif not self._has_from and (place.epoch != epoch or seq < place.base):
                self._places[name] = _Place(epoch, floor=seq)
                events.append(Event(EventKind.RESTARTED, name, epoch=epoch))
            elif self._is_resumed and not self._has_from and self._is_thinned and seq > place.base:
                events.append(self._expired(name, place, self._oldest))
                # Another break must not tell it again.
                place.seq = max(place.base, self._oldest - 1)
        for name in [name for name in self._places if name not in self._reached]:
            if not self._places.pop(name).ended:
                events.append(Event(EventKind.INTERRUPTED, name, reason="removed"))
        return events

    def _first_place(self, seq: int, epoch: str) -> _Place:
        replay = self._options.get("replay")
        if seq == 0 or replay == 0:
            return _Place(epoch, seq)
        if replay is None or self._is_thinned or self._is_resumed:
            return _Place(epoch, floor=seq)
        return _Place(epoch, max(0, seq - replay), floor=seq)

    def _refuse(self, error: Mapping[str, Any]) -> List[Event]:
        code = error["code"]
        if self._has_from and code in (ErrorCode.EXPIRED, ErrorCode.BAD_REQUEST, ErrorCode.TOO_LONG):
            # Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
            self._oldest = error.get("oldest", 0) if "epoch" not in error else 0
            self.output.append(self._request(with_places=False))
            return []
        if code in (ErrorCode.TOO_MANY, ErrorCode.SHUTTING_DOWN):
            raise Reconnect(error["message"])
        self.is_over = True
        if not self.is_answered or code not in (ErrorCode.UNKNOWN_SIGNAL, ErrorCode.DENIED):
            raise SignalboxError.of(error)
        return [Event(EventKind.INTERRUPTED, self.signal, reason="denied" if code == ErrorCode.DENIED else "removed")]

    def _settle(self) -> List[Event]:
        """Takes note that all that was retained has come."""
        events = []
        self._is_settled = True
        for name, seq in self._reached.items():
            place = self._places.get(name)
            if place is None:
                continue
            if place.is_known and seq > place.base and not self._is_thinned:
                events.append(self._expired(name, place, seq + 1))
            place.seq, place.floor = max(seq, place.seq or 0), 0
        return events

    # Events

    def _take_event(self, line: Mapping[str, Any]) -> List[Event]:
        kind, name = line["event"], line.get("signal")
        if name is None:
            return []
        if kind == EventKind.ENDED:
            self.is_over = True
            return [Event(kind, name, reason=line.get("reason"))]
        place = self._places.setdefault(name, _Place(self._epoch))
        if kind == EventKind.NEXT:
            return self._take_value(line, name, place)
        if kind in (EventKind.COMPLETED, EventKind.FAILED, EventKind.INTERRUPTED):
            return self._take_ending(line, kind, name, place)
        if kind == EventKind.LAGGED:
            if place.seq is None:
                place.floor = 0
            else:
                place.seq += line["dropped"]
                if self._is_resumed and not self._is_settled and place.seq <= place.floor:
                    return []
            return [Event(kind, name, dropped=line["dropped"])]
        if kind == EventKind.RENEWED:
            if self._is_resumed and not self._is_settled:
                self._places[name] = _Place(line["epoch"], floor=self._reached.get(name, 0))
                return [Event(EventKind.RESTARTED, name, epoch=line["epoch"])]
            place.epoch = line["epoch"]
            return [Event(kind, name, epoch=line["epoch"])]
        if kind == EventKind.SUBSCRIBED:
            epoch = line.get("epoch", self._epoch)
            self._places[name] = _Place(epoch, line["seq"])
            return [Event(kind, name, seq=line["seq"], epoch=epoch)]
        if kind == EventKind.ALIVE and self._is_settled:
            place.seq = max(place.seq or 0, line["seq"])
        return [Event(kind, name, seq=line.get("seq"))]

    def _take_value(self, line: Mapping[str, Any], name: str, place: _Place) -> List[Event]:
        events = []
        seq = line["seq"]
        if place.seq is not None and seq <= place.seq:
            return []
        if not self._is_thinned and place.is_known and seq > place.base + 1:
            events.append(self._expired(name, place, seq))
        place.seq, place.floor, place.ended = seq, 0, False
        events.append(Event(EventKind.NEXT, name, seq, line["value"], line.get("at"), place.epoch))
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                self.is_over = True
                events.append(Event(EventKind.ENDED, self.signal, reason="take"))
        return events

    def _take_ending(self, line: Mapping[str, Any], kind: str, name: str, place: _Place) -> List[Event]:
        reason = line.get("reason")
        # The signal has not ended with the daemon: the next one goes on with it.
        if reason == "shutting_down" or place.ended:
            return []
        place.ended = True
        self.is_over = self._is_name
        if reason is not None:
            del self._places[name]
        return [Event(kind, name, error=line.get("error"), reason=reason)]

    def _expired(self, name: str, place: _Place, oldest: int) -> Event:
        return Event(EventKind.EXPIRED, name, last=place.base, oldest=oldest)
