internal import JSON
internal import WireProtocol

extension Follower {
  // MARK: Replies

  func takeReply(_ line: ServerLine, _ connection: Connection) throws(CommandError) {
    if let id = line.id, id == settling { return settle() }
    guard let id = line.id, let asked = pending.removeValue(forKey: id) else {
      if !follows { printer.echo(line) }
      // The signal may have ended right after the last wanted value.
      let isOver = follows && line.errorCode == .notSubscribed
      if let failure = line.failure, !isOver { throw failure }
      return
    }
    if let failure = line.failure { return try takeRefusal(failure, line, of: asked, connection) }
    let signals = line.objects("signals")
    printer.echo(line)
    printer.expect(signals)
    subscriptions[asked.subscription].begin(signals) { signal in
      lasting(signal["epoch"] == nil ? line.string("epoch") : signal.text("epoch"))
    }
  }

  /// Returns the epoch of numbers that outlive the daemon: one that differs from the daemon's own.
  private func lasting(_ given: String?) -> String? { given == epoch ? nil : given }

  private func takeRefusal(
    _ failure: CommandError, _ line: ServerLine, of asked: Pending, _ connection: Connection
  ) throws(CommandError) {
    let index = asked.subscription
    switch line.errorCode {
    case .expired where asked.hasFrom && line.error?["epoch"] != nil:
      let signal = subscriptions[index].request.signal.text
      printer.warn("\(signal): sequence numbers restarted; values in between may be missing")
      printer.line("renewed", ["signal": .string(signal), "epoch": .string(line.error?.text("epoch") ?? "")])
      try subscribe(index, to: subscriptions[index].renewedFromTheBeginning(), on: connection)
      settling = try connection.send(PingRequest())
    case .expired where asked.hasFrom:
      let (request, gap) = subscriptions[index].renewed(withoutThoseBefore: Int(line.error?.number("oldest") ?? 1))
      report(gap)
      try subscribe(index, to: request, on: connection)
      settling = try connection.send(PingRequest())
    case .badRequest where asked.hasFrom:
      try subscribe(index, to: subscriptions[index].renewedFromTheBeginning(), on: connection)
      settling = try connection.send(PingRequest())
    case .unknownSignal where isRenewed, .denied where isRenewed:
      // It is treated like a removal by a reload: the others continue.
      printer.echo(line)
      printer.warn(line.message)
      end(index, CommandError(failure.status, nil))
    case .tooMany where isRenewed: throw CommandError(.unreachable, failure.message)
    default:
      // A user who requested several would not notice that one is missing.
      printer.echo(line)
      throw failure
    }
  }

  private func settle() {
    // A daemon that accepts one subscription and refuses the next is not ready yet.
    if pending.isEmpty { backoff.reset() }
    settling = nil
    for index in subscriptions.indices where !subscriptions[index].isOver {
      if subscriptions[index].hasDoubts {
        let pattern = subscriptions[index].request.signal.text
        printer.warn("\(pattern): values may be missing here (unknown with --where or --every)")
        printer.line("expired", ["signal": .string(pattern)])
      }
      for gap in subscriptions[index].settle() { report(gap) }
    }
  }

  private func report(_ gap: Gap) {
    printer.warn(gap.text)
    let (from, oldest) = (JSONValue.number(Double(gap.from)), JSONValue.number(Double(gap.oldest)))
    printer.line("expired", ["signal": .string(gap.signal), "from": from, "oldest": oldest])
  }

  // MARK: Events

  /// Returns the subscription of an event.
  private func index(of line: ServerLine) -> Int? {
    guard subscriptions.count > 1 else { return 0 }
    return line.string("subscription").flatMap { places[$0] }
  }

  func takeValue(_ line: ServerLine, _ connection: Connection) throws(CommandError) {
    guard follows else { return printer.value(line) }
    guard let index = index(of: line), let signal = line.string("signal"), let sequence = line.number("seq") else {
      return
    }
    guard case .wanted(let gap) = subscriptions[index].takeValue(of: signal, sequence) else { return }
    if let gap { report(gap) }
    printer.value(line)
    if subscriptions[index].isOver { try finish(subscriptions[index].request, on: connection) }
  }

  /// Ends a subscription that has received its values.
  private func finish(_ request: SubscribeRequest, on connection: Connection) throws(CommandError) {
    var members: JSONObject = [:]
    if let label = request.subscription { members["subscription"] = .string(label) }
    members["signal"] = .string(request.signal.text)
    members["reason"] = "take"
    printer.line("ended", members)
    guard isLive else { return }
    var unsubscribe = UnsubscribeRequest()
    unsubscribe.subscription = request.subscription
    try connection.send(unsubscribe)
  }

  func takeEvent(_ event: String, _ line: ServerLine) throws(CommandError) {
    let signal = line.string("signal") ?? ""
    if event == "interrupted", signal.isEmpty {
      printer.echo(line)
      let reason = line.string("reason") ?? "no reason given"
      throw CommandError(.unreachable, "connection interrupted: \(reason)")
    }
    guard let index = index(of: line) else { return printer.echo(line) }
    switch event {
    case _ where line.isEnding: takeEnding(event, of: signal, line, index)
    case "lagged":
      let count = line.number("dropped") ?? 0
      subscriptions[index].skip(count, of: signal)
      // The lost part of an interruption is reported once the remaining values have been received.
      if settling != nil, isRenewed, subscriptions[index].hasDoubts { return }
      printer.echo(line)
      printer.note("\(signal): \(count) values are missing here")
    case "ended":
      printer.echo(line)
      end(index, nil)
    case "alive":
      subscriptions[index].reach(line.number("seq") ?? 0, of: signal)
      printer.echo(line)
    case "subscribed":
      subscriptions[index].takeBeginning(
        of: signal, at: line.number("seq") ?? 0, epoch: lasting(line.string("epoch")))
      printer.echo(line)
    case "renewed":
      subscriptions[index].resume(in: lasting(line.string("epoch")), of: signal)
      printer.echo(line)
    default: printer.echo(line)
    }
  }

  private func takeEnding(_ event: String, of signal: String, _ line: ServerLine, _ index: Int) {
    let reason = line.string("reason")
    // The signal has not ended with the daemon: the subscription resumes with the next one.
    if follows, reason == "shutting_down" { return printer.echo(line) }
    guard subscriptions[index].takeEnding(of: signal) else { return }
    printer.echo(line)
    let failure: CommandError?
    switch event {
    case "completed":
      printer.note("\(signal) completed")
      failure = nil
    case "failed":
      printer.note("\(signal) failed: \(line.message)")
      failure = CommandError(.failed, nil)
    default:
      printer.note("\(signal) was interrupted\(reason.map { ": \($0)" } ?? "")")
      failure = CommandError(Self.status(reason), nil)
    }
    if subscriptions[index].request.signal.isName { end(index, failure) }
  }

  private static func status(_ reason: String?) -> ExitStatus {
    switch reason {
    case "removed": .unknown
    case "denied": .denied
    case "shutting_down": .unreachable
    default: .failed
    }
  }

  private func end(_ index: Int, _ failure: CommandError?) {
    subscriptions[index].end()
    if firstFailure == nil { firstFailure = failure }
  }
}
