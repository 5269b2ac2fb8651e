internal import WireProtocol

extension Connection {
  /// Sends a request and waits for its answer.
  ///
  /// - Throws: the daemon's refusal, with the exit status that belongs to it.
  func ask(_ request: some WireRequest) throws(CommandError) -> ServerLine {
    let id = try send(request)
    while let line = try next() {
      guard case .reply = line.kind, line.id == id || line.id == nil else { continue }
      if let failure = line.failure { throw failure }
      return line
    }
    throw CommandError(.internal, "waiting ended without an answer")
  }
}

extension ServerLine {
  /// The refusal in this line, if it is an error.
  var failure: CommandError? { isRefusal ? CommandError(ExitStatus(errorCode), message) : nil }
}
