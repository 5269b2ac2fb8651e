internal import GraphModel
internal import JSON
internal import WireProtocol

/// The list of signals for people: the signals of each graph together, with their values and what is wrong.
struct SignalListText {
  /// The lengths to which values are shortened, until the list fits the terminal.
  private static let longestValues = [40, 24, 12]

  /// The signals as in the reply to `list`.
  let signals: [JSONObject]
  /// The held values, by signal.
  let values: [String: String]

  private static let columns = ["SIGNAL", "VALUE", "STATE", "KIND", "YOU MAY", "DOC"]
  /// The columns that a narrow terminal does without, the first one first; `describe` has them, too.
  private static let dispensable = ["YOU MAY", "KIND"]

  /// Returns the table with the columns, values and names that a terminal has room for.
  func table(width: Int?) -> Table {
    var table = Table(Self.columns)
    for longest in Self.longestValues {
      let dispensable = longest == Self.longestValues.first ? Self.dispensable : Self.dispensable + ["DOC"]
      table = Table(Self.columns)
      for row in rows(longestValue: longest) { table.add(row) }
      table = table.fitted(to: width, dispensing: dispensable)
      if table.fits(width) { break }
    }
    return table.shorteningNames(to: width)
  }

  /// Returns a row with the name of each graph, then its signals.
  private func rows(longestValue: Int) -> [[MarkedText]] {
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
        MarkedText("  \(parts.last ?? name)"), MarkedText(value(of: signal, name, longest: longestValue)),
        Self.state(of: signal),
        MarkedText(signal.text("kind")), MarkedText(rights.joined(separator: ",")),
        MarkedText(signal.text("doc"), .aside),
      ])
    }
    return rows
  }

  private func value(of signal: JSONObject, _ name: String, longest: Int) -> String {
    guard let text = values[name] else { return signal["held"] == true ? "held" : "-" }
    let value = RoundedNumber.text(ofJSON: text, precision: signal["precision"].flatMap(Self.places))
    let shown = value.count > longest ? value.prefix(longest - 1) + "…" : value
    return signal.text("unit").isEmpty ? shown : "\(shown) \(signal.text("unit"))"
  }

  private static func places(_ precision: JSONValue) -> Int? {
    if case .number(let number) = precision.plain { Int(exactly: number) } else { nil }
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

  /// The missing connection of a signal, the full queues that it waits for, the failure of its source or of an expression,
  /// what waits in its calls, and their failure.
  static func troubles(of signal: JSONObject) -> MarkedText {
    var troubles: [MarkedText] = []
    if case .object(let away)? = signal["away"] {
      troubles.append(MarkedText("\(away.text("connection")) away", .warning))
    }
    if let pause = PauseText(description: signal) { troubles.append(pause.short) }
    if case .object(let failure)? = signal["failure"] {
      troubles.append(FailureText(figures: failure).short("source"))
    }
    if case .object(let refusal)? = signal["refused"] {
      troubles.append(FailureText(figures: refusal).short(refusal.text("operator")))
    }
    if case .object(let calls)? = signal["calls"] { troubles.append(CallsText(figures: calls).short) }
    return troubles.dropFirst().reduce(troubles.first ?? "-") { $0 + ", " + $1 }
  }
}
