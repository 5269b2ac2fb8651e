/// A request of an adapter: the state of a connection, or that a source works again.
package struct ReportRequest: WireRequest {
  package static let op = "report"
  package static let summary =
    "Report the state of a connection or of a source; no reply on success unless it has an id. For adapters."
  package static let fields: [RequestField<Self>] = [
    .optional("connection", \.connection, "the name of the connection"),
    .optional("signal", \.signal, "a source that works again, though it has no value to send; connected"),
    .required("state", \.state, "the state of the connection or the source"),
    .optional("reason", \.reason, "the reason for being away"),
  ]

  package enum State: String, WordField {
    case connected
    case away
  }

  package var connection: String?
  package var signal: String?
  package var state = State.connected
  package var reason: String?

  package init() {}

  package func check() throws(WireError) {
    try requireOne(of: ("connection", connection != nil), ("signal", signal != nil))
    if signal != nil, state == .away {
      throw WireError(.badRequest, "a source that fails sends its failure: \"state\":\"away\" is for connections")
    }
  }
}

package struct ReportReply: Reply {
  package static let op: StaticString = "report"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
