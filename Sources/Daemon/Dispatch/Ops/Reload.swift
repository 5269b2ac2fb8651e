import WireProtocol

extension Dispatcher {
  func reload(_ request: ReloadRequest, _ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "reload")
    exchange.reply(try request.dryRun == true ? control.forecast() : control.reload())
  }
}
