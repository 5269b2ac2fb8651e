/// The reason for failing to listen on a socket.
package enum ListenError: Error, Equatable, CustomStringConvertible {
  /// Another process accepts connections there.
  case inUse(path: String)
  /// The path exists and is no socket; it is left untouched.
  case notASocket(path: String)
  /// The path is the notation of an abstract socket (unix(7)), which has no permissions.
  case abstract(path: String)
  case system(Errno)

  package var description: String {
    switch self {
    case .inUse(let path): "\(path): another process is listening on it"
    case .notASocket(let path): "\(path): exists and is not a socket"
    case .abstract(let path):
      "\(path): an abstract socket, which every user may connect to: give a path (./\(path) for a file of that name)"
    case .system(let error): error.description
    }
  }
}
