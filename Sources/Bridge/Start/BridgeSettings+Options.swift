internal import Glibc
internal import Linux

extension BridgeSettings {
  /// - Throws: An error in the options, or in the variables that the daemon sets for its child.
  init(_ options: ParsedArguments) throws(StartFailure) {
    self.init(socket: SocketPath.ofDaemon(option: options.argument(of: "socket")))
    if let reason = SocketPath.refusal(of: socket) {
      throw StartFailure("--socket \(reason)", status: EX_USAGE)
    }
    if !options.has("check") { inherited = try ParentDescriptor.take("SIGNALBOX_SOCKET_FD") }
  }
}
