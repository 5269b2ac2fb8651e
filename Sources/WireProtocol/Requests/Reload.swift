internal import JSON

/// A request to reload the configuration.
package struct ReloadRequest: WireRequest {
  package static let op = "reload"
  package static let summary = "Reload the configuration; if it is invalid, the old one stays active."

  package static let concernsOthers = true
  package static let fields: [RequestField<Self>] = [
    .optional("dry_run", \.dryRun, "only report the changes and the state that would be discarded")
  ]

  package var dryRun: Bool?

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
  /// The state that signals would lose, for a dry run.
  package var losses: [Loss]?

  /// A signal that would restart or be removed.
  package struct Loss: Sendable {
    package let signal: String
    /// `changed`, `removed`, or `computed from g.x`.
    package let because: String
    /// The stateful sources and operators.
    package let memories: [String]
    /// The number of retained values.
    package let values: Int

    package init(signal: String, because: String, memories: [String], values: Int) {
      self.signal = signal
      self.because = because
      self.memories = memories
      self.values = values
    }
  }

  package init(generation: Int) { self.generation = generation }

  package func writeMembers(to line: inout LineWriter) {
    line.member("generation", generation)
    line.member("kept", kept)
    line.member("changed", changed)
    line.member("added", added)
    line.member("removed", removed)
    line.member("needs_restart", needsRestart)
    guard let losses else { return }
    line.member("dry_run", JSONValue.bool(true))
    line.member("losses", JSONValue.array(losses.map { $0.value }))
  }
}

extension ReloadReply.Loss {
  fileprivate var value: JSONValue {
    [
      "signal": .string(signal), "because": .string(because),
      "memories": .array(memories.map { .string($0) }), "values": .number(Double(values)),
    ]
  }
}
