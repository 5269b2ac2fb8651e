/// The reason for failing to listen on a socket.
package enum ListenError: Error, Equatable, CustomStringConvertible {
  /// Another process accepts connections there.
  case inUse(path: String)
  /// A socket that this user may not connect to, so that it might be in use; it is left untouched.
  case foreign(Errno)
  /// The path exists and is no socket; it is left untouched.
  case notASocket(path: String)
  /// An abstract socket, which no permissions protect.
  case refused(reason: String)
  case system(Errno)

  package var description: String {
    switch self {
    case .inUse(let path): "\(path): another process is listening on it"
    case .foreign(let error): "\(error), so another process may be listening on it"
    case .notASocket(let path): "\(path): exists and is not a socket"
    case .refused(let reason): reason
    case .system(let error): error.description
    }
  }
}
