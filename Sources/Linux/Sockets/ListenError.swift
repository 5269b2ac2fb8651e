/// Why a socket could not be listened on.
package enum ListenError: Error, Equatable, CustomStringConvertible {
  /// Another process accepts connections there.
  case inUse(path: String)
  /// Something that is no socket is there, and is left alone.
  case notASocket(path: String)
  case system(Errno)

  package var description: String {
    switch self {
    case .inUse(let path): "\(path): another process listens there"
    case .notASocket(let path): "\(path): something that is no socket is there"
    case .system(let error): error.description
    }
  }
}
