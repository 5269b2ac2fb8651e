import SignalGraph
import WireProtocol

extension Dispatcher {
  func send(_ request: SendRequest, _ exchange: Exchange) throws(WireError) {
    let channel = try target(request.signal, exchange)
    let before = channel.signal.sequence
    do throws(SendError) {
      try send(request.content, to: channel.signal, exchange.session)
    } catch {
      throw WireError(error, signal: channel.name)
    }
    if exchange.id == nil { return }
    let last = channel.signal.sequence
    exchange.reply(SendReply(signal: channel.name, seq: last > before ? last : nil))
  }

  private func send(
    _ content: SendRequest.Content, to signal: RunningSignal, _ session: Session
  ) throws(SendError) {
    switch content {
    case .value(let value):
      try hub.runtime.send(value, to: signal)
      session.receivedValues &+= 1
    case .values(let values):
      try hub.runtime.send(values, to: signal)
      session.receivedValues &+= UInt64(values.count)
    case .completed: try hub.runtime.end(signal, with: .completed)
    case .failed(let failure):
      try hub.runtime.end(signal, with: .failed(SignalFailure(code: failure.code, message: failure.message)))
    case .interrupted: try hub.runtime.end(signal, with: .interrupted)
    }
  }

  /// The signal to send to; most often the one of the client's last line.
  private func target(_ name: String, _ exchange: Exchange) throws(WireError) -> Channel {
    let session = exchange.session
    let channel: Channel
    if let last = session.lastChannel, last.name == name, !last.isRetired {
      channel = last
    } else {
      channel = try self.channel(name, for: exchange.client)
      session.lastChannel = channel
    }
    guard channel.access.maySend(exchange.client) else {
      throw WireError(.denied, "you may not send to \"\(name)\"")
    }
    return channel
  }
}

extension WireError {
  fileprivate init(_ error: SendError, signal: String) {
    switch error {
    case .notAnInput(let kind):
      self.init(.notAnInput, "\"\(signal)\" is \(kind.withArticle): only inputs and properties take values")
    case .badValue(let expected, let found): self.init(.badValue, "\"\(signal)\" takes \(expected), not \(found)")
    case .ended: self.init(.ended, "\"\(signal)\" has ended")
    case .notEndable: self.init(.denied, "\"\(signal)\" cannot be ended: its declaration does not say endable: true")
    }
  }
}

extension SignalGraph.SignalKind {
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
