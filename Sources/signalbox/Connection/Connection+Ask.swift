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

  /// The failure of the connection, if this line is one: nothing follows on it for a signal that has not ended, or for any.
  var interruption: CommandError? {
    let signal = string("signal") ?? ""
    guard isTemporaryEnding || signal.isEmpty && kind == .event("interrupted") else { return nil }
    let subject = signal.isEmpty ? "connection" : "\(signal) was"
    return CommandError(.unreachable, "\(subject) interrupted\(string("reason").map { ": \($0)" } ?? "")")
  }
}
