import WireProtocol

extension ReloadRequest: DaemonRequest {
  var effect: String? { dryRun == true ? nil : "reload" }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.reload(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func reload(_ request: ReloadRequest, _ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "reload")
    exchange.reply(try request.dryRun == true ? control.forecast() : control.reload())
  }
}
