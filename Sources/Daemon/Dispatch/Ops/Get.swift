import GraphEngine
import GraphModel
import WireProtocol

extension GetRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.get(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func get(_ request: GetRequest, _ exchange: Exchange) throws(WireError) {
    let channel = try channel(toSubscribe: request.signal, for: exchange.client)
    if let reason = hub.clusteredHome(of: channel)?.unavailability {
      throw WireError(.unavailable, "\"\(channel.name)\": \(reason)")
    }
    guard let last = channel.signal.retained.last else {
      let end = channel.signal.end.map { ", and has \($0.ending.story)" } ?? ""
      throw WireError(.noValue, "\"\(channel.name)\" holds no value\(end)")
    }
    exchange.reply(
      GetReply(
        signal: channel.name, seq: last.sequence, value: last.payload,
        time: request.timestamps == true ? Timestamp(microseconds: last.time) : nil,
        end: WireProtocol.SignalEnd(of: channel, for: exchange.client)))
  }
}
