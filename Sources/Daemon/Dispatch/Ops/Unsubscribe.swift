import Base
import JSON
import WireProtocol

extension UnsubscribeRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.unsubscribe(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func unsubscribe(_ request: UnsubscribeRequest, _ exchange: Exchange) throws(WireError) {
    let key: Subscription.Key
    let name: String
    if let label = request.subscription {
      (key, name) = (.label(ExactText(label)), label)
    } else {
      name = request.signal?.text ?? ""
      key = .pattern(ExactText(name))
    }
    guard let subscription = exchange.session[key] else {
      throw WireError(.notSubscribed, "no subscription \"\(name)\" on this connection")
    }
    subscription.end()
    exchange.reply(UnsubscribeReply())
  }
}
