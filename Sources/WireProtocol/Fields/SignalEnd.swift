package import JSON

/// The end of a signal and its time, in replies.
package struct SignalEnd: Sendable {
  /// `completed`, `failed` or `interrupted`.
  package let event: String
  /// The failure of a failed signal; only for clients that may subscribe.
  package let failure: Failure?
  package let time: Timestamp

  package init(event: String, failure: Failure?, time: Timestamp) {
    self.event = event
    self.failure = failure
    self.time = time
  }

  package var value: JSONValue {
    var object: JSONObject = ["event": .string(event)]
    if let failure { object["error"] = failure.value }
    object["at"] = .string(time.text)
    return .object(object)
  }
}
