import { randomUUID } from "node:crypto";
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
  #controller;
  #events;

  constructor(signal, controller, events) {
    this.signal = signal;
    this.#controller = controller;
    this.#events = events;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  next() {
    return this.#events.next();
  }

  /** Ends the iteration, as `break` does. */
  return() {
    this.cancel();
    return this.#events.return();
  }

  /** Unsubscribes: no event follows, and an iteration that waits for one ends. */
  cancel() {
    this.#controller.abort();
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
  /** What ends the subscriptions and calls that there are. */
  #controllers = new Set();

  constructor({ path, backoff = [100, 10_000] } = {}) {
    this.#path = path ?? process.env.SIGNALBOX_SOCKET ?? defaultSocket;
    this.#bounds = backoff;
    this.#backoff = new Backoff(backoff);
  }

  /** Ends all subscriptions, calls and requests. */
  close() {
    this.#abort.abort();
    for (const controller of this.#controllers) controller.abort();
    for (const { reject } of this.#pending.values()) reject(new ConnectionLost("the client was closed"));
    this.#pending.clear();
  }

  // Requests

  /** Sends a request as docs/protocol.md has it, and waits for its answer. */
  request(op, fields = {}, { repeats = false } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#abort.signal.aborted) return reject(new ConnectionLost("the client was closed"));
      const id = ++this.#count;
      const pending = { request: { op, id, ...fields }, repeats, resolve, reject };
      this.#pending.set(id, pending);
      this.#connection?.write(pending.request);
      if (!this.#isRunning) this.#run();
    });
  }

  /** Makes connections as long as there are requests. */
  async #run() {
    this.#isRunning = true;
    while (this.#pending.size > 0 && !this.#abort.signal.aborted) {
      try {
        this.#connection = await Connection.open(this.#path, this.#abort.signal);
        for (const { request } of this.#pending.values()) this.#connection.write(request);
        for await (const line of this.#connection.lines()) this.#take(line);
      } catch {
        // It is told to those who cannot be asked again.
      }
      // Without a connection nothing was written.
      for (const [id, { repeats, reject }] of this.#connection === null ? [] : this.#pending) {
        if (repeats) continue;
        this.#pending.delete(id);
        reject(new ConnectionLost());
      }
      this.#connection = null;
      if (this.#pending.size > 0) await this.#backoff.pause(this.#abort.signal);
    }
    this.#isRunning = false;
  }

  #take(line) {
    const code = line.error?.code;
    if (line.id === undefined && [ErrorCode.TooMany, ErrorCode.ShuttingDown].includes(code)) throw new Reconnect();
    this.#backoff.reset();
    // Answers come in order, so one without an id is that of the oldest request.
    const id = line.id ?? this.#pending.keys().next().value;
    const pending = this.#pending.get(id);
    if (pending === undefined || (pending.repeats && code === ErrorCode.ShuttingDown)) return;
    this.#pending.delete(id);
    if (code === undefined) pending.resolve(line);
    else pending.reject(new SignalboxError(line.error));
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

  /** A controller that is aborted when the client is closed, and removed when it is aborted. */
  #controller() {
    const controller = new AbortController();
    this.#controllers.add(controller);
    controller.signal.addEventListener("abort", () => this.#controllers.delete(controller));
    if (this.#abort.signal.aborted) controller.abort();
    return controller;
  }

  /** Calls an action, and gives what it puts out; leaving the iteration, or aborting `signal`, cancels it. */
  async *call(action, value, { signal } = {}) {
    const controller = this.#controller();
    const end = () => controller.abort();
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    try {
      const connection = await Connection.open(this.#path, controller.signal);
      connection.write({ op: "call", id: 1, action, value });
      for await (const line of connection.lines()) {
        if (line.error !== undefined) throw new SignalboxError(line.error);
        if (line.event === undefined) return;
        yield line.value;
      }
      throw new ConnectionLost();
    } catch (error) {
      if (signal?.aborted) return;
      // A program that was cut off has not ended by itself.
      if (controller.signal.aborted) throw new ConnectionLost("the client was closed");
      throw error instanceof SignalboxError ? error : new ConnectionLost(error.message);
    } finally {
      end();
      signal?.removeEventListener("abort", end);
    }
  }

  // Subscriptions

  /** Subscribes to a signal or a pattern; resolves when the daemon has answered. */
  async subscribe(signal, options = {}) {
    const controller = this.#controller();
    const events = this.#follow(new Following(signal, options), controller);
    const { done } = await events.next();
    if (done) throw new ConnectionLost("the client was closed");
    return new Subscription(signal, controller, events);
  }

  /** Gives nothing once, when the daemon has answered, and then the events. */
  async *#follow(following, controller) {
    const { signal } = controller;
    const backoff = new Backoff(this.#bounds);
    try {
      while (!signal.aborted) {
        try {
          const connection = await Connection.open(this.#path, signal);
          following.greet();
          connection.write(...following.output.splice(0));
          for await (const line of connection.lines()) {
            const wasAnswered = following.isAnswered;
            const events = following.receive(line);
            connection.write(...following.output.splice(0));
            backoff.reset();
            if (following.isAnswered && !wasAnswered) yield;
            for (const event of events) {
              if (signal.aborted) return;
              yield event;
            }
            if (following.isOver) return;
          }
        } catch (error) {
          if (error instanceof SignalboxError) throw error;
        }
        await backoff.pause(signal);
      }
    } finally {
      controller.abort();
    }
  }
}
