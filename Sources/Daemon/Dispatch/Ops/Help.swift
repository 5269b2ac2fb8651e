import WireProtocol

extension HelpRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    exchange.reply(HelpReply(about: about))
    return .next
  }
}
