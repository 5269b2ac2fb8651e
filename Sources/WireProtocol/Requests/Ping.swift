/// A request that is answered after all earlier ones: a barrier.
package struct PingRequest: WireRequest {
  package static let op = "ping"
  package static let summary = "Answer once all earlier requests have been processed."

  package init() {}
}

package struct PingReply: Reply {
  package static let op: StaticString = "ping"

  package init() {}

  package func writeMembers(to line: inout LineWriter) {}
}
