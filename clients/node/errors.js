/** The daemon refused a request. `code` is one of `ErrorCode`; the message is for people. */
export class SignalboxError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {object} details all members of the error: `oldest`, `status`, `errors` and so on
   */
  constructor(code, message, details = {}) {
    super(message);
    this.name = "SignalboxError";
    this.code = code;
    this.details = details;
  }

  static of(error) {
    return new SignalboxError(error.code, error.message, error);
  }
}

/** The connection ended before the answer: nobody knows whether the request was carried out. */
export class ConnectionLost extends SignalboxError {
  constructor(message = "the connection ended before the answer") {
    super("connection_lost", message);
    this.name = "ConnectionLost";
  }
}
