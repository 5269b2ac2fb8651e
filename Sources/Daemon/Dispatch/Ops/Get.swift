import SignalGraph
import WireProtocol

extension Dispatcher {
  func get(_ request: GetRequest, _ exchange: Exchange) throws(WireError) {
    let channel = try channel(toSubscribe: request.signal, for: exchange.client)
    guard let last = channel.signal.retained.last else {
      throw WireError(.noValue, "\"\(channel.name)\" has no value that is held")
    }
    exchange.reply(GetReply(signal: channel.name, seq: last.sequence, value: last.payload))
  }
}
