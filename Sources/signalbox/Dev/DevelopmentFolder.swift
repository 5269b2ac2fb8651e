internal import Linux

/// The private folder of a daemon for development, with its socket and its state.
final class DevelopmentFolder {
  private static let prefix = "signalbox-dev"
  /// The longest path of a Unix socket in bytes (`sockaddr_un`).
  private static let longestSocket = 107

  private let folder: PrivateFolder

  var path: String { folder.path }
  var socket: String { "\(path)/socket" }
  var state: String { "\(path)/state" }

  /// Creates it in `$XDG_RUNTIME_DIR`, otherwise in `$TMPDIR` or `/tmp`: the first where the socket's path fits.
  init() throws(CommandError) {
    let named = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { CurrentProcess.environment($0) }
    var (found, reason): (PrivateFolder?, String) = (nil, "")
    for parent in named.filter({ $0.hasPrefix("/") }) + ["/tmp"] where found == nil {
      guard "\(parent)/\(Self.prefix).XXXXXX/socket".utf8.count <= Self.longestSocket else {
        reason = "\(parent) is too long for the path of a socket"
        continue
      }
      do throws(Errno) { found = try PrivateFolder(Self.prefix, in: parent) } catch { reason = "\(error)" }
    }
    guard let found else { throw CommandError(.unwritable, "cannot create a private folder: \(reason)") }
    folder = found
    try discardState()
  }

  /// Empties the state.
  func discardState() throws(CommandError) {
    do throws(Errno) {
      folder.remove("state")
      try folder.addFolder("state")
    } catch { throw CommandError(.unwritable, "\(error)") }
  }
}
