// Made by clients/generate; do not edit.

/** The codes of errors. */
export const ErrorCode = Object.freeze({
  BadJSON: "bad_json",
  BadRequest: "bad_request",
  UnknownOp: "unknown_op",
  UnknownSignal: "unknown_signal",
  UnknownAction: "unknown_action",
  NotAnInput: "not_an_input",
  BadValue: "bad_value",
  Ended: "ended",
  AlreadySubscribed: "already_subscribed",
  NotSubscribed: "not_subscribed",
  NoValue: "no_value",
  UnknownGraph: "unknown_graph",
  BadConfig: "bad_config",
  Failed: "failed",
  Denied: "denied",
  Disabled: "disabled",
  Busy: "busy",
  TooLong: "too_long",
  TooDeep: "too_deep",
  TooMany: "too_many",
  Expired: "expired",
  Timeout: "timeout",
  Storage: "storage",
  Unavailable: "unavailable",
  Http: "http",
  Connect: "connect",
  Tls: "tls",
  TooLarge: "too_large",
  ShuttingDown: "shutting_down",
  Restarted: "restarted",
  Internal: "internal",
  /** Of the library: the connection closed before the answer. */
  ConnectionLost: "connection_lost",
});

/** The kinds of events. */
export const EventKind = Object.freeze({
  /** A value. */
  Next: "next",
  /** The signal has ended. */
  Completed: "completed",
  /** The signal has ended with an error. */
  Failed: "failed",
  /** The signal has already ended its time. */
  Interrupted: "interrupted",
  /** This many values are missing here, because the client read too slowly or they are not retained. */
  Lagged: "lagged",
  /** The numbers go on in another epoch. */
  Renewed: "renewed",
  /** The pattern now covers this signal. */
  Subscribed: "subscribed",
  /** The subscription has had its take. */
  Ended: "ended",
  /** The signal was quiet for the subscription's heartbeat. */
  Alive: "alive",
  /** Values are lost: they were no longer retained when the connection was back. */
  Expired: "expired",
  /** The numbers begin anew: the daemon was restarted, and what it had not kept is lost. */
  Restarted: "restarted",
});

/** What gives way when a subscription is read too slowly. */
export const Overflow = Object.freeze({
  DropOldest: "drop_oldest",
  DropNewest: "drop_newest",
  Latest: "latest",
  Disconnect: "disconnect",
  Block: "block",
});
