// A subscription over all connections, without input or output. ../README.md explains the state machine, which all
// libraries have.

import { ErrorCode, EventKind } from "./protocol.js";
import { SignalboxError } from "./errors.js";

/** The daemon cannot serve the subscription now: try again on another connection. */
export class Reconnect extends Error {}

/** How far the values of a signal have come. */
class Place {
  /**
   * @param {string} epoch
   * @param {number | null} seq the last number that came; null while all that is retained may still come
   * @param {number} floor without a value so far: the number above which none may be missing
   */
  constructor(epoch, seq = null, floor = 0) {
    this.epoch = epoch;
    this.seq = seq;
    this.floor = floor;
    this.ended = false;
  }

  get base() {
    return Math.max(this.seq ?? 0, this.floor);
  }

  reach(seq) {
    this.seq = Math.max(this.seq ?? 0, seq);
  }

  /** Whether values before a number cannot come any more. */
  misses(seq) {
    return (this.seq !== null || this.floor > 0) && seq > this.base + 1;
  }
}

export class Following {
  #options;
  #isName;
  #isThinned;
  #epoch = "";
  #places;
  #hasPosition;
  #hasFrom = false;
  #isResumed = false;
  #oldest = 0;
  /** The numbers in the answer, until all up to them have come: until it settles. */
  #reached = null;

  constructor(signal, { position = {}, ...options }) {
    this.signal = signal;
    this.isOver = false;
    /** Whether the daemon has taken the subscription, on whatever connection. */
    this.isAnswered = false;
    /** Requests to be written. */
    this.output = [];
    this.#options = options;
    this.#isName = !signal.includes("*");
    this.#isThinned = options.where !== undefined || options.every !== undefined;
    this.#places = new Map(Object.entries(position).map(([name, { seq, epoch }]) => [name, new Place(epoch, seq)]));
    this.#hasPosition = this.#places.size > 0;
  }

  /** Begins a connection. */
  greet() {
    this.output = [{ op: "hello", id: 0, protocol: 1 }, this.#request(true)];
  }

  /** Takes a line, and says what of it the program must be told. */
  receive(line) {
    if (line.event !== undefined) return this.#takeEvent(line);
    if (line.error !== undefined) return this.#refuse(line.error, line.op);
    if (line.reply === "subscribe") return this.#begin(line);
    if (line.reply === "ping") return this.#settle();
    if (line.reply === "hello") this.#epoch = line.epoch;
    return [];
  }

  // Requests

  /** Whether there is something to go on from. */
  get #hasBegun() {
    return this.isAnswered || this.#hasPosition;
  }

