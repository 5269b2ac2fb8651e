/// The reason for failing to read or write the state of durable graphs, with advice.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of an error, which determines the daemon's reaction.
  package enum Kind: Sendable, Equatable {
    /// Another daemon holds the folder.
    case locked
    /// The folder has no state.
    case missing
    /// A newer version of the program wrote the folder.
    case newerVersion
    /// Data in the folder is invalid.
    case damaged
    /// The disk is full; writes can be retried.
    case full
    /// Another program blocks writes to the database; they are retried automatically.
    case busy
    /// The storage cannot be reached; writes are repeated until it can.
    case away
    /// The system rejects reads, writes or syncs; writing has stopped.
    case failed
    /// Another process owns the state log now; writing has stopped, and its graphs run there.
    case fenced
  }

  package let kind: Kind
  /// The message, including the path and advice.
  package let description: String
  /// The message without advice.
  package let finding: String

  /// True if writing resumes by itself once the cause is gone.
  package var isPassing: Bool { kind == .full || kind == .busy || kind == .away }

  /// - Parameter advice: The remedies, if any.
  package init(_ kind: Kind, _ finding: String, advice: String? = nil) {
    self.kind = kind
    self.finding = finding
    description = finding + (advice.map { "; \($0)" } ?? "")
  }
}
