import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import WireProtocol

extension SendRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.send(self, exchange)
  }
}

extension Dispatcher {
  /// Handles the most frequent line without parsing it completely.
  func carryOut(
    _ send: SendLine, of line: Span<UInt8>, for session: Session
  ) throws(Refusal) -> LineSplitter.Flow {
    do throws(WireError) {
      let channel = try target(line.extracting(send.signal), session)
      if mustWait(for: channel, session) { return .hold }
      if channel.signal.isMirror {
        let value = parser.payload(of: send, in: line)
        let exchange = Exchange(session: session, id: send.requestID(in: line))
        return try sendDurably(.value(value), to: channel, message: nil, values: 1, exchange)
      }
      let before = channel.signal.sequence
      iteration.hasSender = true
      defer { iteration.hasSender = false }
      if channel.isRelay {
        relayedValues &+= 1
        hasRelayed = true
        channel.relay(line.extracting(send.value))
      } else {
        try self.send(parser.payload(of: send, in: line), to: channel)
      }
      session.countSent(1)
      guard let id = send.requestID(in: line) else { return .next }
      answer(channel, since: before, Exchange(session: session, id: id))
      return .next
    } catch {
      // Adapters send to their sources in this form, too.
      if error.code == .notAnInput, hub.adapters[session] != nil {
        iteration.closeBatch()
        let parsed = try parser.parse(line)
        return try carryOut(try parsed.executable(), Exchange(session: session, id: parsed.id))
      }
      throw Refusal(id: send.requestID(in: line), op: SendRequest.op, error)
    }
  }

  private func send(_ payload: Payload, to channel: Channel) throws(WireError) {
    do throws(SendError) {
      try hub.runtime.send(payload, to: channel.signal)
    } catch {
      throw WireError(error, signal: channel.name)
    }
  }

  /// Checks the limits on sending: the client's rate, the backlog of the disk, and subscribers that block their
  /// senders.
  ///
  /// - Returns: `true` if the client may not send to the signal now.
  @inline(__always)
  private func mustWait(for channel: Channel, _ session: Session) -> Bool {
    if !lists.isEmpty, lists.hold(session.sender, before: channel.graph) { return true }
    if let meter = session.exhaustedMeter(at: clock.now) {
      session.wait(for: meter)
      wakeWaiting(for: meter)
      return true
    }
    if channel.mayHoldSenders {
      for commits in channel.fedCommits where commits.graphs.isBehind {
        session.wait(for: commits)
        return true
      }
      if session.hasPendingSends, session.mustAnswer(before: channel) {
        session.waitForCommits()
        return true
      }
      // Reading an adapter must continue, since its acknowledgements let the calls proceed.
      if channel.isCongested, hub.adapters[session] == nil {
        session.waitForCalls()
        return true
      }
    }
    if channel.gates.isEmpty { return false }
    guard let gate = channel.shutGate(for: session.sendBuffer) else { return false }
    session.wait(at: gate)
    return true
  }

  /// Resumes clients that wait for a rate, a few at a time.
  private func wakeWaiting(for meter: SendMeter) {
    guard let pause = meter.beginPause() else { return }
    _ = clock.schedule(after: pause) { [weak self] in
      guard let self else { return }
      meter.endPause(at: clock.now)
      wakeWaiting(for: meter)
    }
  }

