import GraphEngine
import GraphModel
import JSON
import Persistence
import StateLog
import WireProtocol

extension Dispatcher {
  /// Sends into a durable graph: the answer follows once it is on disk, and the client may send more in the meantime.
  func sendDurably(
    _ content: DurableGraphs.Content, to channel: Channel, message: String?, values: Int, _ exchange: Exchange
  ) throws(WireError) -> LineSplitter.Flow {
    if let home = hub.clusteredHome(of: channel) {
      if let reason = home.unavailability { throw WireError(.unavailable, "\"\(channel.name)\": \(reason)") }
      if channel.commits == nil {
        return try forward(content, to: channel, in: home, message: message, values: values, exchange)
      }
    }
    try sendDurably(content, to: channel, message: message, slice: nil, exchange)
    exchange.session.countSent(values)
    return .next
  }

  /// Sends into a graph that another node of the cluster runs, or none yet.
  private func forward(
    _ content: DurableGraphs.Content, to channel: Channel, in home: any ClusteredHome, message: String?, values: Int,
    _ exchange: Exchange
  ) throws(WireError) -> LineSplitter.Flow {
    let session = exchange.session
    if home.isBehind || session.mustAnswer(before: home) {
      session.wait(for: home)
      return .hold
    }
    let isAnswered = exchange.id != nil
    let content = ForwardedContent(content, to: channel.name, userID: session.userID).bytes
    guard content.count <= home.longestSend else {
      throw WireError(
        .tooLong,
        "\"\(channel.name)\": \(content.count) bytes are more than the cluster passes on (\(home.longestSend))")
    }
    session.addPendingSend(in: home, isAnswered: isAnswered)
    home.send(content, message: message) { outcome in
      if isAnswered { session.didAnswer(in: home.home) } else { session.removePendingSends(1, in: home.home) }
      switch outcome {
      case .success(let outcome):
        guard let id = exchange.id else { return }
        session.sendBuffer.append {
          SendReply(signal: channel.name, seq: outcome.sequence, isDuplicate: outcome.isDuplicate)
            .append(to: &$0, id: id)
        }
      case .failure(let refusal):
        let error = WireError(ErrorCode(rawValue: refusal.code) ?? .internal, refusal.message)
        session.sendBuffer.append { Refusal(id: exchange.id, op: SendRequest.op, error).append(to: &$0) }
      }
    }
    session.countSent(values)
    return .next
  }

  /// Sends all at once, or a slice; the last one is answered.
  func sendDurably(
    _ content: DurableGraphs.Content, to channel: Channel, message: String?, slice: DurableGraphs.Slice?,
    _ exchange: Exchange
  ) throws(WireError) {
    let session = exchange.session
    let commits = try commits(for: channel)
    do throws(DurableGraphs.Refusal) {
      try commits.graphs.send(
        content, to: channel.signal, message: message, slice: slice, from: session.entrySender,
        reply: reply(to: exchange, channel, in: commits.home))
    } catch {
      throw WireError(error, channel, message: message)
    }
    if slice?.isLast ?? true { session.addPendingSend(in: commits, isAnswered: exchange.id != nil) }
  }

  /// Returns the commits of a durable signal's home.
  func commits(for channel: Channel) throws(WireError) -> Commits {
    if let commits = channel.commits { return commits }
    if let home = hub.clusteredHome(of: channel) {
      throw WireError(
        .unavailable, "\"\(channel.name)\": \(home.unavailability ?? "its graph has just moved to another node")")
    }
    let fault = channel.signal.declaration.home.flatMap { hub.storageFaults[$0]?.description }
    throw WireError(.storage, "\"\(channel.name)\": \(fault ?? "its graph does not run")")
  }

  /// A send without an id is only counted.
  private func reply(to exchange: Exchange, _ channel: Channel, in home: Home) -> DurableGraphs.Reply {
    let session = exchange.session
    guard let id = exchange.id else { return .count(session) }
    return .answer { outcome in
      session.didAnswer(in: home)
      session.sendBuffer.append { bytes in
        switch outcome {
        case .success(let outcome):
          SendReply(signal: channel.name, seq: outcome.sequence, isDuplicate: outcome.isDuplicate)
            .append(to: &bytes, id: id)
        case .failure(let error):
          let message = "\"\(channel.name)\": the outcome is unknown \(Self.unknownUntil(error)): \(error)"
          Refusal(id: id, op: SendRequest.op, WireError(error.code, message)).append(to: &bytes)
        }
      }
    }
  }

  fileprivate static func unknownUntil(_ error: StorageError) -> String {
    if error.isPassing { return "until the state log can be written" }
    return error.kind == .fenced ? "on this machine" : "until the daemon is restarted"
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
    case .storage(let error): self.init(error.code, "\"\(channel.name)\": \(error)")
    }
  }
}

extension StorageError {
  /// The code of the refusal for it.
  var code: ErrorCode { kind == .away || kind == .fenced ? .unavailable : .storage }
}

extension Session: UnansweredClient {
  /// Reports sends without an id only if it is unknown whether they are on disk.
  func didCommit(_ count: Int, in home: Home, _ failure: StorageError?) {
    removePendingSends(count, in: home)
    guard let failure else { return }
    let subject = count == 1 ? "a message" : "\(count) messages"
    let message = "\(subject) without an id: the outcome is unknown \(Dispatcher.unknownUntil(failure)): \(failure)"
    sendBuffer.append { Refusal(id: nil, op: SendRequest.op, WireError(failure.code, message)).append(to: &$0) }
  }
}
