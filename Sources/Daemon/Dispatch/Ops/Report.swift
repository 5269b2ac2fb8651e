import GraphModel
import WireProtocol
import World

extension ReportRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.report(self, exchange)
    return .next
  }
}

extension Dispatcher {
  /// Records the state of a connection.
  func report(_ request: ReportRequest, _ exchange: Exchange) throws(WireError) {
    let adapter = try adapter(of: exchange.session, asking: ReportRequest.op)
    guard let connection = network.connection(named: request.connection),
      adapter.kinds.contains(connection.settings.kind)
    else { throw WireError(.badRequest, "there is no connection \(request.connection.quoted) of this adapter's kinds") }
    network.report(connection, connected: request.state == .connected, request.reason)
    if exchange.id != nil { exchange.reply(ReportReply()) }
  }
}
