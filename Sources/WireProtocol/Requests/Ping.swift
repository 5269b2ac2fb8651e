/// Asks for an answer after all that was asked before: a barrier.
package struct PingRequest: WireRequest {
  package static let op = "ping"
  package static let summary = "Is answered when everything that you sent before has been carried out."

  package init() {}
}

package struct PingReply: Reply {
  package static let op: StaticString = "ping"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
