import { EventKind, Overflow } from "./protocol.js";

export * from "./protocol.js";

/** The daemon refused a request. */
export class SignalboxError extends Error {
  /** One of `ErrorCode`, or one that a later daemon has. */
  readonly code: string;
  /** All members of the error: `oldest`, `status`, `errors` and so on. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The connection ended before the answer: nobody knows whether the request was carried out. */
export class ConnectionLost extends SignalboxError {}

export const defaultSocket: string;

/** A `message_id` that nobody else has. */
export function newMessageID(): string;

/** How far the values of signals have come: of each its last number, and the epoch of that. */
export type Position = Record<string, { seq: number; epoch: string }>;

export interface SubscribeOptions {
  /** How many retained values come first; all, if it is not given. */
  replay?: number;
  /** End after this many values. */
  take?: number;
  /** An expression: only values for which it is true. */
  where?: string;
  /** A duration such as "500ms": at most one value in that time, the newest. */
  every?: string;
  /** A duration, after which a quiet signal says `alive`. */
  heartbeat?: string;
  overflow?: Overflow;
  /** Whether values tell in `at` when they came. */
  timestamps?: boolean;
  /** Where to go on, from events of an earlier run. */
  position?: Position;
}

/** What a subscription tells. */
export type Event<Value = unknown> =
  | { kind: "next"; signal: string; seq: number; value: Value; at?: string; epoch: string }
  | { kind: "completed"; signal: string; at?: string }
  | { kind: "failed"; signal: string; error: { code: string; message: string }; at?: string }
  | { kind: "interrupted"; signal: string; reason?: string; at?: string }
  /** So many values are missing here. */
  | { kind: "lagged"; signal: string; dropped: number; at?: string }
  /** Values are lost: `last` is the last that came, `oldest` the first that is left, 0 if that cannot be known. */
  | { kind: "expired"; signal: string; last: number; oldest: number }
  /** The numbers begin anew, and values before this may be missing. */
  | { kind: "restarted"; signal: string; epoch: string }
  /** The numbers go on in another epoch. */
  | { kind: "renewed"; signal: string; epoch: string }
  | { kind: "subscribed"; signal: string; seq: number; epoch: string }
  | { kind: "alive"; signal: string; seq: number }
  | { kind: "ended"; signal: string; reason: string };

/**
 * The events of one subscription, as an asynchronous iterator.
 *
 * It has a connection of its own, which is read only as far as events are taken: a program that is slow holds up nothing
 * but itself. It ends with the signal, or with `take`.
 */
export class Subscription<Value = unknown> implements AsyncIterableIterator<Event<Value>> {
  private constructor();
  readonly signal: string;
  [Symbol.asyncIterator](): this;
  next(): Promise<IteratorResult<Event<Value>, undefined>>;
  return(): Promise<IteratorResult<Event<Value>, undefined>>;
  /** Unsubscribes: no event follows, and an iteration that waits for one ends. */
  cancel(): void;
}

/** What became of a value that was sent. */
export interface Sent {
  /** The number of the last value on the signal; null where its own pipe let nothing through. */
  seq: number | null;
  /** Whether the graph had this message already, and did nothing. */
  duplicate: boolean;
}

export interface SendOptions {
  /**
   * Names the message, so that a durable graph takes it once: it is sent again until the daemon has answered. Without it
   * `ConnectionLost` says that nobody knows whether it arrived.
   */
  messageID?: string;
}

export interface ListedSignal {
  signal: string;
  kind: "input" | "property" | "derived" | "source" | "action";
  send: boolean;
  subscribe: boolean;
  held: boolean;
  doc?: string;
  ended?: { event: string; error?: { code: string; message: string }; at: string };
}

/**
 * A client of a signalbox daemon.
 *
 * Nothing happens before the first request. Lost connections are made again, after `backoff[0]` milliseconds, then twice
 * as long each time up to `backoff[1]`, less a random part. Requests wait for a daemon.
 */
export class Client {
  /** @param options `path`: the socket; else `$SIGNALBOX_SOCKET`, else `defaultSocket` */
  constructor(options?: { path?: string; backoff?: [number, number] });
  /** Ends all subscriptions, calls and requests. */
  close(): void;
  /** Sends a request as docs/protocol.md has it; `repeats`: again, when a connection ended before its answer. */
  request(op: string, fields?: object, options?: { repeats?: boolean }): Promise<Record<string, any>>;
  send(signal: string, value: unknown, options?: SendOptions): Promise<Sent>;
  /** Sends several values, with no other client's value between. */
  sendValues(signal: string, values: readonly unknown[], options?: SendOptions): Promise<Sent>;
  end(
    signal: string,
    event?: "completed" | "failed" | "interrupted",
    options?: SendOptions & { error?: { code: string; message?: string } },
  ): Promise<Sent>;
  /** The value that a signal holds; a `SignalboxError` with the code `no_value` if there is none. */
  get<Value = unknown>(signal: string, options?: { timestamps?: boolean }): Promise<{ value: Value; seq: number; at?: string }>;
  list(pattern?: string): Promise<ListedSignal[]>;
  describe(signal: string): Promise<Record<string, any>>;
  /** Waits until everything that was sent before has been carried out. */
  ping(): Promise<void>;
  hello(): Promise<Record<string, any>>;
  /** Calls an action, and gives what it puts out; leaving the iteration, or aborting `signal`, cancels it. */
  call<Value = unknown>(action: string, value?: unknown, options?: { signal?: AbortSignal }): AsyncGenerator<Value, void>;
  subscribe<Value = unknown>(signal: string, options?: SubscribeOptions): Promise<Subscription<Value>>;
}

export type { EventKind };
