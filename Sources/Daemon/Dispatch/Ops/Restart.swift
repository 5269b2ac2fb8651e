import SignalGraph
import WireProtocol

extension Dispatcher {
  /// Starts what has ended anew; what still runs is left alone.
  func restart(_ request: RestartRequest, _ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "restart a signal")
    let channels =
      if let graph = request.graph {
        try channels(ofGraph: graph, for: exchange.client)
      } else {
        [try channel(request.signal ?? "", for: exchange.client)]
      }
    hub.restart(channels.filter { $0.signal.ending != nil })
    exchange.reply(RestartReply())
  }
}