  /// Handles a send in any other form.
  ///
  /// - Returns: `hold` if it has to wait.
  func send(_ request: SendRequest, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    if let flow = try sendFromAdapter(request, exchange) { return flow }
    let channel = try permitted(try channel(request.signal, for: exchange.client), exchange.session)
    if request.messageID != nil { try requireDurability(of: channel) }
    if mustWait(for: channel, exchange.session) { return .hold }
    if case .values(let values) = request.content {
      return try send(values, to: channel, message: request.messageID, exchange)
    }
    if channel.signal.isMirror {
      let (content, count) = request.content.durable
      return try sendDurably(content, to: channel, message: request.messageID?.text, values: count, exchange)
    }
    let before = channel.signal.sequence
    iteration.hasSender = true
    defer { iteration.hasSender = false }
    do throws(SendError) {
      try send(request.content, to: channel.signal, exchange.session)
    } catch {
      throw WireError(error, signal: channel.name)
    }
    if exchange.id == nil { return .next }
    if request.content.isEnding {
      exchange.reply(SendReply(signal: channel.name, seq: channel.signal.sequence))
    } else {
      answer(channel, since: before, exchange)
    }
    return .next
  }

  /// Refuses message ids that would have no effect: an ordinary signal does not remember them across a restart.
  func requireDurability(of channel: Channel) throws(WireError) {
    if channel.signal.declaration.isDurable { return }
    throw WireError(
      .badRequest,
      "\(SendRequest.messageIDIsForDurable); graph \"\(channel.graph)\" lacks durable: true")
  }

  /// Answers with the number of the last value, if any was sent.
  func answer(_ channel: Channel, since before: UInt64, _ exchange: Exchange) {
    let last = channel.signal.sequence
    exchange.reply(SendReply(signal: channel.name, seq: last > before ? last : nil))
  }

  private func send(
    _ content: SendRequest.Content, to signal: RunningSignal, _ session: Session
  ) throws(SendError) {
    switch content {
    case .value(let value):
      try hub.runtime.send(value, to: signal)
      session.countSent(1)
    // These are sent as a list.
    case .values: break
    case .completed: try hub.runtime.end(signal, with: .completed)
    case .failed(let failure):
      try hub.runtime.end(signal, with: .failed(SignalFailure(code: failure.code, message: failure.message)))
    case .interrupted: try hub.runtime.end(signal, with: .interrupted)
    }
  }

  /// Returns the signal to send to, usually that of the client's last line.
  private func target(_ name: Span<UInt8>, _ session: Session) throws(WireError) -> Channel {
    if let last = session.lastChannel, last.isNamed(name) { return try permitted(last, session) }
    guard let channel = hub.channel(named: name, for: session.identity) else {
      throw unknownSignal(name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, for: session.identity)
    }
    session.lastChannel = channel
    return try permitted(channel, session)
  }

  @inline(__always)
  func permitted(_ channel: Channel, _ session: Session) throws(WireError) -> Channel {
    if channel.access.maySend(session.identity) { return channel }
    throw WireError(.denied, "no permission to send to \"\(channel.name)\"")
  }
}

extension SendRequest.Content {
  /// The content for a durable graph, and its number of values.
  fileprivate var durable: (DurableGraphs.Content, Int) {
    switch self {
    case .value(let value): (.value(value), 1)
    case .values(let values): (.values(values), values.count)
    case .completed: (.ending(.completed), 0)
    case .failed(let failure):
      (.ending(.failed(SignalFailure(code: failure.code, message: failure.message))), 0)
    case .interrupted: (.ending(.interrupted), 0)
    }
  }
}

extension WireError {
  init(_ error: SendError, signal: String) {
    switch error {
    case .notAnInput(let kind):
      self.init(.notAnInput, "\"\(signal)\" is \(kind.withArticle): only inputs and properties take values")
    case .badValue(let expected, let found): self.init(.badValue, "\"\(signal)\" takes \(expected), not \(found)")
    case .ended: self.init(.ended, "\"\(signal)\" has ended")
    case .failed(let failure): self.init(.failed, "\"\(signal)\": \(failure.message)")
    case .notEndable: self.init(.denied, "\"\(signal)\" is not endable: set endable: true in its declaration")
    }
  }
}

extension SignalKind {
  fileprivate var withArticle: String {
    switch self {
    case .input: "an input"
    case .property: "a property"
    case .derived: "derived from other signals"
    case .source: "a source of its own"
    case .action: "an action's"
    }
  }
}
