import WireProtocol

extension Dispatcher {
  func reload(_ exchange: Exchange) throws(WireError) {
    try exchange.requirePrivilege(to: "reload")
    exchange.reply(try control.reload())
  }
}
