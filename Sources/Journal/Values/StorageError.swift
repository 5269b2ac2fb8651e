/// A storage error says why the state of durable graphs cannot be read or written, and the way out.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of an error decides on how the daemon goes on.
  package enum Kind: Sendable, Equatable {
    /// Another daemon has the folder.
    case locked
    /// There is nothing to read.
    case missing
    /// A newer version of the program has written the folder.
    case newerVersion
    /// Something in the folder is not as it was written.
    case damaged
    /// There is no room on the disk; writing can be tried again.
    case full
    /// Another program keeps the database from being written; writing is tried again by itself.
    case busy
    /// The system refuses to read, write or sync; nothing more is written.
    case failed
  }

  package let kind: Kind
  /// One sentence or more for a person, with the path.
  package let description: String
  /// The same without the ways out.
  package let finding: String

  /// - Parameter advice: The ways out, where there are some.
  package init(_ kind: Kind, _ finding: String, advice: String? = nil) {
    self.kind = kind
    self.finding = finding
    description = finding + (advice.map { "; \($0)" } ?? "")
  }
}
