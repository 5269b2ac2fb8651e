/// A request of an adapter: the state of a connection.
package struct ReportRequest: WireRequest {
  package static let op = "report"
  package static let summary =
    "Report the state of a connection; no reply on success unless it has an id. For adapters."
  package static let fields: [RequestField<Self>] = [
    .required("connection", \.connection, "the name of the connection"),
    .required("state", \.state, "the state of the connection"),
    .optional("reason", \.reason, "the reason for being away"),
  ]

  package enum State: String, WordField {
    case connected
    case away
  }

  package var connection = ""
  package var state = State.connected
  package var reason: String?

  package init() {}
}

package struct ReportReply: Reply {
  package static let op: StaticString = "report"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
