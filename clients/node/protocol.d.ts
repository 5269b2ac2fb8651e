// Made by clients/generate; do not edit.

/** The codes of errors. */
export const ErrorCode: {
  readonly BadJSON: "bad_json";
  readonly BadRequest: "bad_request";
  readonly UnknownOp: "unknown_op";
  readonly UnknownSignal: "unknown_signal";
  readonly UnknownAction: "unknown_action";
  readonly NotAnInput: "not_an_input";
  readonly BadValue: "bad_value";
  readonly Ended: "ended";
  readonly AlreadySubscribed: "already_subscribed";
  readonly NotSubscribed: "not_subscribed";
  readonly NoValue: "no_value";
  readonly UnknownGraph: "unknown_graph";
  readonly BadConfig: "bad_config";
  readonly Failed: "failed";
  readonly Denied: "denied";
  readonly Disabled: "disabled";
  readonly Busy: "busy";
  readonly TooLong: "too_long";
  readonly TooDeep: "too_deep";
  readonly TooMany: "too_many";
  readonly Expired: "expired";
  readonly Timeout: "timeout";
  readonly Storage: "storage";
  readonly Unavailable: "unavailable";
  readonly Http: "http";
  readonly Connect: "connect";
  readonly Tls: "tls";
  readonly TooLarge: "too_large";
  readonly ShuttingDown: "shutting_down";
  readonly Restarted: "restarted";
  readonly Internal: "internal";
  readonly ConnectionLost: "connection_lost";
};
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** The kinds of events. */
export const EventKind: {
  readonly Next: "next";
  readonly Completed: "completed";
  readonly Failed: "failed";
  readonly Interrupted: "interrupted";
  readonly Lagged: "lagged";
  readonly Renewed: "renewed";
  readonly Subscribed: "subscribed";
  readonly Ended: "ended";
  readonly Alive: "alive";
  readonly Expired: "expired";
  readonly Restarted: "restarted";
};
export type EventKind = (typeof EventKind)[keyof typeof EventKind];

/** What gives way when a subscription is read too slowly. */
export const Overflow: {
  readonly DropOldest: "drop_oldest";
  readonly DropNewest: "drop_newest";
  readonly Latest: "latest";
  readonly Disconnect: "disconnect";
  readonly Block: "block";
};
export type Overflow = (typeof Overflow)[keyof typeof Overflow];
