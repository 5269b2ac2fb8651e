import GraphEngine
import Persistence
import StateLog
import WireProtocol

extension RestartRequest: DaemonRequest {
  var effect: String? { "restart of \((signal ?? graph ?? "").quoted)" }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.restart(self, exchange)
    return .next
  }
}

extension Dispatcher {
  /// Restarts signals that have ended; running ones are left alone.
  func restart(_ request: RestartRequest, _ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "restart a signal")
    var channels: [Channel]
    if let graph = request.graph {
      // A graph that is hidden from the client is unknown to it; of a visible one, private signals restart as well.
      _ = try self.channels(ofGraph: graph, for: exchange.client)
      channels = hub.channels.filter { $0.graph == graph }
    } else {
      channels = [try channel(request.signal ?? "", for: exchange.client)]
    }
    channels = channels.filter { $0.signal.ending != nil }
    if let channel = channels.first(where: { $0.commits == nil && hub.clusteredHome(of: $0) != nil }) {
      throw WireError(.unavailable, "\"\(channel.name)\" runs on another node of the cluster: restart it there")
    }
    for channel in channels {
      guard let failure = channel.commits?.graphs.failure else { continue }
      throw WireError(failure.code, "\"\(channel.name)\": \(failure)")
    }
    let commits = hub.restart(channels + hub.endedPrivateSources(of: channels), by: exchange.session.entrySender)
    if commits.isEmpty { return exchange.reply(RestartReply()) }
    exchange.session.answerInOrder(after: commits) {
      RestartReply().append(to: &$0, id: exchange.id)
    } failed: { failure in
      { Refusal(id: exchange.id, op: RestartRequest.op, WireError(failure.code, failure.description)).append(to: &$0) }
    }
  }
}
