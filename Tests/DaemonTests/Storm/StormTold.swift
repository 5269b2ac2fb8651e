/// The events of an observer of calling signals.
final class StormTold {
  /// The texts of calls by signal, in their order.
  private var outputs: [String: [String]] = [:]

  func take(_ lines: [String]) {
    for line in lines where line.hasPrefix(#"{"event":"next""#) {
      guard let signal = line.text(behind: #""signal":""#), let value = line.text(behind: #""value":""#) else {
        continue
      }
      outputs[signal, default: []].append(value)
    }
  }

  /// Returns an inconsistency; it may still resolve while calls are running.
  ///
  /// - Parameter dropped: The number of values that a noisy signal has dropped since they were sent.
  func difference(from count: Int, dropped: (Int) -> UInt64) -> String? {
    for number in 5..<9 {
      let (name, called) = ("g.n\(number)", outputs["g.n\(number)"]?.count ?? 0)
      let strategy = StormGraph.strategies[number - 5]
      if StormGraph.counting.contains(number - 5) {
        let lost = dropped(number)
        if UInt64(called) + lost != count { return "\(name), \(strategy): \(called) + \(lost) dropped" }
      } else if called == 0 || called > count {
        return "\(name), \(strategy): \(called) were called for"
      }
    }
    let all = (5..<9).flatMap { outputs["g.n\($0)"] ?? [] }
    return all.sorted() == outputs["g.act.values"]?.sorted() ? nil : "the action has put out other values"
  }

  /// A duplicate call: each has a text of its own.
  var doubled: String? {
    var seen: Set<String> = []
    return outputs["g.act.values"]?.first { !seen.insert($0).inserted }
  }
}

extension String {
  /// Returns the number of dropped values of a signal in `stats`.
  func dropped(by signal: String) -> UInt64 {
    guard let start = ranges(of: "\"\(signal)\":{").first?.upperBound else { return 0 }
    return String(self[start...].prefix { $0 != "}" }).number(behind: #""dropped":"#) ?? 0
  }
}
