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
    do throws(DurableGraphs.Refusal) {
      try commits.graphs.send(
        content, to: channel.signal, message: message, from: session.entrySender, reply: reply(to: exchange, channel))
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

  /// A send without an id is only counted.
  private func reply(to exchange: Exchange, _ channel: Channel) -> DurableGraphs.Reply {
    let session = exchange.session
    guard let id = exchange.id else { return .count(session) }
    return .answer { outcome in
      session.isAnswered()
      session.outbox.append { bytes in
        switch outcome {
        case .success(let outcome):
          SendReply(signal: channel.name, seq: outcome.sequence, isDuplicate: outcome.isDuplicate)
            .append(to: &bytes, id: id)
        case .failure(let error):
          let message = "\"\(channel.name)\": whether this is kept \(Self.isUnknown): \(error)"
          Refusal(id: id, op: SendRequest.op, WireError(.storage, message)).append(to: &bytes)
        }
      }
    }
  }

  fileprivate static var isUnknown: String { "is not known before the daemon is started again" }
}

extension Session: UnansweredClient {
  /// Nobody who has sent without an id is told, unless nobody can say whether it is kept.
  func isTold(_ count: Int, _ failure: StorageError?) {
    countTold(count)
    guard let failure else { return }
    let subject = count == 1 ? "a message" : "\(count) messages"
    let message = "\(subject) without an id: whether this is kept \(Dispatcher.isUnknown): \(failure)"
    outbox.append { Refusal(id: nil, op: SendRequest.op, WireError(.storage, message)).append(to: &$0) }
  }
}
