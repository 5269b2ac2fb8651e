import GraphEngine
import GraphModel
import JSON
import Persistence
import StateLog
import WireProtocol
import World

extension Dispatcher {
  /// Delivers what an adapter has read from a source; it is answered once that is kept.
  ///
  /// - Returns: `nil` if the signal is no source of the adapter, and takes values as any other.
  func sendFromAdapter(_ request: SendRequest, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow? {
    guard let adapter = hub.adapters[exchange.session] else {
      if request.adapterFields == nil, request.error?.status == nil { return nil }
      throw WireError(
        .badRequest, "\"payload\", \"details\", \"position\" and the status of an error are for adapters: attach first")
    }
    let channel = try channel(request.signal, for: exchange.client)
    guard let source = network.source(of: channel.name, for: adapter) else {
      if channel.signal.acceptsValues, request.adapterFields == nil { return nil }
      throw WireError(.ended, "\"\(channel.name)\" is no source of this adapter that runs")
    }
    let commits = channel.commits
    if let commits {
      if commits.graphs.isBehind {
        exchange.session.wait(for: commits)
        return .hold
      }
      if let failure = commits.graphs.failure { throw WireError(.storage, "\"\(channel.name)\": \(failure)") }
    }
    if channel.isCongested, exchange.id == nil {
      throw WireError(.busy, "senders to \"\(channel.name)\" have to wait: give an id, and send more after the answer")
    }
    // The mirror of a durable signal emits later, once the value is committed.
    let emitting = commits?.graphs.original(of: channel.signal) ?? channel.signal
    let before = emitting.sequence
    iteration.hasSender = true
    network.deliver(request.event(withDetails: source.source.hasDetails), from: source)
    iteration.hasSender = false
    let last = emitting.sequence > before ? emitting.sequence : nil
    exchange.session.countSent(1)
    guard exchange.id != nil else { return .next }
    let reply = SendReply(signal: channel.name, seq: request.content.isEnding && request.record == nil ? before : last)
    let answer: () -> Void = {
      guard let commits else { return exchange.reply(reply) }
      exchange.session.answerInOrder(after: [commits]) {
        reply.append(to: &$0, id: exchange.id)
      } failed: { failure in
        {
          Refusal(id: exchange.id, op: SendRequest.op, WireError(.storage, "\"\(channel.name)\": \(failure)"))
            .append(to: &$0)
        }
      }
    }
    // The adapter's line cannot wait, since calls depend on its next lines. So the answer waits.
    if !channel.isCongested || !hub.congestion.hold(answer, of: channel.name) { answer() }
    return .next
  }
}

extension SendRequest {
  fileprivate var record: [UInt8]? { adapterFields?.record }

  /// Returns the event of the source.
  ///
  /// - Parameter withDetails: True if its values tell what the peer said beside a record.
  fileprivate func event(withDetails: Bool) -> NetworkEvent {
    if let record {
      var details = withDetails ? details?.object : nil
      // A retained record is the state of what a source is about, whatever its values tell.
      if !withDetails, self.details?.object["retained"] == true { details = ["retained": true] }
      let item = details.map { NetworkItem.message(record, $0) } ?? .record(record)
      return .items([item], position: position?.text, message: messageID?.text)
    }
    switch content {
    case .value(let value): return .items([.value(value)], position: position?.text, message: messageID?.text)
    case .values(let values):
      return .items(values.map { .value($0) }, position: position?.text, message: messageID?.text)
    case .completed, .interrupted: return .completed
    case .failed(let failure):
      return .failed(SignalFailure(code: failure.code, message: failure.message), status: failure.status)
    }
  }
}
