import WireProtocol

extension Dispatcher {
  func restart(_ request: RestartRequest, _ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "restart a signal")
    if let graph = request.graph {
      _ = try channels(ofGraph: graph, for: exchange.client)
    } else {
      _ = try channel(request.signal ?? "", for: exchange.client)
    }
    throw WireError(.badRequest, "\"restart\" is not supported yet")
  }
}
