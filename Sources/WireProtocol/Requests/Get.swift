package import JSON

/// A request for the current value of a signal.
package struct GetRequest: WireRequest {
  package static let op = "get"
  package static let summary = "Return the value that a signal holds."
  package static let fields: [RequestField<Self>] = [
    .required("signal", \.signal, "the signal"),
    .optional("timestamps", \.timestamps, "include the time of the value, as at"),
  ]
  package static let shorthand: [ShorthandField] = [.word("signal")]

  package var signal = ""
  package var timestamps: Bool?

  package init() {}

  package init(signal: String, timestamps: Bool? = nil) {
    self.signal = signal
    self.timestamps = timestamps
  }
}

package struct GetReply: Reply {
  package static let op: StaticString = "get"

  package let signal: String
  package let seq: UInt64
  package let value: Payload
  /// The time of the value, for clients that asked for it.
  package let time: Timestamp?
  package let end: SignalEnd?

  package init(signal: String, seq: UInt64, value: Payload, time: Timestamp? = nil, end: SignalEnd? = nil) {
    self.signal = signal
    self.seq = seq
    self.value = value
    self.time = time
    self.end = end
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("signal", signal)
    line.member("seq", seq)
    line.member("value", value)
    if let time { line.member("at", time) }
    if let end { line.member("ended", end.value) }
  }
}
