internal import WireProtocol

extension Connection {
  /// Sends a request and waits for its answer.
  ///
  /// - Throws: The daemon's refusal, with the corresponding exit status.
  func ask(_ request: some WireRequest) throws(CommandError) -> ServerLine {
    let id = try send(request)
    while let line = try next() {
      guard case .reply = line.kind, line.id == id || line.id == nil else { continue }
      if let failure = line.failure { throw failure }
      return line
    }
    throw CommandError(.internal, "the daemon closed the connection without an answer")
  }

  /// Returns the unit of a signal's values; empty if none is declared.
  func unit(of signal: String) throws(CommandError) -> String {
    var request = ListRequest()
    request.pattern = SignalPattern(signal)
    return try ask(request).objects("signals").first?.text("unit") ?? ""
  }
}

extension ServerLine {
  /// The refusal in this line, if it is an error.
  var failure: CommandError? { isRefusal ? CommandError(ExitStatus(errorCode), message) : nil }
}
