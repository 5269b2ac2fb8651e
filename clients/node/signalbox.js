import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { Backoff, Connection } from "./connection.js";
import { ConnectionLost, SignalboxError } from "./errors.js";
import { Following, Reconnect } from "./following.js";
import { ErrorCode } from "./protocol.js";

export * from "./protocol.js";
export { ConnectionLost, SignalboxError };

export const defaultSocket = "/run/signalbox/signalbox.sock";

/** A `message_id` that nobody else has. */
export const newMessageID = () => randomUUID();

/** The events of one subscription, as an asynchronous iterator. */
export class Subscription {
  #path;
  #backoff;
  #following;
  #events = [];
  #lines = null;
  #connection = null;
  #abort = new AbortController();
  #onEnd;

  constructor(path, backoff, signal, options, onEnd) {
    this.#path = path;
    this.#backoff = new Backoff(backoff);
    this.#following = new Following(signal, options);
    this.#onEnd = onEnd;
  }

  get signal() {
    return this.#following.signal;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    while (this.#events.length === 0) {
      if (this.#abort.signal.aborted || this.#following.isOver) {
        this.cancel();
        return { done: true, value: undefined };
      }
      await this.#advance();
    }
    return { done: false, value: this.#events.shift() };
  }

  /** Ends the iteration, as `break` does. */
  async return() {
    this.cancel();
    return { done: true, value: undefined };
  }

  /** Unsubscribes: no event follows, and an iteration that waits for one ends. */
  cancel() {
    this.#events = [];
    this.#abort.abort();
    this.#onEnd(this);
  }

