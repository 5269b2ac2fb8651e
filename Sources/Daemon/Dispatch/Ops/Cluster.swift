import WireProtocol

extension ClusterRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try exchange.requirePrivilege(to: "see the cluster")
    guard let reply = dispatcher.control.cluster() else {
      throw WireError(.disabled, "this daemon runs no clustered graph: server.cluster and cluster: true of a graph")
    }
    exchange.reply(reply)
    return .next
  }
}
