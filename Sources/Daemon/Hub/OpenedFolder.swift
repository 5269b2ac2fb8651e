import Linux
import StateLog

/// The folder of a state log, as it was when it was opened.
struct OpenedFolder {
  let path: String
  private let identities: [FileIdentity?]

  init(_ path: String) {
    self.path = path
    identities = Self.identities(of: path)
  }

  /// True unless it, or the database in it, was removed or replaced since.
  var isInPlace: Bool { zip(identities, Self.identities(of: path)).allSatisfy { $0 == nil || $0 == $1 } }

  private static func identities(of path: String) -> [FileIdentity?] {
    [path, StateFolder.database(in: path)].map { FileIdentity(path: $0) }
  }
}
