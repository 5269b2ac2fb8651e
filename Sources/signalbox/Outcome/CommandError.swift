/// The reason that a command fails.
struct CommandError: Error {
  let status: ExitStatus
  /// The message for the user; `nil` for none.
  let message: String?
  /// The lines below the message, which mark the position of the error in a text.
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
    .denied, "root, the daemon's own user and the users in server.access.stats see the daemon's counts")

  /// The end after the reader of the output has closed it, as `| head` does.
  static let outputClosed = CommandError(.ok, nil)
}
