import GraphEngine
import GraphModel
import Persistence
import WireProtocol

extension GetRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    if let commits = try dispatcher.firstCommits(of: signal, for: exchange.client) {
      exchange.session.wait(for: commits)
      return .hold
    }
    try dispatcher.get(self, exchange)
    return .next
  }
}

extension Dispatcher {
  /// Returns the commits that the first value of a durable signal waits for, such as that of a property at the start.
  fileprivate func firstCommits(of name: String, for client: ClientIdentity) throws(WireError) -> Commits? {
    let channel = try channel(toSubscribe: name, for: client)
    guard channel.signal.retained.last == nil, let commits = channel.commits, commits.graphs.failure == nil,
      commits.graphs.hasEvents(of: channel.name)
    else { return nil }
    return commits
  }

  func get(_ request: GetRequest, _ exchange: Exchange) throws(WireError) {
    let channel = try channel(toSubscribe: request.signal, for: exchange.client)
    if let reason = hub.clusteredHome(of: channel)?.unavailability {
      throw WireError(.unavailable, "\"\(channel.name)\": \(reason)")
    }
    if let ignorance = hub.ignorance(of: channel) { throw ignorance }
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
