internal import JSON

/// Asks the daemon to read its configuration again.
package struct ReloadRequest: WireRequest {
  package static let op = "reload"
  package static let summary = "Reads the configuration again; if anything in it is wrong, the old one runs on."

  package init() {}
}

package struct ReloadReply: Reply {
  package static let op: StaticString = "reload"

  package let generation: Int
  package var kept: [String] = []
  package var changed: [String] = []
  package var added: [String] = []
  package var removed: [String] = []
  package var needsRestart: [String] = []

  package init(generation: Int) { self.generation = generation }

  package func writeMembers(to line: inout LineWriter) {
    line.member("generation", generation)
    line.member("kept", kept)
    line.member("changed", changed)
    line.member("added", added)
    line.member("removed", removed)
    line.member("needs_restart", needsRestart)
  }
}
