/// Starts what has ended anew.
package struct RestartRequest: WireRequest {
  package static let op = "restart"
  package static let summary = "Starts a signal that has ended, or all such of a graph, anew."
  package static let fields: [RequestField<Self>] = [
    .optional("signal", \.signal, "the signal"),
    .optional("graph", \.graph, "the graph"),
  ]
  package static let shorthand: [ShorthandField] = [.signalOrGraph]

  package var signal: String?
  package var graph: String?

  package init() {}

  package func check() throws(WireError) { try requireOne(of: ("signal", signal != nil), ("graph", graph != nil)) }
}

package struct RestartReply: Reply {
  package static let op: StaticString = "restart"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
