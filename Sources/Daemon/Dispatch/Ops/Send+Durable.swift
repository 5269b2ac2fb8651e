import JSON
import Journal
import Persistence
import SignalGraph
import WireProtocol

extension Dispatcher {
  /// Sends into a durable graph: the answer comes once it is on disk, and the client may send on meanwhile.
  func sendDurably(
    _ content: DurableGraphs.Content, to channel: Channel, message: String?, values: Int, _ exchange: Exchange
  ) throws(WireError) -> LineSplitter.Flow {
    guard let commits = hub.commits else {
      throw WireError(.storage, "\"\(channel.name)\": \(hub.storageFault?.description ?? "its graph does not run")")
    }
    let session = exchange.session
    if commits.graphs.isBehind {
      session.waitForCommits()
      return .hold
    }
    do throws(DurableGraphs.Refusal) {
      try commits.graphs.send(content, to: channel.signal, message: message) { outcome in
        session.isTold(isAnswered: exchange.id != nil)
        session.outbox.append { Self.answer(outcome, to: channel, exchange.id, &$0) }
      }
    } catch {
      switch error {
      case .send(let error): throw WireError(error, signal: channel.name)
      case .nameIsTaken:
        throw WireError(
          .badRequest,
          "\"message_id\" \"\(message ?? "")\" is that of a message to another signal of graph \"\(channel.graph)\"")
      case .over: throw WireError(.shuttingDown, "the daemon is ending")
      case .storage(let error): throw WireError(.storage, "\"\(channel.name)\": \(error)")
      }
    }
    session.isUntold(isAnswered: exchange.id != nil)
    session.hasSent(values)
    return .next
  }

  /// A send without an id is answered only if nobody can say whether it is kept.
  private static func answer(
    _ outcome: Result<DurableGraphs.Outcome, StorageError>, to channel: Channel, _ id: RequestID?,
    _ bytes: inout [UInt8]
  ) {
    switch outcome {
    case .success(let outcome):
      if id == nil { return }
      SendReply(signal: channel.name, seq: outcome.sequence, isDuplicate: outcome.isDuplicate)
        .append(to: &bytes, id: id)
    case .failure(let error):
      let doubt = "whether this is kept is not known before the daemon is started again"
      let message = "\"\(channel.name)\": \(doubt): \(error)"
      Refusal(id: id, op: SendRequest.op, WireError(.storage, message)).append(to: &bytes)
    }
  }
}
