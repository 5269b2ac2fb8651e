internal import GraphModel
internal import JSON
internal import WireProtocol

/// The list of signals for people: the signals of each graph together, with their values and what is wrong.
struct SignalListText {
  private static let longestValue = 40

  /// The signals as in the reply to `list`.
  let signals: [JSONObject]
  /// The held values, by signal.
  let values: [String: String]

  private static let columns = ["SIGNAL", "VALUE", "STATE", "KIND", "YOU MAY", "DOC"]
  /// The columns that a narrow terminal does without, the first one first; `describe` has them, too.
  private static let dispensable = [4, 3]
  /// The least width for the documentation.
  private static let leastDocumentation = 20

  /// Returns the table without the columns that a terminal has no room for.
  func table(width: Int?) -> Table {
    let rows = rows
    var columns = Array(Self.columns.indices)
    for column in Self.dispensable where !Self.fit(columns, rows, width) { columns.removeAll { $0 == column } }
    var table = Table(columns.map { Self.columns[$0] })
    for row in rows { table.add(columns.map { row[$0] }) }
    return table
  }

  private static func fit(_ columns: [Int], _ rows: [[MarkedText]], _ width: Int?) -> Bool {
    guard let width else { return true }
    let used = columns.dropLast().reduce(0) { sum, column in
      let longest = rows.map { $0[column].plain }.filter { !["", "-"].contains($0) }.map(\.count).max()
      return sum + (longest.map { max($0, Self.columns[column].count) + 2 } ?? 0)
    }
    return used + leastDocumentation <= width
  }

  /// A row with the name of each graph, then its signals.
  private var rows: [[MarkedText]] {
    var rows: [[MarkedText]] = []
    var graph = ""
    for signal in signals {
      let name = signal.text("signal")
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      if parts[0] != graph {
        graph = parts[0]
        rows.append([MarkedText(graph, .title)] + [MarkedText](repeating: "", count: Self.columns.count - 1))
      }
      let rights = [("send", "send"), ("subscribe", "subscribe")].filter { signal[$0.0] == true }.map(\.1)
      rows.append([
        MarkedText("  \(parts.last ?? name)"), MarkedText(value(of: signal, name)), Self.state(of: signal),
        MarkedText(signal.text("kind")), MarkedText(rights.joined(separator: ",")),
        MarkedText(signal.text("doc"), .aside),
      ])
    }
    return rows
  }

  private func value(of signal: JSONObject, _ name: String) -> String {
    guard let value = values[name] else { return signal["held"] == true ? "held" : "-" }
    let shown = value.count > Self.longestValue ? value.prefix(Self.longestValue - 1) + "…" : value
    return signal.text("unit").isEmpty ? shown : "\(shown) \(signal.text("unit"))"
  }

  /// The end of a signal, otherwise its active severity, its missing connection, what waits in its calls and their last
  /// failure.
  private static func state(of signal: JSONObject) -> MarkedText {
    guard signal["ended"] == nil else { return end(of: signal) }
    guard let severity = severity(of: signal) else { return troubles(of: signal) }
    let troubles = troubles(of: signal)
    return troubles.plain == "-" ? severity : severity + ", " + troubles
  }

  /// The severity of a signal whose value demands attention.
  private static func severity(of signal: JSONObject) -> MarkedText? {
    guard case .object(let severity)? = signal["severity"], severity["active"] == true else { return nil }
    let level = severity.text("level")
    return MarkedText(level, level == "critical" ? .error : level == "warning" ? .warning : .aside)
  }

  /// The end of a signal in a few words.
  static func end(of signal: JSONObject) -> MarkedText {
    guard case .object(let end)? = signal["ended"] else { return "-" }
    guard case .object(let error)? = end["error"] else { return MarkedText(end.text("event"), .warning) }
    return MarkedText("\(end.text("event")): \(error.text("code"))", .error)
  }

  /// The missing connection of a signal, the full queues that it waits for, the failure of its source, what waits in its
    if let pause = PauseText(description: signal) { troubles.append(pause.short) }
  /// calls, and their failure.
  static func troubles(of signal: JSONObject) -> MarkedText {
    var troubles: [MarkedText] = []
    if case .object(let away)? = signal["away"] {
      troubles.append(MarkedText("\(away.text("connection")) away", .warning))
    }
    if case .object(let failure)? = signal["failure"] {
      troubles.append(FailureText(figures: failure).short("source"))
    }
    if case .object(let calls)? = signal["calls"] { troubles.append(CallsText(figures: calls).short) }
    return troubles.dropFirst().reduce(troubles.first ?? "-") { $0 + ", " + $1 }
  }
}