  /** Waits until the daemon has answered. Only for the client. */
  async begin() {
    try {
      while (!this.#following.isAnswered) {
        if (this.#abort.signal.aborted) throw new ConnectionLost("the client was closed");
        await this.#advance();
      }
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  /** Takes the next line. */
  async #advance() {
    try {
      if (this.#lines === null) {
        this.#connection = await Connection.open(this.#path, this.#abort.signal);
        this.#lines = this.#connection.lines();
        this.#write(this.#following.greeting());
      }
      const { done, value: line } = await this.#lines.next();
      if (this.#abort.signal.aborted) return;
      if (done) throw new Reconnect();
      const events = this.#following.receive(line);
      if (events.length > 0) this.#events.push(...events);
      this.#write(this.#following.output.splice(0));
      if (this.#following.isGreeted) this.#backoff.reset();
    } catch (error) {
      if (error instanceof SignalboxError) throw error;
      this.#connection?.close();
      this.#lines = this.#connection = null;
      if (!this.#abort.signal.aborted) await this.#backoff.pause(this.#abort.signal);
    }
  }

  #write(requests) {
    for (const request of requests) this.#connection.write(request);
  }
}

/** A client of a signalbox daemon. */
export class Client {
  #path;
  #bounds;
  #backoff;
  #abort = new AbortController();
  #connection = null;
  #pending = new Map();
  #count = 0;
  #isRunning = false;
  #subscriptions = new Set();

  constructor({ path, backoff = [100, 10_000] } = {}) {
    this.#path = path ?? process.env.SIGNALBOX_SOCKET ?? defaultSocket;
    this.#bounds = backoff;
    this.#backoff = new Backoff(backoff);
    // One for each call that runs.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Ends all subscriptions, calls and requests. */
  close() {
    for (const subscription of [...this.#subscriptions]) subscription.cancel();
    this.#abort.abort();
    for (const { reject } of this.#pending.values()) reject(new ConnectionLost("the client was closed"));
    this.#pending.clear();
  }

  // Requests

  /** Sends a request as docs/protocol.md has it, and waits for its answer. */
  request(op, fields = {}, { repeats = false } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#abort.signal.aborted) return reject(new ConnectionLost("the client was closed"));
      const id = ++this.#count;
      const pending = { request: { op, id, ...fields }, repeats, isWritten: false, resolve, reject };
      this.#pending.set(id, pending);
      if (this.#connection !== null) this.#write(pending);
      else if (!this.#isRunning) this.#run();
    });
  }

  #write(pending) {
    pending.isWritten = true;
    this.#connection.write(pending.request);
  }

  async #run() {
    this.#isRunning = true;
    while (this.#pending.size > 0 && !this.#abort.signal.aborted) {
      try {
        this.#connection = await Connection.open(this.#path, this.#abort.signal);
        for (const pending of this.#pending.values()) this.#write(pending);
        for await (const line of this.#connection.lines()) this.#take(line);
      } catch {
        // It is told to those who cannot be asked again.
      }
      this.#connection?.close();
      this.#connection = null;
      for (const [id, { isWritten, repeats, reject }] of this.#pending) {
        if (!isWritten || repeats) continue;
        this.#pending.delete(id);
        reject(new ConnectionLost());
      }
      if (this.#pending.size > 0) await this.#backoff.pause(this.#abort.signal);
    }
    this.#isRunning = false;
  }

  #take(line) {
    const code = line.error?.code;
    if (line.id === undefined && (code === ErrorCode.TooMany || code === ErrorCode.ShuttingDown)) {
      throw new Reconnect(line.error.message);
    }
    this.#backoff.reset();
    // Answers come in order, so one without an id is that of the oldest request.
    const id = line.id ?? this.#pending.keys().next().value;
    const pending = this.#pending.get(id);
    if (pending === undefined || (pending.repeats && code === ErrorCode.ShuttingDown)) return;
    this.#pending.delete(id);
    if (code === undefined) pending.resolve(line);
    else pending.reject(SignalboxError.of(line.error));
  }

  /** Sends a value. With a `messageID` it is sent again until the daemon has answered. */
  send(signal, value, options) {
    return this.#send({ signal, value }, options);
  }

  /** Sends several values, with no other client's value between. */
  sendValues(signal, values, options) {
    return this.#send({ signal, values }, options);
  }

  /** Ends a signal: `completed`, `interrupted`, or `failed` with an error. */
  end(signal, event = "completed", { error, ...options } = {}) {
    return this.#send({ signal, event, error }, options);
  }

  async #send(fields, { messageID } = {}) {
    const repeats = messageID !== undefined;
    const { seq, duplicate = false } = await this.request("send", { ...fields, message_id: messageID }, { repeats });
    return { seq, duplicate };
  }

  /** The value that a signal holds. */
  async get(signal, { timestamps } = {}) {
    const { value, seq, at } = await this.request("get", { signal, timestamps }, { repeats: true });
    return at === undefined ? { value, seq } : { value, seq, at };
  }

  /** The signals that this client may see. */
  async list(pattern) {
    return (await this.request("list", { pattern }, { repeats: true })).signals;
  }

  /** The declaration and the state of a signal. */
  describe(signal) {
    return this.request("describe", { signal }, { repeats: true });
  }

  /** Waits until everything that was sent before has been carried out. */
  async ping() {
    await this.request("ping", {}, { repeats: true });
  }

  /** The daemon's version, its epoch and its limits. */
  hello() {
    return this.request("hello", { protocol: 1 }, { repeats: true });
  }

  /** Calls an action, and gives what it puts out; leaving the iteration, or aborting `signal`, cancels it. */
  async *call(action, value, { signal } = {}) {
    const abort = new AbortController();
    const end = () => abort.abort();
    for (const one of [signal, this.#abort.signal]) one?.addEventListener("abort", end);
    if (signal?.aborted || this.#abort.signal.aborted) end();
    let connection;
    try {
      connection = await Connection.open(this.#path, abort.signal);
      connection.write({ op: "call", id: 1, action, value });
      for await (const line of connection.lines()) {
        if (line.error !== undefined) throw SignalboxError.of(line.error);
        if (line.event === undefined) return;
        yield line.value;
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      throw error instanceof SignalboxError ? error : new ConnectionLost(error.message);
    } finally {
      connection?.close();
      for (const one of [signal, this.#abort.signal]) one?.removeEventListener("abort", end);
    }
    if (!abort.signal.aborted) throw new ConnectionLost();
  }

  // Subscriptions

  /** Subscribes to a signal or a pattern; resolves when the daemon has answered. */
  async subscribe(signal, options = {}) {
    const forget = (one) => this.#subscriptions.delete(one);
    const subscription = new Subscription(this.#path, this.#bounds, signal, options, forget);
    this.#subscriptions.add(subscription);
    await subscription.begin();
    return subscription;
  }
}
