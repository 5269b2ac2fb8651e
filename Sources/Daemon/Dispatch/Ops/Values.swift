import GraphEngine
import GraphModel
import WireProtocol

extension ValuesRequest: DaemonRequest {
  static var looksThroughSignals: Bool { true }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.values(self, exchange)
    return .next
  }
}

extension Dispatcher {
  /// The maximum number of values in one reply.
  private static let mostValues = 20_000

  func values(_ request: ValuesRequest, _ exchange: Exchange) throws(WireError) {
    if request.step != nil, request.history == nil { throw WireError(.badRequest, "\"step\" requires \"history\"") }
    if request.extremes == true, request.step == nil { throw WireError(.badRequest, "\"extremes\" requires \"step\"") }
    let channels = hub.channels.filter {
      (request.pattern.map($0.isCovered) ?? ($0.graph != "signalbox")) && $0.access.maySubscribe(exchange.client)
        && !hub.isUnknown($0)
    }
    let now = hub.runtime.clock.microseconds
    var samples: [ValuesReply.Sample] = []
    for channel in channels {
      let entries = Self.entries(of: channel.signal.retained, request, now)
      guard samples.count + entries.count <= Self.mostValues else {
        throw WireError(
          .tooMany, "more than \(Self.mostValues) values: narrow \"pattern\", shorten \"history\" or give \"step\"")
      }
      let unit = channel.signal.declaration.traits.unit
      for entry in entries {
        samples.append(
          ValuesReply.Sample(
            signal: channel.name, seq: entry.sequence, time: Timestamp(microseconds: entry.time), value: entry.payload,
            unit: unit))
      }
    }
    exchange.reply(ValuesReply(samples: samples))
  }

  /// Returns the newest value, with `history` those of the period, with `step` those that stand for each interval.
  private static func entries(of retained: Retention, _ request: ValuesRequest, _ now: Int64) -> [Retention.Entry] {
    guard let last = retained.last else { return [] }
    guard let history = request.history else { return [last] }
    let start = now - Int64(clamping: Int(history.duration / .microseconds(1)))
    // The value held when the period began counts as its first.
    let all = retained.latest(.max)
    let first = all.lastIndex { $0.time < start } ?? 0
    let entries = all[first...]
    guard let step = request.step else { return Array(entries) }
    let interval = max(1, Int64(step.duration / .microseconds(1)))
    var thinned = ThinnedValues<Retention.Entry>(step: interval, keepsExtremes: request.extremes == true)
    for entry in entries { thinned.append(entry, at: entry.time, number: entry.payload.plotted) }
    return thinned.elements
  }
}
