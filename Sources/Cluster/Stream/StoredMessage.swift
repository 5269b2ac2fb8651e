/// The last token of the subject of a message, which says where it belongs.
package enum LogSubject: String, Sendable, CaseIterable {
  case open, commit, snapshot
}

/// A message as a stream holds it.
package struct StoredMessage: Equatable, Sendable {
  package var sequence: UInt64
  package var bytes: [UInt8]

  package init(sequence: UInt64, bytes: [UInt8]) {
    self.sequence = sequence
    self.bytes = bytes
  }
}
