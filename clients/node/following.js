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

  get isKnown() {
    return this.seq !== null || this.floor > 0;
  }
}

export class Following {
  #options;
  #isName;
  #isThinned;
  #left;
  #epoch = "";
  #places;
  #hasBegun;
  #hasFrom = false;
  #isResumed = false;
  #isSettled = false;
  #oldest = 0;
  #reached = new Map();

  constructor(signal, { position = {}, ...options }) {
    this.signal = signal;
    this.isOver = false;
    /** Whether the daemon has taken the subscription, on whatever connection. */
    this.isAnswered = false;
    /** Whether the daemon has answered on this connection. */
    this.isGreeted = false;
    /** Requests to be written. */
    this.output = [];
    this.#options = options;
    this.#isName = !signal.includes("*");
    this.#isThinned = options.where !== undefined || options.every !== undefined;
    this.#left = options.take;
    this.#places = new Map(Object.entries(position).map(([name, { seq, epoch }]) => [name, new Place(epoch, seq)]));
    this.#hasBegun = this.#places.size > 0;
  }

  /** The requests with which a connection begins. */
  greeting() {
    this.isGreeted = false;
    this.output = [];
    return [{ op: "hello", id: 0, protocol: 1 }, this.#request(true)];
  }

  /** Takes a line, and says what of it the program must be told. */
  receive(line) {
    if (this.isOver) return [];
    if (line.event !== undefined) return this.#takeEvent(line);
    if (line.error !== undefined) {
      if (line.op === "hello") throw SignalboxError.of(line.error);
      return this.#refuse(line.error);
    }
    if (line.reply === "hello") {
      this.#epoch = line.epoch;
      this.isGreeted = true;
    } else if (line.reply === "subscribe") {
      this.output.push({ op: "ping", id: 2 });
      return this.#begin(line);
    } else if (line.reply === "ping") {
      return this.#settle();
    }
    return [];
  }

  // Requests

  #request(withPlaces) {
    const fields = { op: "subscribe", id: 1, signal: this.signal, ...this.#options };
    this.#hasFrom = false;
    if (this.#left !== undefined) fields.take = this.#left;
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
    this.#isResumed = this.#hasBegun;
    this.#hasBegun = true;
    this.#isSettled = false;
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
        place.seq = Math.max(place.base, this.#oldest - 1);
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

  #refuse(error) {
    const { code } = error;
    if (this.#hasFrom && [ErrorCode.Expired, ErrorCode.BadRequest, ErrorCode.TooLong].includes(code)) {
      // Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
      this.#oldest = error.epoch === undefined ? (error.oldest ?? 0) : 0;
      this.output.push(this.#request(false));
      return [];
    }
    if (code === ErrorCode.TooMany || code === ErrorCode.ShuttingDown) throw new Reconnect(error.message);
    this.isOver = true;
    const isGone = code === ErrorCode.UnknownSignal || code === ErrorCode.Denied;
    if (!this.isAnswered || !isGone) throw SignalboxError.of(error);
    const reason = code === ErrorCode.Denied ? "denied" : "removed";
    return [{ kind: EventKind.Interrupted, signal: this.signal, reason }];
  }

  /** Takes note that all that was retained has come. */
  #settle() {
    const events = [];
    this.#isSettled = true;
    for (const [signal, seq] of this.#reached) {
      const place = this.#places.get(signal);
      if (place === undefined) continue;
      if (place.isKnown && seq > place.base && !this.#isThinned) {
        events.push({ kind: EventKind.Expired, signal, last: place.base, oldest: seq + 1 });
      }
      place.seq = Math.max(seq, place.seq ?? 0);
      place.floor = 0;
    }
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
    const place = this.#places.get(signal) ?? new Place(this.#epoch);
    this.#places.set(signal, place);
    switch (kind) {
      case EventKind.Next:
        return this.#takeValue(line, place);
      case EventKind.Completed:
      case EventKind.Failed:
      case EventKind.Interrupted:
        return this.#takeEnding(kind, line, place);
      case EventKind.Lagged:
        if (place.seq === null) {
          place.floor = 0;
        } else {
          place.seq += line.dropped;
          if (this.#isResumed && !this.#isSettled && place.seq <= place.floor) return [];
        }
        break;
      case EventKind.Renewed:
        if (this.#isResumed && !this.#isSettled) {
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
        if (this.#isSettled) place.seq = Math.max(place.seq ?? 0, line.seq);
        break;
    }
    return [{ kind, ...line }];
  }

  #takeValue(line, place) {
    const { signal, seq } = line;
    if (place.seq !== null && seq <= place.seq) return [];
    const events = [];
    if (!this.#isThinned && place.isKnown && seq > place.base + 1) {
      events.push({ kind: EventKind.Expired, signal, last: place.base, oldest: seq });
    }
    Object.assign(place, { seq, floor: 0, ended: false });
    events.push({ kind: EventKind.Next, ...line, epoch: place.epoch });
    if (this.#left !== undefined && --this.#left === 0) {
      this.isOver = true;
      events.push({ kind: EventKind.Ended, signal: this.signal, reason: "take" });
    }
    return events;
  }

  #takeEnding(kind, line, place) {
    // The signal has not ended with the daemon: the next one goes on with it.
    if (line.reason === "shutting_down" || place.ended) return [];
    place.ended = true;
    this.isOver = this.#isName;
    if (line.reason !== undefined) this.#places.delete(line.signal);
    return [{ kind, ...line }];
  }
}
