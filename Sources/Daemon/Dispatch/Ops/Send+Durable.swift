import JSON
import Persistence
import StateLog
import WireProtocol

extension Dispatcher {
  /// Sends into a durable graph: the answer follows once it is on disk, and the client may send more in the meantime.
  func sendDurably(
    _ content: DurableGraphs.Content, to channel: Channel, message: String?, values: Int, _ exchange: Exchange
  ) throws(WireError) -> LineSplitter.Flow {
    try sendDurably(content, to: channel, message: message, slice: nil, exchange)
    exchange.session.hasSent(values)
    return .next
  }

  /// Sends all at once, or a slice; the last one is answered.
  func sendDurably(
    _ content: DurableGraphs.Content, to channel: Channel, message: String?, slice: DurableGraphs.Slice?,
    _ exchange: Exchange
  ) throws(WireError) {
    let session = exchange.session
    let graphs = try commits(for: channel).graphs
    do throws(DurableGraphs.Refusal) {
      try graphs.send(
        content, to: channel.signal, message: message, slice: slice, from: session.entrySender,
        reply: reply(to: exchange, channel))
    } catch {
      throw WireError(error, channel, message: message)
    }
    if slice?.isLast ?? true { session.addPendingSend(isAnswered: exchange.id != nil) }
  }

  func commits(for channel: Channel) throws(WireError) -> Commits {
    if let commits = hub.commits { return commits }
    throw WireError(.storage, "\"\(channel.name)\": \(hub.storageFault?.description ?? "its graph does not run")")
  }

  /// A send without an id is only counted.
  private func reply(to exchange: Exchange, _ channel: Channel) -> DurableGraphs.Reply {
    let session = exchange.session
    guard let id = exchange.id else { return .count(session) }
    return .answer { outcome in
      session.didAnswer()
      session.sendBuffer.append { bytes in
        switch outcome {
        case .success(let outcome):
          SendReply(signal: channel.name, seq: outcome.sequence, isDuplicate: outcome.isDuplicate)
            .append(to: &bytes, id: id)
        case .failure(let error):
          let message = "\"\(channel.name)\": the outcome is unknown \(Self.isUnknown(error)): \(error)"
          Refusal(id: id, op: SendRequest.op, WireError(.storage, message)).append(to: &bytes)
        }
      }
    }
  }

  fileprivate static func isUnknown(_ error: StorageError) -> String {
    if error.isPassing { return "until the state log can be written" }
    return error.kind == .fenced ? "until its new owner is asked" : "until the daemon is restarted"
  }
}

extension WireError {
  init(_ refusal: DurableGraphs.Refusal, _ channel: Channel, message: String?) {
    switch refusal {
    case .send(let error): self.init(error, signal: channel.name)
    case .nameIsTaken:
      self.init(
        .badRequest,
        "\"message_id\" \"\(message ?? "")\" was used for another signal of graph \"\(channel.graph)\"")
    case .over: self.init(.shuttingDown, "the daemon is shutting down")
    case .storage(let error): self.init(.storage, "\"\(channel.name)\": \(error)")
    }
  }
}

extension Session: UnansweredClient {
  /// Reports sends without an id only if it is unknown whether they are on disk.
  func didCommit(_ count: Int, _ failure: StorageError?) {
    removePendingSends(count)
    guard let failure else { return }
    let subject = count == 1 ? "a message" : "\(count) messages"
    let message = "\(subject) without an id: the outcome is unknown \(Dispatcher.isUnknown(failure)): \(failure)"
    sendBuffer.append { Refusal(id: nil, op: SendRequest.op, WireError(.storage, message)).append(to: &$0) }
  }
}
