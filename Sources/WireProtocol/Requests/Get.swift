package import JSON

/// Asks for the value that a signal holds.
package struct GetRequest: WireRequest {
  package static let op = "get"
  package static let summary = "Tells the value that a signal holds."
  package static let fields: [RequestField<Self>] = [.required("signal", \.signal, "the signal")]
  package static let shorthand: [ShorthandField] = [.word("signal")]

  package var signal = ""

  package init() {}

  package init(signal: String) { self.signal = signal }
}

package struct GetReply: Reply {
  package static let op: StaticString = "get"

  package let signal: String
  package let seq: UInt64
  package let value: Payload

  package init(signal: String, seq: UInt64, value: Payload) {
    self.signal = signal
    self.seq = seq
    self.value = value
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("signal", signal)
    line.member("seq", seq)
    line.member("value", value)
  }
}
