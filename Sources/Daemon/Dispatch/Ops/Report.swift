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
  /// Records the state of a connection, or that a source works again.
  func report(_ request: ReportRequest, _ exchange: Exchange) throws(WireError) {
    let adapter = try adapter(of: exchange.session, asking: ReportRequest.op)
    if let name = request.signal {
      let channel = try channel(name, for: exchange.client)
      // One that does not run any more has no failure either.
      if network.source(of: name, for: adapter) != nil { endFailure(ofSource: channel) }
    } else {
      let name = request.connection ?? ""
      guard let connection = network.connection(named: name), adapter.kinds.contains(connection.settings.kind) else {
        throw WireError(.badRequest, "there is no connection \(name.quoted) of this adapter's kinds")
      }
      network.report(connection, connected: request.state == .connected, request.reason)
    }
    if exchange.id != nil { exchange.reply(ReportReply()) }
  }
}
