/// The reason why a command ends before it is done.
struct CommandError: Error {
  let status: ExitStatus
  /// The message for people; `nil` if there is nothing to tell.
  let message: String?
  /// The lines below the message: where in a text the mistake is.
  let excerpt: [String]

  init(_ status: ExitStatus, _ message: String?, excerpt: [String] = []) {
    self.status = status
    self.message = message
    self.excerpt = excerpt
  }

  static func usage(_ message: String, excerpt: [String] = []) -> CommandError {
    CommandError(.usage, message, excerpt: excerpt)
  }

  static let deniedCounts = CommandError(
    .denied, "root, the daemon's own user and those whom server.access.stats names see the daemon's counts")

  /// Nothing reads the output any more, as after `| head`.
  static let outputClosed = CommandError(.ok, nil)
}
