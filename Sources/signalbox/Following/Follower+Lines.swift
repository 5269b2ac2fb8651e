internal import ClientCore
internal import JSON
internal import WireProtocol

extension Follower {
  // MARK: Replies

  func takeReply(_ line: ServerLine, _ connection: Connection) throws(CommandError) {
    if let id = line.id, id == settling { return settle() }
    guard let id = line.id, let index = pending.removeValue(forKey: id) else {
      if !follows { printer.echo(line) }
      // The signal may have ended right after the last wanted value.
      let isOver = follows && line.errorCode == .notSubscribed
      if let failure = line.failure, !isOver { throw failure }
      return
    }
    if let failure = line.failure { return try takeRefusal(failure, line, index, connection) }
    let signals = line.objects("signals")
    let starts = signals.map {
      SubscriptionProgress.Start(
        $0.text("signal"), seq: Int(exactly: $0.number("seq")) ?? 0, epoch: $0["epoch"]?.plainText)
    }
    report(subscriptions[index].progress.begin(starts, epoch: line.string("epoch")), of: index)
    printer.echo(line)
    printer.expect(signals)
  }

  private func takeRefusal(
    _ failure: CommandError, _ line: ServerLine, _ index: Int, _ connection: Connection
  ) throws(CommandError) {
    let error = line.error ?? JSONObject()
    let oldest = error["epoch"] == nil ? Int(exactly: error.number("oldest")) : nil
    switch subscriptions[index].progress.refuse(error.text("code"), oldest: oldest) {
    case .subscribeAgain:
      try subscribe(index, to: subscriptions[index].withoutPlaces, on: connection)
      settling = try connection.send(PingRequest())
    case .removed:
      // It is treated like a removal by a reload: the others continue.
      printer.echo(line)
      printer.warn(line.message)
      end(index, CommandError(failure.status, nil))
    case .reconnect where isRenewed, .notYet where follows: throw CommandError(.unreachable, failure.message)
    case .reconnect, .notYet, .final:
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
        subscriptions[index].hasDoubts = false
        let pattern = subscriptions[index].request.signal.text
        printer.warn("\(pattern): values may be missing here (unknown with --where or --every)")
        printer.line("expired", ["signal": .string(pattern)])
      }
      report(subscriptions[index].progress.settle(), of: index)
    }
  }

  private func report(_ notices: [SubscriptionProgress.Notice], of index: Int) {
    for notice in notices {
      switch notice {
      case .expired(_, _, 0),
        .expired where subscriptions[index].isVague:
        subscriptions[index].hasDoubts = true
      case .expired(let signal, let last, let oldest):
        let lost = oldest > last + 2 ? "values \(last + 1) to \(oldest - 1) are" : "value \(last + 1) is"
        printer.warn("\(signal): \(lost) lost")
        let (from, oldest) = (JSONValue.number(Double(last)), JSONValue.number(Double(oldest)))
        printer.line("expired", ["signal": .string(signal), "from": from, "oldest": oldest])
      case .restarted(let signal, let former, let epoch) where epoch != former:
        printer.warn("\(signal): sequence numbers restarted; values in between may be missing")
        printer.line("renewed", ["signal": .string(signal), "epoch": .string(epoch)])
      case .restarted, .subscribed, .removed: break
      }
    }
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
    guard case .deliver(let loss) = subscriptions[index].progress.takeValue(sequence, of: signal) else { return }
    if let loss { report([loss], of: index) }
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
    case _ where line.isEnding: try takeEnding(event, of: signal, line, index)
    case "lagged":
      let count = line.number("dropped") ?? 0
      let isNews = subscriptions[index].progress.takeLag(count, of: signal)
      // The lost part of an interruption is reported once the remaining values have been received.
      if follows, subscriptions[index].progress.isCatchingUp {
        if subscriptions[index].isVague { return subscriptions[index].hasDoubts = true }
        if !isNews { return }
      }
      printer.echo(line)
      printer.note("\(signal): \(count) values are missing here")
    case "ended":
      printer.echo(line)
      end(index, nil)
    case "alive":
      subscriptions[index].progress.takeHeartbeat(line.number("seq") ?? 0, of: signal)
      printer.echo(line)
    case "subscribed":
      _ = subscriptions[index].progress.takeBeginning(
        of: signal, at: line.number("seq") ?? 0, epoch: line.string("epoch"))
      printer.echo(line)
    case "renewed":
      _ = subscriptions[index].progress.takeEpoch(line.string("epoch") ?? "", of: signal)
      printer.echo(line)
    default: printer.echo(line)
    }
  }

  private func takeEnding(
    _ event: String, of signal: String, _ line: ServerLine, _ index: Int
  ) throws(CommandError) {
    let reason = line.string("reason")
    switch subscriptions[index].progress.takeEnding(of: signal, reason: reason) {
    // The signal has not ended with the daemon: the subscription resumes with the next one.
    case .skip where follows && line.isTemporaryEnding: return printer.echo(line)
    case .skip where follows: return
    case .skip, .deliver: printer.echo(line)
    case .reconnect:
      printer.echo(line)
      throw CommandError(.unreachable, interruption(of: signal, reason))
    }
    let failure: CommandError?
    switch event {
    case "completed":
      printer.note("\(signal) completed")
      failure = nil
    case "failed":
      printer.note("\(signal) failed: \(line.message)")
      failure = CommandError(.failed, nil)
    default:
      printer.note(interruption(of: signal, reason))
      failure = CommandError(Self.status(reason), nil)
    }
    if subscriptions[index].request.signal.isName { end(index, failure) }
  }

  private func interruption(of signal: String, _ reason: String?) -> String {
    "\(signal) was interrupted\(reason.map { ": \($0)" } ?? "")"
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
    subscriptions[index].progress.end()
    if firstFailure == nil { firstFailure = failure }
  }
}
