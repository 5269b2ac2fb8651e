import WireProtocol

extension PingRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    exchange.reply(PingReply())
    return .next
  }
}
