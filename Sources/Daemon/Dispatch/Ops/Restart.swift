import Journal
import Persistence
import SignalGraph
import WireProtocol

extension Dispatcher {
  /// Starts what has ended anew; what still runs is left alone.
  func restart(_ request: RestartRequest, _ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "restart a signal")
    var channels: [Channel]
    if let graph = request.graph {
      // A graph that the client cannot see is none to it; of one that it sees, private signals start as well.
      _ = try self.channels(ofGraph: graph, for: exchange.client)
      channels = hub.channels.filter { $0.graph == graph }
    } else {
      channels = [try channel(request.signal ?? "", for: exchange.client)]
    }
    channels = channels.filter { $0.signal.ending != nil }
    if let failure = hub.commits?.graphs.failure, let durable = channels.first(where: \.signal.isMirror) {
      throw WireError(.storage, "\"\(durable.name)\": \(failure)")
    }
    let isUntold = hub.restart(channels + hub.endedPrivateSources(of: channels), by: exchange.session.entrySender)
    if !isUntold { return exchange.reply(RestartReply()) }
    exchange.session.answerInTurn {
      RestartReply().append(to: &$0, id: exchange.id)
    } failed: { failure in
      { Refusal(id: exchange.id, op: RestartRequest.op, WireError(.storage, failure.description)).append(to: &$0) }
    }
  }
}