  /** Whether retained values may still come after a break. */
  get #isCatchingUp() {
    return this.#isResumed && this.#reached !== null;
  }

  #request(withPlaces) {
    const fields = { op: "subscribe", id: 1, signal: this.signal, ...this.#options };
    this.#hasFrom = false;
    if (!this.#hasBegun) return fields;
    delete fields.replay;
    const known = [...this.#places].filter(([, place]) => place.seq !== null);
    if (!withPlaces || known.length === 0) return fields;
    this.#hasFrom = true;
    if (this.#isName) return { ...fields, from: known[0][1].seq, epoch: known[0][1].epoch };
    fields.from = Object.fromEntries(known.map(([name, { seq, epoch }]) => [name, { seq, epoch }]));
    return fields;
  }

  #begin(reply) {
    const events = [];
    this.output.push({ op: "ping", id: 2 });
    this.#isResumed = this.#hasBegun;
    this.isAnswered = true;
    this.#reached = new Map();
    for (const { signal, seq, epoch: told } of reply.signals) {
      const epoch = told ?? reply.epoch ?? this.#epoch;
      this.#reached.set(signal, seq);
      const place = this.#places.get(signal);
      if (place === undefined) {
        this.#places.set(signal, this.#firstPlace(seq, epoch));
        if (this.#isResumed && !this.#isName) events.push({ kind: EventKind.Subscribed, signal, seq, epoch });
      } else if (!this.#hasFrom && (place.epoch !== epoch || seq < place.base)) {
        this.#places.set(signal, new Place(epoch, null, seq));
        events.push({ kind: EventKind.Restarted, signal, epoch });
      } else if (this.#isResumed && !this.#hasFrom && this.#isThinned && seq > place.base) {
        events.push({ kind: EventKind.Expired, signal, last: place.base, oldest: this.#oldest });
        // Another break must not tell it again.
        place.reach(Math.max(place.base, this.#oldest - 1));
      }
    }
    for (const [signal, place] of this.#places) {
      if (this.#reached.has(signal)) continue;
      this.#places.delete(signal);
      if (!place.ended) events.push({ kind: EventKind.Interrupted, signal, reason: "removed" });
    }
    return events;
  }

  #firstPlace(seq, epoch) {
    const { replay } = this.#options;
    if (seq === 0 || replay === 0) return new Place(epoch, seq);
    if (replay === undefined || this.#isThinned || this.#isResumed) return new Place(epoch, null, seq);
    return new Place(epoch, Math.max(0, seq - replay), seq);
  }

  #refuse(error, op) {
    const { code } = error;
    if (op === "hello") throw new SignalboxError(error);
    if (this.#hasFrom && [ErrorCode.Expired, ErrorCode.BadRequest, ErrorCode.TooLong].includes(code)) {
      // Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
      this.#oldest = error.epoch === undefined ? (error.oldest ?? 0) : 0;
      this.output.push(this.#request(false));
      return [];
    }
    if ([ErrorCode.TooMany, ErrorCode.ShuttingDown, ErrorCode.Unavailable, ErrorCode.Storage].includes(code)) throw new Reconnect(error.message);
    const reason = { [ErrorCode.UnknownSignal]: "removed", [ErrorCode.Denied]: "denied" }[code];
    if (!this.isAnswered || reason === undefined) throw new SignalboxError(error);
    this.isOver = true;
    return [{ kind: EventKind.Interrupted, signal: this.signal, reason }];
  }

  /** Takes note that all that was retained has come. */
  #settle() {
    const events = [];
    for (const [signal, seq] of this.#reached) {
      const place = this.#places.get(signal);
      if (place === undefined) continue;
      if (!this.#isThinned && place.misses(seq + 1)) {
        events.push({ kind: EventKind.Expired, signal, last: place.base, oldest: seq + 1 });
      }
      place.reach(seq);
      place.floor = 0;
    }
    this.#reached = null;
    return events;
  }

  // Events

  #takeEvent({ event: kind, subscription, ...line }) {
    const { signal } = line;
    if (signal === undefined) return [];
    if (kind === EventKind.Ended) {
      this.isOver = true;
      return [{ kind, ...line }];
    }
    // The signal has not ended; but this connection may stay open, and would tell no more of it.
    if (kind === EventKind.Interrupted && line.reason === "restarted") throw new Reconnect("the daemon was replaced");
    const place = this.#places.get(signal) ?? new Place(this.#epoch);
    this.#places.set(signal, place);
    switch (kind) {
      case EventKind.Next:
        return this.#takeValue(line, place);
      case EventKind.Completed:
      case EventKind.Failed:
      case EventKind.Interrupted:
        // A signal has not ended with the daemon: the next one goes on with it.
        if (line.reason === "shutting_down" || place.ended) return [];
        place.ended = true;
        this.isOver = this.#isName;
        if (line.reason !== undefined) this.#places.delete(signal);
        break;
      case EventKind.Lagged:
        if (place.seq === null) {
          place.floor = 0;
        } else {
          place.seq += line.dropped;
          if (this.#isCatchingUp && place.seq <= place.floor) return [];
        }
        break;
      case EventKind.Renewed:
        if (this.#isCatchingUp) {
          this.#places.set(signal, new Place(line.epoch, null, this.#reached.get(signal) ?? 0));
          return [{ kind: EventKind.Restarted, ...line }];
        }
        place.epoch = line.epoch;
        break;
      case EventKind.Subscribed:
        line.epoch ??= this.#epoch;
        this.#places.set(signal, new Place(line.epoch, line.seq));
        break;
      case EventKind.Alive:
        if (this.#reached === null) place.reach(line.seq);
        break;
    }
    return [{ kind, ...line }];
  }

  #takeValue(line, place) {
    const { signal, seq } = line;
    if (place.seq !== null && seq <= place.seq) return [];
    const events = [];
    if (!this.#isThinned && place.misses(seq)) {
      events.push({ kind: EventKind.Expired, signal, last: place.base, oldest: seq });
    }
    Object.assign(place, { seq, floor: 0, ended: false });
    events.push({ kind: EventKind.Next, ...line, epoch: place.epoch });
    if (this.#options.take !== undefined && --this.#options.take === 0) {
      this.isOver = true;
      events.push({ kind: EventKind.Ended, signal: this.signal, reason: "take" });
    }
    return events;
  }
}
