import JSON
import Persistence
import SignalGraph
import WireProtocol

extension Dispatcher {
  /// Carries out the line that comes most, without taking it apart.
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
      turn.hasSender = true
      defer { turn.hasSender = false }
      if channel.isRelay {
        relayedValues &+= 1
        channel.relay(line.extracting(send.value))
      } else {
        try self.send(parser.payload(of: send, in: line), to: channel)
      }
      session.hasSent(1)
      guard let id = send.requestID(in: line) else { return .next }
      answer(channel, since: before, Exchange(session: session, id: id))
      return .next
    } catch {
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

  /// Whether a client may not send to a signal at this moment: it has sent too much, the disk is behind, or a subscriber
  /// that wants every value has no room.
  @inline(__always)
  private func mustWait(for channel: Channel, _ session: Session) -> Bool {
    if let meter = session.exhaustedMeter(at: clock.now) {
      session.wait(for: meter)
      wakeWaiting(for: meter)
      return true
    }
    if channel.feedsDurable, hub.commits?.graphs.isBehind == true {
      session.waitForCommits()
      return true
    }
    if channel.gates.isEmpty { return false }
    guard let gate = channel.shutGate(for: session.outbox) else { return false }
    session.wait(at: gate)
    return true
  }

  /// Has those who wait for a rate go on in time, a few at a time.
  private func wakeWaiting(for meter: SendMeter) {
    guard let pause = meter.beginPause() else { return }
    _ = clock.schedule(after: pause) { [unowned self] in
      meter.pauseIsOver(at: clock.now)
      wakeWaiting(for: meter)
    }
  }

  /// Carries out a request in any other form.
  ///
  /// - Returns: `hold` for one that has to wait.
  func send(_ request: SendRequest, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    let channel = try permitted(try channel(request.signal, for: exchange.client), exchange.session)
    if request.messageID != nil { try requireDurability(of: channel) }
    if mustWait(for: channel, exchange.session) { return .hold }
    if channel.signal.isMirror {
      let (content, count) = request.content.durable
      return try sendDurably(content, to: channel, message: request.messageID?.text, values: count, exchange)
    }
    let before = channel.signal.sequence
    turn.hasSender = true
    defer { turn.hasSender = false }
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

  /// Refuses a promise that cannot be kept: what is not durable forgets with the daemon what it was sent.
  private func requireDurability(of channel: Channel) throws(WireError) {
    if channel.signal.declaration.isDurable { return }
    throw WireError(
      .badRequest,
      "\(SendRequest.messageIDIsForDurable); graph \"\(channel.graph)\" does not say durable: true")
  }

  /// Tells the number of the last value, if there was one.
  private func answer(_ channel: Channel, since before: UInt64, _ exchange: Exchange) {
    let last = channel.signal.sequence
    exchange.reply(SendReply(signal: channel.name, seq: last > before ? last : nil))
  }

  private func send(
    _ content: SendRequest.Content, to signal: RunningSignal, _ session: Session
  ) throws(SendError) {
    switch content {
    case .value(let value):
      try hub.runtime.send(value, to: signal)
      session.hasSent(1)
    case .values(let values):
      try hub.runtime.send(values, to: signal)
      session.hasSent(values.count)
    case .completed: try hub.runtime.end(signal, with: .completed)
    case .failed(let failure):
      try hub.runtime.end(signal, with: .failed(SignalFailure(code: failure.code, message: failure.message)))
    case .interrupted: try hub.runtime.end(signal, with: .interrupted)
    }
  }

  /// The signal to send to; most often the one of the client's last line.
  private func target(_ name: Span<UInt8>, _ session: Session) throws(WireError) -> Channel {
    if let last = session.lastChannel, last.isNamed(name) { return try permitted(last, session) }
    guard let channel = hub.channel(named: name, for: session.identity) else {
      throw unknownSignal(name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, for: session.identity)
    }
    session.lastChannel = channel
    return try permitted(channel, session)
  }

  @inline(__always)
  private func permitted(_ channel: Channel, _ session: Session) throws(WireError) -> Channel {
    if channel.access.maySend(session.identity) { return channel }
    throw WireError(.denied, "you may not send to \"\(channel.name)\"")
  }
}

extension SendRequest.Content {
  /// The same for a durable graph, and how many values it is.
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
    case .notEndable: self.init(.denied, "\"\(signal)\" cannot be ended: its declaration does not say endable: true")
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
