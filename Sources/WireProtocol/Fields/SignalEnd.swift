package import JSON

/// How and when a signal came to its end, as answers tell it.
package struct SignalEnd: Sendable {
  /// `completed`, `failed` or `interrupted`.
  package let event: String
  /// Of one that failed; for those alone who may subscribe.
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
