/// A request to restart what has ended.
package struct RestartRequest: WireRequest {
  package static let op = "restart"
  package static let summary = "Restart an ended signal, or all ended signals of a graph."
  package static let concernsOthers = true
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
