internal import Linux
internal import WireProtocol

/// The paths of a daemon, which it returns to root and its own user.
struct DaemonPaths {
  let configuration: String
  /// The state folder of durable graphs; `nil` if no graph is durable.
  let state: String?

  /// The reason that a daemon's paths are unknown.
  enum Absence: Error {
    case unreachable(CommandError)
    /// The daemon does not disclose them to this user.
    case withheld
  }

  /// Commands on a state folder work without a daemon, too, and wait no longer for one that hangs.
  private static let patience = Duration.seconds(2)

  /// Requests the paths from the daemon at a socket.
  init(at socket: String, _ output: Output) throws(Absence) {
    let answer: ServerLine?
    do throws(CommandError) {
      let connection = try Connection(path: socket, output: output, echoesLines: false)
      try connection.send(HelloRequest())
      answer = try connection.next(until: MonotonicInstant.now() + Self.patience)
    } catch { throw .unreachable(error) }
    guard let answer else {
      let time = Self.patience.components.seconds
      throw .unreachable(CommandError(.unreachable, "\(socket): no answer within \(time) s"))
    }
    guard let configuration = answer.string("configuration") else { throw .withheld }
    (self.configuration, state) = (configuration, answer.string("state"))
  }
}
