/** The daemon refused a request. `code` is one of `ErrorCode`; the message is for people. */
export class SignalboxError extends Error {
  /** @param {object} details all members of the error: `code`, `message`, `oldest`, `status`, `errors` and so on */
  constructor(details) {
    super(details.message);
    this.name = "SignalboxError";
    this.code = details.code;
    this.details = details;
  }
}

/** The connection ended before the answer: nobody knows whether the request was carried out. */
export class ConnectionLost extends SignalboxError {
  constructor(message = "the connection closed before the answer") {
    super({ code: "connection_lost", message });
    this.name = "ConnectionLost";
  }
}
